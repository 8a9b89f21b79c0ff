// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

#include <span>
#include <string>
#include <string_view>

namespace vision {

/// A model by name, as on the command line of write_weights and in MODELS of models.py.
struct named_model {
    std::string_view name;
    network_ptr (*make)(std::uint64_t seed);
};

[[nodiscard]] std::span<const named_model> all_models();

/// Throws `std::invalid_argument`, which tells all names, for a name that none has.
[[nodiscard]] network_ptr make_model(std::string_view name, std::uint64_t seed = 0);

}  // namespace vision
