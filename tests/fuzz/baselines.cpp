// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Baseline files and files of golden outputs.
#include "fuzz/oracle.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>

namespace perfspec::fuzz {
namespace {

template <class Parse, class Render> void check_file(std::string_view text, Parse parse, Render render) {
    const auto file = accepted([&] { return parse(text, "sort.json"); }, "sort.json:");
    if (!file) return;
    const std::string written = render(*file);
    const auto again = parse(written, "sort.json");
    require(again == *file, "a file is read back as the same value", written);
    require(render(again) == written, "equal files have equal bytes", written);
}

}  // namespace
}  // namespace perfspec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace perfspec;
    using namespace perfspec::fuzz;
    check_file(text_of(data, size), parse_baseline_file, render_baseline_file);
    check_file(text_of(data, size), parse_golden_file, render_golden_file);
    return 0;
}
