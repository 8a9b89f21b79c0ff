// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// AlexNet: 61,100,840 parameters under torchvision's names, so that its state dictionaries load.
///
/// Source: Krizhevsky, "One weird trick for parallelizing convolutional neural networks" (2014), which torchvision
/// follows.
[[nodiscard]] network_ptr alexnet(std::uint64_t seed = 0);

}  // namespace vision
