// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// DenseNet121: 7,978,856 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: Huang et al., "Densely Connected Convolutional Networks" (2016), table 1, growth rate 32.
[[nodiscard]] network_ptr densenet121(std::uint64_t seed = 0);

}  // namespace vision
