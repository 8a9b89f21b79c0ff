// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

namespace perfspec {
inline namespace language {

/// The same model, whose `device_time` counts the time in which its device waits for the processor, too: its stream is
/// not held, and records and keys say `timed=hot-synchronised`. It is for models that wait for their device (`.item()`,
/// `nonzero`), and for those with more launches than the queue of a stream has room for, some 1000. Without it the
/// `device_time` of such a model is *invalid*. It changes no other metric, and nothing where the program does not link
/// perfspec::cuda. Claims compare it with another such model only.
///
/// x  a LibTorch subject, also on streams, or `on_device(f, device)`. Throws `input_error` for any other.
///
///     PERF_CHECK(speedup(device_time(host_synchronised(eager)), device_time(host_synchronised(compiled))) > 1.2);
[[nodiscard]] subject host_synchronised(const subject& x);

}  // namespace language
}  // namespace perfspec
