// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/procedures/procedure.hpp>

#include <vector>

namespace perfspec::inline v0_2::detail {

inline std::vector<const procedure*>& added_procedures() {
    static auto& procedures = *new std::vector<const procedure*>;  // never destroyed, as the session
    return procedures;
}

void add_procedures(std::span<const procedure* const> more) {
    added_procedures().insert(added_procedures().end(), more.begin(), more.end());
}

std::span<const procedure* const> procedures_of_adapters() { return added_procedures(); }

}  // namespace perfspec::inline v0_2::detail
