# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Sourced by ci/bare: Debian systems in folders, and commands in them.
# shellcheck shell=bash

# The mirror of this machine's packages. Empty if it does not run Debian 12: then debootstrap uses Debian's servers.
mirror() {
    # shellcheck disable=SC2016  # apt-get's own words
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(SITE)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $2 == "bookworm" { print $3; exit }'
}

# A bare system of a release of Debian: debootstrap's minbase, and the settings with which this machine's package clients reach their servers. Only
# debootstrap sees its mounts.
make_system() {  # suite, folder
    unshare --mount debootstrap --variant=minbase "$1" "$2" "$(mirror)" && lend_package_clients "$2" &&
        echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/throwaway"  # dpkg need not wait for the disk
}

lend_package_clients() {  # folder of a system
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/" &&
        apt-config dump | sed -nE '/^Acquire::https?::Proxy(::| )/Ip' >"$1/etc/apt/apt.conf.d/80proxy" || return
    [ ! -r "${PIP_CERT:-}" ] || cp -L "$PIP_CERT" "$1/etc/pip-certificates.pem"
}

# The variables of this machine that pip and apt need. Certificates are at another place inside, since a package may write the usual one.
client_variables() {  # folder of a system
    env | grep -E '^(PIP_DEFAULT_TIMEOUT=|[a-z]+_proxy=|[A-Z]+_PROXY=)' || true
    package_servers
    [ ! -e "$1/etc/pip-certificates.pem" ] || echo PIP_CERT=/etc/pip-certificates.pem
}

# The package sources of this machine's pip, as variables, without its other settings, such as a cache or constraints.
package_servers() {
    local name value
    while read -r name value; do
        name=${name//-/_}
        printf 'PIP_%s=%s\n' "${name^^}" "${value//\\n/ }"
    done < <(python3 -m pip config list 2>/dev/null | sed -nE "s/^.*\.((extra-)?index-url|find-links)='(.*)'$/\1 \3/p")
}

# Folders among these.
package_folders() {
    local word
    for word in $(package_servers | grep -oE "(=| )(file://)?/[^ ]+" | sed -E 's|^[= ](file://)?||; s|/simple$||' | sort -u); do
        [ ! -d "$word" ] || echo "$word"
    done
}

# Runs a shell's command in a system, with the variables of a fresh login and those of package clients. Its processes end with it, even if it is killed, and
# only they see its mounts. It replaces the calling shell, which runs in the background, so that a signal can end the wait for it.
inside_namespace() {  # folder of a system, command
    local variables folders
    mapfile -t variables < <(client_variables "$1")
    mapfile -t folders < <(package_folders)
    # shellcheck disable=SC2016  # for the shell inside
    exec setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash -c '
        system=$1 command=$2
        shift 2
        mount -t proc proc "$system/proc" && mount --rbind /sys "$system/sys" && mount --rbind /dev "$system/dev" || exit
        while [ "$1" != -- ]; do
            mkdir -p "$system$1" && mount --bind -o ro "$1" "$system$1" || exit
            shift
        done
        shift
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv/home USER=root SHELL=/bin/bash "$@" \
            chroot "$system" bash -c "cd && $command"
    ' bash "$1" "$2" "${folders[@]}" -- "${variables[@]}"
}
