// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/cuda_work.hpp>

namespace perfspec {
namespace detail {

[[nodiscard]] cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime);

}  // namespace detail

inline namespace language {

/// `x.on(stream)`: a subject whose body puts its work on a stream of yours. `latency` is host time until the device is
/// done, and `device_time` is taken by events on it, `hot()` unless you say otherwise. The result is another subject,
/// with what x declares.
///
/// x       its body puts all its work on the stream, or joins other streams to it by an event; device_time of one that
///         leaves work elsewhere is *invalid*
/// stream  of the device that is current now, or every claim is *invalid*; it must outlive the subject. 0 is the
///         default stream
///
/// Throws `input_error` for a subject that is on a device already, for one with `setup(make)`, because device_time
/// needs several iterations in a row, and for one with a load step: declare that behind it.
///
///     auto pipeline = perfspec::subject("pipeline", [&] { run_pipeline(stream); }).on(stream);
[[nodiscard]] cuda_work on_stream(const subject& x, cudaStream_t stream);

}  // namespace language
}  // namespace perfspec
