# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Sourced by the scripts in ci/: common paths, messages and steps. Changes to the repository's root.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '%s\n' "$*"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Runs a command with its output in the file $log, and prints one line: the step, and its seconds. If the command fails, shows the end of its output and
# ends the script. The command runs in a subshell, so `die` ends only the step. Functions join their commands by &&, because bash ignores `set -e` here.
step() {  # what, command…
    # shellcheck disable=SC2154  # the script names its log
    local what=$1 begun=$SECONDS to=$log
    shift
    mkdir -p "$(dirname "$to")"
    printf '%-72s' "$what"
    if ("$@") >>"$to" 2>&1; then
        printf ' %4s s\n' "$((SECONDS - begun))"
    else
        printf ' failed\n'
        tail -n 25 "$to" >&2
        die "failed: $what; all that it printed is in $to"
    fi
}
processors() { nproc 2>/dev/null || sysctl -n hw.ncpu; }

# The folder of LibTorch: PERFSPEC_TORCH_ROOT (a LibTorch, a Python prefix with torch in it, or OFF), else our own virtual environment.
# ci/cmake/PerfspecTorchHints.cmake has the same places.
torch_root() {
    printf '%s\n' "${PERFSPEC_TORCH_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/perfspec/torch-$(cat ci/torch-version)}"
}

# The files of the project that match patterns of git, new ones that are not ignored, too: `tracked '*.cpp'`.
tracked() { git ls-files --cached --others --exclude-standard --deduplicate -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done; }
needs() {  # programs…
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || die "needs $program; run ci/setup"
    done
}

# Prints each line of standard input with the remedy below it, and fails if there was one: `find-it | complain "do this" || status=1`
complain() {  # remedy
    local line found=0
    while read -r line; do
        printf '%s\n  %s\n' "$line" "$1"
        found=1
    done
    return $found
}

# `unless_found_clean inputs check argument…` runs `check argument…` and returns its exit code, or 0 at once if the check of the same inputs succeeded
# before. `inputs argument…` prints everything that the outcome depends on: the text that the tool reads, the tool's version, and the script of the check.
#
# This hides no error. Only success leaves a mark, named by a digest of all inputs, so another text, tool or script is checked again. Inputs that cannot be
# printed to the end, for example because a header is missing, have no mark: the check runs. A mark needs equal inputs before and after the check, so a
# file that is edited during its check gets none. Marks are outside of the checkout, like ccache's files.
unless_found_clean() {
    local inputs=$1 check=$2 mark digest
    shift 2
    digest=$(digest_of "$inputs" "$@") || digest=
    mark=$(found_clean)/$digest
    [ -z "$digest" ] || [ ! -e "$mark" ] || return 0
    "$check" "$@" || return
    if [ -n "$digest" ] && [ "$digest" = "$(digest_of "$inputs" "$@")" ]; then
        { mkdir -p "$(found_clean)" && : > "$mark"; } || say "no mark is left, so the next run checks this again" >&2
    fi
}

# The folder of the marks.
found_clean() { printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/perfspec/found-clean"; }

# A digest of a function's output. Fails if the function does.
digest_of() ( set -o pipefail && "$@" 2>/dev/null | sha256sum | cut -c 1-64 )
export -f say unless_found_clean found_clean digest_of
