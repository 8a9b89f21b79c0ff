// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subject.hpp>

namespace perfspec {

/// The kind of work that `throughput(x, items)` counts.
enum class work : unsigned char { items, bytes, flops };

inline namespace language {

/// Wall time of one iteration (median).
query<dimension::time> latency(const subject& x);

/// Process CPU time of one iteration, of all threads (median).
query<dimension::time> cpu_time(const subject& x);

/// Time of `from` divided by time of `to`, paired in rounds: above 1 means that `to` is faster.
///
///     PERF_REQUIRE(speedup(model, inductor) > 0.95);
query<dimension::ratio> speedup(const subject& from, const subject& to);
/// The same for another metric of time: `speedup(cpu_time(a), cpu_time(b))`.
query<dimension::ratio> speedup(const query<dimension::time>& from, const query<dimension::time>& to);

/// Declared work per second: `.items(n)`, `.bytes(n)` or `.flops(n)` on the subject, and the same word here.
///
///     PERF_CHECK(throughput(parser, bytes) > 200_MBps);
query<dimension::item_rate> throughput(const subject& x);

inline constexpr struct items_tag {
} items{};
inline constexpr struct bytes_tag {
    /// `bytes(4096)` is a quantity.
    [[nodiscard]] constexpr quantity<dimension::bytes> operator()(double n) const noexcept { return {n}; }
} bytes{};
inline constexpr struct flops_tag {
} flops{};
query<dimension::item_rate> throughput(const subject& x, items_tag);
query<dimension::byte_rate> throughput(const subject& x, bytes_tag);
query<dimension::flop_rate> throughput(const subject& x, flops_tag);

/// The outputs of both subjects agree. A claim without a bound; the adapter of the subjects says what agreeing means.
claim same_output(const subject& reference, const subject& candidate);

}  // namespace language
}  // namespace perfspec
