// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/device_events.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/measuring_settings.hpp>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace perfspec {

/// The kernels of a trace that a name fits.
struct named_kernels {
    double nanoseconds{};  ///< of all their launches
    std::uint64_t launches{};
    std::set<std::string> names{};  ///< with their namespaces, without arguments
    std::uint64_t untimed{};        ///< launches whose time the profiler lost

    friend bool operator==(const named_kernels&, const named_kernels&) = default;
};

/// Finds kernels in a trace, in this order: those with exactly that name and its namespaces, those with that name in
/// any one namespace, the one of whose full name it is a part. A name with `*` finds all that it fits; an empty one
/// finds all kernels.
///
/// whose  the subject, for the text of a fault: "\"fused\""
/// Throws measurement_failure: not_countable for a trace without kernels, in which a profiler probably saw nothing, and
/// for one that lacks the time of a launch; refused where no kernel has the name, or different ones do. The text has
/// the names that ran, the nearest first.
[[nodiscard]] named_kernels kernels_named(std::span<const device_event> trace, std::string_view name,
                                          std::string_view whose);

/// Runs one iteration, and returns the nanoseconds that the device spent in the kernels that are asked for. Samples
/// that the adapter does not accept, such as those of a throttled device, are taken again.
///
/// Throws as take_sample and kernels_named do; not_countable where nothing records kernels, or a trace cannot be read.
[[nodiscard]] double time_kernels(const subject& x, const kernel_request& kernels);

namespace detail {

/// "at::native::softmax" of "void at::native::softmax<float, 4>(float*, int)". A name of C is itself.
[[nodiscard]] std::string_view name_without_arguments(std::string_view demangled);

/// A kernel of perfspec's own that may be in a trace: it reads the clocks of the device.
inline constexpr std::string_view stamp_kernel = "perfspec_stamp";

}  // namespace detail
}  // namespace perfspec
