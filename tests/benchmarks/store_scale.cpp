// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a large store costs: one file of so many entries of ten launches is written, read, and one entry of it updated.
// usage: perfspec_store_scale FOLDER [entries=10000]

#include <perfspec/baseline/baseline_store.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace perfspec;

baseline_entry entry_of(std::size_t number, double value) {
    baseline_entry entry{"case " + std::to_string(number) + " / latency(subject)", "ns", better::less, {}, {}};
    entry.recorded_on.compiler = "g++ 12.2.0";
    entry.recorded_on.kernel = "6.1.0-28-amd64";
    for (int i = 0; i < 10; ++i) {
        const double v = value * (1 + 0.001 * i);
        entry.launches.push_back({v, v * 0.99, v * 1.01, v * 1.05, v * 1.2, 30, 100, "2026-11-18T09:12:44Z",
                                  "0123456789abcdef0123456789abcdef01234567", "17", "2026-11-18T09:12:44Z/1"});
    }
    return entry;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: perfspec_store_scale FOLDER [entries=10000]\n");
        return 4;
    }
    const std::size_t entries = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 10'000;
    posix_file_system files;
    const baseline_address address{arguments[1], "cpu", "", "suite"};
    baseline_file file{address.hardware, address.variant, address.suite, {}};
    for (std::size_t i = 0; i < entries; ++i) file.entries.push_back(entry_of(i, 1e6));
    std::sort(file.entries.begin(), file.entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });

    auto start = std::chrono::steady_clock::now();
    const std::string text = render_baseline_file(file);
    std::printf("%zu entries, %.1f MiB\nrender %.2f s\n", entries, static_cast<double>(text.size()) / (1 << 20),
                seconds_since(start));
    files.create_folders(std::filesystem::path(path_of(address)).parent_path());
    files.write_atomically(path_of(address), text);

    baseline_store store(files, address);
    start = std::chrono::steady_clock::now();
    const baseline_snapshot read = store.load();
    std::printf("load %.2f s%s%s\n", seconds_since(start), read.reason.empty() ? "" : ": ", read.reason.c_str());

    start = std::chrono::steady_clock::now();
    const update_result done = store.update(entry_of(entries / 2, 2e6), {.mode = baseline_update::all});
    std::printf("load, update one, save %.2f s: %s\n", seconds_since(start), done.decision.reason.c_str());
}
