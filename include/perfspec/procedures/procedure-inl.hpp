// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/procedures/procedure.hpp>

#include <vector>

namespace perfspec::inline v0_1::detail {

inline std::vector<const procedure*>& procedures_of_adapters() {
    static auto& procedures = *new std::vector<const procedure*>;  // never destroyed, as the session
    return procedures;
}

void add_procedures(std::span<const procedure* const> more) {
    procedures_of_adapters().insert(procedures_of_adapters().end(), more.begin(), more.end());
}

}  // namespace perfspec::inline v0_1::detail
