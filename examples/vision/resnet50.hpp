// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// ResNet50: 25,557,032 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: He et al., "Deep Residual Learning for Image Recognition" (2015), table 1; the stride of a block lies in its
/// 3x3 convolution, as in torchvision.
[[nodiscard]] network_ptr resnet50(std::uint64_t seed = 0);

}  // namespace vision
