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

// Option `layout`: processes with different layouts in memory, and as many with the same layout.

/// The memory layout of a fresh process.
struct process_layout {
    std::string executable{};  ///< another link order of this program; empty: this program itself
    std::size_t padding{};     ///< bytes of one more environment variable, which moves the stack
    address_space addresses{address_space::inherited};
};

/// The layout that is the same for all processes.
[[nodiscard]] inline process_layout one_layout() { return {.addresses = address_space::fixed}; }

/// Draws a layout: a padding below 4 KiB, randomised addresses, and this program or another link order of it.
[[nodiscard]] process_layout draw_layout(const question& asked);

/// The programs beside this one with the same objects linked in other orders: "sort_test.layout1" beside "sort_test".
/// Throws input_error for one that is older than this program.
[[nodiscard]] std::vector<std::string> other_link_orders(const question& asked);

/// Changes the command for a process with this layout.
void lay_out(child_command& command, const process_layout& layout);

/// Measures what layouts do to the claim, where layouts are probed. Adds that to the record, with a comment on the verdict.
void tell_layout(const question& asked, finding& found);

}  // namespace perfspec::detail
