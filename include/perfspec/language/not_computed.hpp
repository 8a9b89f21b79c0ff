// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace perfspec::detail {

/// `verification::not_computed` of a side, "candidate" or "reference", that returned what an earlier call had computed: one text for the
/// subjects of all adapters.
inline std::string reason_of_remembered(std::string_view side) {
    return "the " + std::string(side) + " returned what an earlier call had computed: values that were destroyed in between came back";
}

/// The same of a side that changes its inputs: what is timed after the first call is work on other values.
inline std::string reason_of_changed_inputs(std::string_view side) {
    return "the " + std::string(side) + " changes its inputs, so all but its first call work on other values";
}

}  // namespace perfspec::detail
