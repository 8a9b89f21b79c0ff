// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/run/evaluation.hpp>

namespace perfspec::detail {

/// Throws measurement_failure, with what to allow, where so few launch pairs as nothing can be judged by do not fit into the cap, or a given
/// budget. one_ns: what one takes.
void require_launch_pairs_fit(const evaluation& e, double one_ns);

}  // namespace perfspec::detail
