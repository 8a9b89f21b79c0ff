// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <c10/core/Stream.h>

#include <vector>

namespace perfspec::detail {

/// Streams on each of which an iteration runs once. None: it runs on the current one.
struct stream_set {
    c10::Device device{c10::kCPU};
    int count{};
    std::vector<c10::Stream> made{};  ///< when they are first needed
};

}  // namespace perfspec::detail
