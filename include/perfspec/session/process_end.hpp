// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/host.hpp>

#include <string>
#include <string_view>

namespace perfspec::detail {

/// The exit code of a program with a failure.
inline constexpr int failure_code = 42;

/// "PERF_CHECK( latency(x) < 3ms ) at sort_test.cpp:12".
[[nodiscard]] std::string assertion_text(const site& where, std::string_view claim);

/// Marks a claim as open while this object lives. A process that ends meanwhile by exit or quick_exit says so, and ends
/// with 42. This does not concern a process that a body forks, or one that answers a parent.
class open_claim {
public:
    open_claim(const site& where, std::string_view claim);
    open_claim(const open_claim&) = delete;
    open_claim& operator=(const open_claim&) = delete;
    ~open_claim();

private:
    std::string before_;  ///< the claim of another session around this one
};

/// Notes a failed assertion that no test framework knows. The process then ends with 42, unless it asks for its exit
/// code after that.
void note_failure_of_no_test(const site& where, std::string_view claim);

/// Notes that the program asked for its exit code, so it knows the failures until now.
void failures_are_known() noexcept;

}  // namespace perfspec::detail
