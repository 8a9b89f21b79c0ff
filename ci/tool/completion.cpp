// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace perfspec::tool {
namespace {

/// A command and the words that may follow it.
struct command_words {
    std::string path;  ///< "baselines list"; empty for the program itself
    std::vector<std::string> words;
};

void collect(const CLI::App& app, const std::string& path, std::vector<command_words>& all) {
    command_words here{path, {}};
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands) here.words.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) here.words.push_back("--" + name);
    if (path == "completion") here.words.insert(here.words.end(), {"bash", "zsh", "fish"});
    all.push_back(std::move(here));
    for (const CLI::App* command : commands) collect(*command, path + (path.empty() ? "" : " ") + command->get_name(), all);
}

/// The branches of a shell's case statement: for each command, the words that may follow.
std::string cases_text(const std::vector<command_words>& all) {
    std::string text;
    for (const command_words& command : all)
        text += fmt::format("        '{}') offered='{}' ;;\n", command.path, fmt::join(command.words, " "));
    return text;
}

/// bash and zsh: how the next word extends the command so far.
constexpr std::string_view take_word = R"(        case "$word" in
            -*) ;;
            *) [[ "$command" == "" || "$command" == baselines ]] && command="${command:+$command }$word" ;;
        esac
)";

std::string bash_script(const std::vector<command_words>& all) {
    return fmt::format(R"(_perfspec() {{
    local word command= offered=
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
{}    done
    case "$command" in
{}    esac
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$offered" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F _perfspec perfspec
)",
                       take_word, cases_text(all));
}

std::string zsh_script(const std::vector<command_words>& all) {
    return fmt::format(R"(_perfspec() {{
    local word command offered
    for word in "${{(@)words[2,CURRENT-1]}}"; do
{}    done
    case "$command" in
{}    esac
    compadd -- ${{=offered}} || _files
}}
compdef _perfspec perfspec
)",
                       take_word, cases_text(all));
}

std::string fish_script(const std::vector<command_words>& all) {
    std::string text = R"(function __perfspec_command
    set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
    if test "$words[1]" = baselines
        echo $words[1..2]
    else
        echo $words[1]
    end
end
complete -c perfspec -f -n 'test -z (__perfspec_command | string collect)'
)";
    for (const command_words& command : all)
        text += fmt::format("complete -c perfspec -n 'test (__perfspec_command | string collect) = \"{}\"' -a '{}'\n", command.path,
                            fmt::join(command.words, " "));
    return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, std::string_view shell) {
    std::vector<command_words> all;
    collect(app, "", all);
    if (shell == "fish") return fish_script(all);
    return shell == "zsh" ? zsh_script(all) : bash_script(all);
}

}  // namespace perfspec::tool
