// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/evaluate.hpp>

#define PERFSPEC_DETAIL_ASSERTION(EFFECT, CALL, NAME, TEXT, ...)                                    \
    do {                                                                                            \
        using namespace ::perfspec::language;                                                       \
        static constexpr ::perfspec::site perfspec_site(                                            \
            NAME, TEXT, __FILE__, __LINE__, ::perfspec::effect::EFFECT, PERFSPEC_DETAIL_BUILD_KIND, \
            ::perfspec::detail::flags_of_this_file, ::perfspec::detail::compiler_of_this_file);     \
        ::perfspec::assertion perfspec_assertion(perfspec_site);                                    \
        try {                                                                                       \
            perfspec_assertion.CALL(__VA_ARGS__);                                                   \
        } catch (...) { perfspec_assertion.threw(); }                                               \
    } while (false)

/// Judges the claim now; on *violated* or *error* the test case fails and ends.  Options follow the claim.
///
///     PERF_REQUIRE(speedup(old, current) > 0.95);
#define PERFSPEC_REQUIRE(...) PERFSPEC_DETAIL_ASSERTION(require, judge, "PERFSPEC_REQUIRE", #__VA_ARGS__, __VA_ARGS__)
/// Judges the claim now; on *violated* or *error* the test case fails and goes on.
#define PERFSPEC_CHECK(...) PERFSPEC_DETAIL_ASSERTION(check, judge, "PERFSPEC_CHECK", #__VA_ARGS__, __VA_ARGS__)
/// Judges and reports the claim; never fails.
#define PERFSPEC_WARN(...) PERFSPEC_DETAIL_ASSERTION(warn, judge, "PERFSPEC_WARN", #__VA_ARGS__, __VA_ARGS__)
/// Measures the query and records it, without a bound.
#define PERFSPEC_MEASURE(...) PERFSPEC_DETAIL_ASSERTION(measure, measure, "PERFSPEC_MEASURE", #__VA_ARGS__, __VA_ARGS__)

#if !defined(PERFSPEC_PREFIX_ALL)
#    define PERF_REQUIRE(...) PERFSPEC_DETAIL_ASSERTION(require, judge, "PERF_REQUIRE", #    __VA_ARGS__, __VA_ARGS__)
#    define PERF_CHECK(...)   PERFSPEC_DETAIL_ASSERTION(check, judge, "PERF_CHECK", #    __VA_ARGS__, __VA_ARGS__)
#    define PERF_WARN(...)    PERFSPEC_DETAIL_ASSERTION(warn, judge, "PERF_WARN", #    __VA_ARGS__, __VA_ARGS__)
#    define PERF_MEASURE(...) PERFSPEC_DETAIL_ASSERTION(measure, measure, "PERF_MEASURE", #    __VA_ARGS__, __VA_ARGS__)
#endif
