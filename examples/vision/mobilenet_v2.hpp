// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// MobileNetV2: 3,504,872 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks" (2018), table 2.
[[nodiscard]] network_ptr mobilenet_v2(std::uint64_t seed = 0);

}  // namespace vision
