// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

namespace perfspec::detail {

/// Looks whether a body whose time holds needs that time for inputs that it has not seen, too. One that knows its inputs by their address may
/// return what it kept, or a copy or a part of it, in no time. So where a claim holds, single calls on new copies of the inputs are timed in
/// turn with calls on the inputs that were given; the first copy that takes no more than half as long again is enough. Else the verdict
/// becomes invalid. Nothing is seen where a body compares values, and where fresh processes were measured.
void try_on_copies(const question& asked, finding& found);

}  // namespace perfspec::detail
