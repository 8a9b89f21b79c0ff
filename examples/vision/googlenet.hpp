// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "network.hpp"

namespace vision {

/// GoogLeNet without its auxiliary heads: 6,624,904 parameters under torchvision's names, so that its state
/// dictionaries load.
///
/// Source: Szegedy et al., "Going Deeper with Convolutions" (2014), table 1, with batch norms; what is 5x5 there is
/// 3x3, as in torchvision. Images are taken as they are: torchvision's pretrained weights want them normalized its way
/// (`transform_input`).
[[nodiscard]] network_ptr googlenet(std::uint64_t seed = 0);

}  // namespace vision
