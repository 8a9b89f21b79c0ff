// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// SqueezeNet 1.1: 1,235,496 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: Iandola et al., "SqueezeNet" (2016), in the version 1.1 of its repository.
[[nodiscard]] network_ptr squeezenet1_1(std::uint64_t seed = 0);

}  // namespace vision
