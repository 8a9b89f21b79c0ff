// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <c10/core/Stream.h>

#include <vector>

namespace perfspec::detail {

/// The streams of a subject: an iteration runs once on each. Without any it runs on the current stream.
struct stream_set {
    c10::Device device{c10::kCPU};
    int count{};
    std::vector<c10::Stream> made{};  ///< filled when streams are first needed
};

}  // namespace perfspec::detail
