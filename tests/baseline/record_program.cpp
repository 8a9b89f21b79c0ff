// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// For git_merge_test.py: perfspec_record_baseline FOLDER KEY VALUE records a baseline and golden outputs, and prints
// the paths of both files.

#include "entries.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>

#include <cstdio>
#include <string>

int main(int count, char** arguments) {
    if (count != 4) return 4;
    perfspec::posix_file_system files;
    perfspec::baseline_store store(files, {arguments[1], "cpu", "", "suite"});
    store.update(perfspec::entry_of(arguments[2], std::vector<double>(10, std::atof(arguments[3]))),
                 {.mode = perfspec::baseline_update::all});
    std::puts(store.path().c_str());
    perfspec::golden_store golden(files, store.address());
    golden.keep({arguments[2],
                 "LibTorch 2.13.0, 2 threads",
                 "2026-11-18T09:12:44Z",
                 "3f2c1ab",
                 {"output 1, float32[4]: " + std::string(arguments[3])}});
    std::puts(golden.path().c_str());
}
