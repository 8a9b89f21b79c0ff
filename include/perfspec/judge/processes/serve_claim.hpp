// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>

namespace perfspec::detail {

/// Serves the process that asked for this claim, until it says "finish" or is gone. Then ends this process.
[[noreturn]] void serve_parent(const claim_context& context);

/// Says "unreached", with its suite, when this process ends on its own: it has not reached its claim. Call it once,
/// before main.
void say_unreached_at_exit();

}  // namespace perfspec::detail
