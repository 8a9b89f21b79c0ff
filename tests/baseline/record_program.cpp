// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// What git_merge_test.py records baselines with: perfspec_record_baseline FOLDER KEY VALUE; prints the file's path.

#include "entries.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
    if (count != 4) return 4;
    perfspec::posix_file_system files;
    perfspec::baseline_store store(files, {arguments[1], "cpu", "", "suite"});
    store.update(perfspec::entry_of(arguments[2], std::vector<double>(10, std::atof(arguments[3]))),
                 {.mode = perfspec::baseline_update::all});
    std::puts(store.path().c_str());
}
