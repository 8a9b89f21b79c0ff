// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/finding.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace perfspec::detail {

// Option `layout`: processes that lie in memory differently, and as many that lie alike.

/// Where a fresh process lies in memory.
struct process_layout {
    std::string executable{};  ///< another link order of this program; empty: this program itself
    std::size_t padding{};     ///< bytes of one more variable, which the stack lies below
    address_space addresses{address_space::inherited};
};

/// The one that processes have in common.
[[nodiscard]] inline process_layout one_layout() { return {.addresses = address_space::fixed}; }

/// A padding below 4 KiB, randomised addresses, and this program or another link order of it.
[[nodiscard]] process_layout draw_layout(const question& asked);

/// The programs beside this one that are linked from the same objects in other orders: "sort_test.layout1" beside "sort_test".
/// Throws input_error for one that is older than this program.
[[nodiscard]] std::vector<std::string> other_link_orders(const question& asked);

/// How that process is started.
void lay_out(child_command& command, const process_layout& layout);

/// Where layouts are probed: what they do to the claim, as a part of the record and in a word on its verdict.
void tell_layout(const question& asked, finding& found);

}  // namespace perfspec::detail
