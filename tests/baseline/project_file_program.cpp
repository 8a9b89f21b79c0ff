// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Prints for each file whether it is a project file; without files, the legal options as lines "name legal".
#include <perfspec/baseline/project_file.hpp>

#include <perfspec/plan/option_table.hpp>
#include <perfspec/quantity/text.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

int main(int argc, char** argv) {
    for (const perfspec::option_description& row : perfspec::option_table())
        if (argc == 1 && row.not_in_file.empty()) std::cout << row.name << ' ' << row.legal << '\n';
    for (int i = 1; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        try {
            static_cast<void>(perfspec::parse_project_file(text, "file"));
            std::cout << "read\n";
        } catch (const perfspec::input_error& error) {
            const std::string why = error.what();
            std::cout << why.substr(0, why.find('\n')) << '\n';
        }
    }
}
