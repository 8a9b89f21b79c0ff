# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Sourced by the scripts in ci/: where things are, and how to speak. Leaves the shell in the repository's root.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '%s\n' "$*"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}
jobs() { nproc 2>/dev/null || sysctl -n hw.ncpu; }

# Where LibTorch is: what PERFSPEC_TORCH names (a LibTorch, a Python prefix with torch in it, or OFF), else our own virtual environment.
# ci/cmake/PerfspecTorchHints.cmake knows the same places.
torch_root() {
    printf '%s\n' "${PERFSPEC_TORCH:-${XDG_CACHE_HOME:-$HOME/.cache}/perfspec/torch-$(cat ci/torch-version)}"
}

# The files that belong to the project, as patterns of git: `tracked '*.cpp'`. Files that are new and not ignored count as well.
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
