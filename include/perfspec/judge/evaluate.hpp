// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/assertion.hpp>
#include <perfspec/report/evaluation.hpp>

namespace perfspec {
namespace detail {

/// A claim or query with the place of the call. (It uses the builtins, because clang 14 has no std::source_location.)
struct located_expression {
    const expression* tree;
    perfspec::effect effect;
    build_kind build;
    const char* file;
    int line;
    const char* flags;
    compiler_version compiler;

    located_expression(const claim& c,
                       build_kind b = PERFSPEC_DETAIL_BUILD_KIND,  // NOLINT(google-explicit-constructor)
                       const char* f = __builtin_FILE(), int l = __builtin_LINE(),
                       const char* told = flags_of_this_file, compiler_version by = compiler_of_this_file)
        : tree(&c), effect(effect::check), build(b), file(f), line(l), flags(told), compiler(by) {}
    template <dimension D, statistic S>
    located_expression(const query<D, S>& q,
                       build_kind b = PERFSPEC_DETAIL_BUILD_KIND,  // NOLINT(google-explicit-constructor)
                       const char* f = __builtin_FILE(), int l = __builtin_LINE(),
                       const char* told = flags_of_this_file, compiler_version by = compiler_of_this_file)
        : tree(&q), effect(effect::record), build(b), file(f), line(l), flags(told), compiler(by) {}
    template <class T>
    requires(!Expression<T> && !std::same_as<T, located_expression>)
        located_expression(const T&)  // NOLINT(google-explicit-constructor)
        : tree(nullptr), effect(effect::check), build(PERFSPEC_DETAIL_BUILD_KIND), file(nullptr), line(0),
          flags(""), compiler{} {
        static_assert(never<T>, "perfspec: evaluate takes a claim or a query: write evaluate(latency(x) < 3ms)");
    }
};

[[nodiscard]] evaluation evaluate_expression(const located_expression& e, const option* options, std::size_t count);

}  // namespace detail

/// Judges a claim, or measures a query, and returns what it found. Reports to nobody. Works with any test framework, or
/// with none.
///
///     auto fast = perfspec::subject("fast", f), slow = perfspec::subject("slow", g);
///     if (perfspec::evaluate(perfspec::speedup(slow, fast) > 1.2).failed) { … }
///
/// Subjects of claims on stored baselines need names. Repetitions in fresh processes need `init(argc, argv)` at program
/// start.
template <class... Options>
[[nodiscard(
    "perfspec: evaluate fails no test: read .failed of what it returns, or write PERF_CHECK(claim)")]] evaluation
evaluate(const detail::located_expression& claim_or_query, const Options&... options) {
    detail::require_options<Options...>();
    const option given[] = {option{}, options...};
    return detail::evaluate_expression(claim_or_query, given + 1, sizeof...(Options));
}

}  // namespace perfspec
