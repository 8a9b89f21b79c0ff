// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// `verification::not_computed` of a side, "candidate" or "reference", that returned what an earlier call had computed: one text for the
/// subjects of all adapters.
inline std::string reason_of_remembered(std::string_view side) {
    return "the " + std::string(side) + " returned what an earlier call had computed: values that were destroyed in between came back";
}

/// The same of a side that changes an input, counted from 1: what is timed after the first call is work on other values.
inline std::string reason_of_changed_input(std::string_view side, std::size_t input) {
    return "the " + std::string(side) + " changes input " + std::to_string(input) +
           ", which it reads, so that all but its first call work on other values (copy it in forward(), or call the model once before the claim "
           "where later calls leave it as it is)";
}

}  // namespace perfspec::detail
