#!/usr/bin/env fish
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# complete.fish TOOL: whether the tool's completion for fish offers commands and options where they are legal, and nothing that was not begun.
$argv[1] completion fish | source
set -g status_of_test 0

function offers # words that are offered among others, a line
    set -l found (complete --do-complete $argv[2] | string replace --regex '\t.*' '')
    for word in (string split ' ' -- $argv[1])
        if not contains -- $word $found
            echo "$argv[2]: expected \"$word\" among \"$found\""
            set -g status_of_test 1
        end
    end
end

function refuses # words that are not offered, a line
    set -l found (complete --do-complete $argv[2] | string replace --regex '\t.*' '')
    for word in (string split ' ' -- $argv[1])
        if contains -- $word $found
            echo "$argv[2]: \"$word\" is offered where it is not legal"
            set -g status_of_test 1
        end
    end
end

offers 'accept baselines compare' 'perfspec '
offers baselines 'perfspec ba'
offers 'list show diff verify prune merge suggest' 'perfspec baselines '
offers '--help --baseline-dir --write' 'perfspec baselines prune --'
offers '--filter --force' 'perfspec accept r.jsonl --f'
offers 'bash zsh fish' 'perfspec completion '
offers '--markdown --max-undecided' 'perfspec report x --m'
refuses 'accept list' 'perfspec baselines prune x '
refuses 'list show' 'perfspec report '
refuses '--filter' 'perfspec accept r.jsonl --m'
exit $status_of_test
