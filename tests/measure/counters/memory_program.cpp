// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Prints the peak of memory, in bytes, of a body after RUNS runs in this process.
//
//   perfspec_memory_program blocks BYTES RUNS   fills 64 MiB in blocks of BYTES, or one larger block
//   perfspec_memory_program hole 0 RUNS         fills 20 MiB, frees them below another block, and fills 30 MiB
//   perfspec_memory_program stack BYTES RUNS    fills BYTES of the stack
//   perfspec_memory_program threshold 0 0       prints how many blocks of 129 KiB the heap maps after perfspec has read a file
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using block = std::unique_ptr<char[]>;

block filled(std::size_t bytes) {
    block made(new char[bytes]);
    std::memset(made.get(), 1, bytes);
    perfspec::do_not_optimize(made.get());
    return made;
}

void fill_blocks(std::size_t bytes) {
    constexpr std::size_t total = std::size_t{64} << 20;
    std::vector<block> all;
    all.reserve(total / bytes);
    for (std::size_t done = 0; done < total; done += bytes) all.push_back(filled(bytes));
}

void fill_hole() {
    block lower = filled(std::size_t{20} << 20);
    const block between = filled(100'000);  // which fits into no block that the program freed before
    lower.reset();
    const block larger = filled(std::size_t{30} << 20);
}

[[gnu::noinline]] int fill_stack(std::size_t bytes) {  // NOLINT(misc-no-recursion): that is what fills it
    char part[4096];
    std::memset(part, 1, sizeof part);
    perfspec::do_not_optimize(part);
    return part[7] + (bytes > sizeof part ? fill_stack(bytes - sizeof part) : 0);
}

void run(std::string_view what, std::size_t bytes) {
    if (what == "blocks") fill_blocks(bytes);
    if (what == "hole") fill_hole();
    if (what == "stack") perfspec::do_not_optimize(fill_stack(bytes));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string_view what = argv[1];
#if defined(__GLIBC__)
    if (what == "threshold") {
        const bool has_read = !perfspec::posix_file_system().read("/proc/cpuinfo", std::size_t{1} << 20).text.empty();
        ::malloc_trim(0);  // otherwise the block may fit into what the heap holds
        const block mapped = filled(std::size_t{129} << 10);
        std::printf("%zu\n", has_read ? ::mallinfo2().hblks : 0);
        return 0;
    }
#endif
    const std::size_t bytes = std::strtoull(argv[2], nullptr, 10);
    if (!perfspec::process_memory().reset_peak()) return 77;
    const perfspec::subject body("body", [&] { run(what, bytes); });
    for (int runs = std::atoi(argv[3]); runs > 0; --runs) perfspec::run_untimed(body, 1);
    perfspec::peak_memory_counter counter(perfspec::process_memory());
    std::printf("%lld\n",
                static_cast<long long>(perfspec::take_sample(body, 1, perfspec::warm_call::no, counter).elapsed_ns));
    return 0;
}
