#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# complete.bash TOOL: whether the tool's completion for bash offers commands and options where they are legal, and nothing that was not begun.
set -euo pipefail

# shellcheck source=/dev/null
source <("$1" completion bash)

status=0
offers() { # words that are offered among others, words…
    local expected=$1 word
    shift
    # shellcheck disable=SC2034  # the script that was sourced reads them
    COMP_WORDS=(perfspec "$@")
    # shellcheck disable=SC2034
    COMP_CWORD=$#
    _perfspec
    for word in $expected; do
        [[ " ${COMPREPLY[*]} " == *" $word "* ]] && continue
        echo "perfspec $*: expected \"$word\" among \"${COMPREPLY[*]}\""
        status=1
    done
    for word in "${COMPREPLY[@]}"; do
        [[ "$word" == "${!#}"* ]] && continue
        echo "perfspec $*: \"$word\" does not begin with \"${!#}\""
        status=1
    done
}

offers 'baselines' ba
offers 'list show diff verify prune merge suggest --help' baselines ''
offers '--help --baseline-dir --write' baselines prune --
offers '--filter --force' accept r.jsonl --f
offers '--help bash zsh fish' completion ''
offers '--markdown --max-undecided' report x --m
offers '' report no-such-word
[ ${#COMPREPLY[@]} = 0 ] || { echo "report offers ${COMPREPLY[*]} for no-such-word" && status=1; }
exit $status
