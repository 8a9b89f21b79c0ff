// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Profiles of Valgrind.
#include "fuzz/oracle.hpp"

#include <perfspec/callgrind/simulator-inl.hpp>

namespace perfspec::fuzz {
namespace {

/// A profile in callgrind's format.
std::string written(const simulated_profile& profile) {
    std::string text = "events: Ir\n";
    for (const auto& [function, count] : profile.functions)
        text += "fn=" + function + "\n1 " + std::to_string(count) + '\n';
    return text + "totals: " + std::to_string(profile.total) + '\n';
}

void check_profile(const simulated_profile& profile, std::string_view text) {
    require(parse_profile(written(profile)) == profile, "a profile is read back as the same value", written(profile));
    const std::string more = std::string(text) + "\ntotals: 18446744073709551615\n";
    const auto sum = accepted([&] { return parse_profile(more); }, "a Valgrind profile ");
    require(!sum || profile.total == 0, "a sum that 64 bits cannot hold is refused", text);
}

}  // namespace
}  // namespace perfspec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace perfspec;
    using namespace perfspec::fuzz;
    const std::string_view text = text_of(data, size);
    if (const auto found = accepted([&] { return parse_profile(text); }, "a Valgrind profile "))
        check_profile(*found, text);
    return 0;
}
