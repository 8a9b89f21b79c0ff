#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# complete.bash TOOL: what the tool's completion for bash offers after some words.
set -euo pipefail

# shellcheck source=/dev/null
source <("$1" completion bash)

status=0
offers() { # expected, words…
    local expected=$1
    shift
    # shellcheck disable=SC2034  # the script that was sourced reads them
    COMP_WORDS=(perfspec "$@")
    # shellcheck disable=SC2034
    COMP_CWORD=$#
    _perfspec
    [ "${COMPREPLY[*]}" = "$expected" ] && return
    echo "perfspec $*: expected \"$expected\", found \"${COMPREPLY[*]}\""
    status=1
}

offers 'baselines' ba
offers 'list show diff verify prune merge suggest --help' baselines ''
offers '--help --baseline-dir --write' baselines prune --
offers '--filter --force' accept r.jsonl --f
offers '--help bash zsh fish' completion ''
offers '--markdown --max-undecided' report x --m
offers '' report no-such-word
exit $status
