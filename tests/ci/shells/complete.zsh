#!/usr/bin/env zsh
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# complete.zsh TOOL: whether the tool's completion for zsh offers commands and options where they are legal, and files elsewhere; by calling it
# in the place of zsh's completion system, and by typing into an interactive zsh.
setopt err_exit no_unset pipe_fail
tool=$1
exit_code=0

# What the completion system has: compadd keeps what begins like the word that is completed, and fails where nothing does.
completing=
answer=()
compdef() { :; }
compadd() {
    shift # --
    answer=(${(M)@:#${completing}*})
    ((${#answer}))
}
_files() { answer=(files); }
eval "$("$tool" completion zsh)"

offers() { # words that are offered among others, words…
    local expected=$1 word
    shift
    local -a words=(perfspec "$@")
    local CURRENT=$#words
    completing=${words[-1]}
    _perfspec
    for word in ${=expected}; do
        if ((! ${answer[(Ie)$word]})); then
            print -r -- "perfspec $*: expected \"$word\" among \"$answer\""
            exit_code=1
        fi
    done
}

offers 'baselines' ba
offers 'list show diff verify prune merge suggest --help' baselines ''
offers '--help --baseline-dir --write' baselines prune --
offers '--filter --force' accept r.jsonl --f
offers '--help bash zsh fish' completion ''
offers '--markdown --max-undecided' report x --m
offers 'files' report res
offers 'files' report 'a b' no-such-word

# Typed, where no file has such a name: the tab key completes the one command that begins so.
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "cd /; autoload -Uz compinit; compinit -u -D; source <(${(q)tool} completion zsh); unsetopt zle_bracketed_paste; echo rea''dy"
seen=
typed=
for ((tries = 0; tries < 300; ++tries)); do
    while zpty -r -t shell line; do seen+=$line; done
    if [[ -z $typed && $seen == *ready$'\r'* ]]; then
        zpty -w -n shell $'perfspec base\t'
        typed=1
        seen=
    elif [[ -n $typed && $seen == *"perfspec baselines"* ]]; then
        break
    fi
    sleep 0.1
done
zpty -d shell
if ((tries == 300)); then
    print -r -- "typed \"perfspec base\" and a tab, expected \"perfspec baselines\", seen: ${(V)seen}"
    exit_code=1
fi
exit $exit_code
