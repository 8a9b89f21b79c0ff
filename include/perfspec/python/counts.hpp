// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <string_view>

namespace perfspec {
inline namespace language {

/// A number that the worker of a subject knows of it, compared exactly. For Python these are the counters of
/// torch.compile by their names, such as "inductor.fxgraph_cache_miss", and those that have a function below. The
/// subject is called until three calls in a row compiled nothing, so a count is equal before and after claims on times;
/// a note of the claim says how many calls that were. Throws input_error for a subject that no worker has.
///
///     PERF_CHECK(worker_count(py("inductor"), "inductor.fxgraph_cache_miss") <= 1);
[[nodiscard]] query<dimension::count, statistic::exact> worker_count(const subject& x, std::string_view name);

/// Where torch.compile left the graph and returned to Python. The claim is *invalid* for a subject in which nothing was
/// compiled.
///
///     PERF_CHECK(graph_breaks(py("inductor")) == 0);
[[nodiscard]] query<dimension::count, statistic::exact> graph_breaks(const subject& x);

/// How many different graphs torch.compile made of it.
[[nodiscard]] query<dimension::count, statistic::exact> graphs(const subject& x);

/// How many functions torch.compile compiled, each again included.
[[nodiscard]] query<dimension::count, statistic::exact> compilations(const subject& x);

/// How often torch.compile compiled a function again, because a guard did not hold: another shape, dtype or value.
[[nodiscard]] query<dimension::count, statistic::exact> recompilations(const subject& x);

}  // namespace language
}  // namespace perfspec
