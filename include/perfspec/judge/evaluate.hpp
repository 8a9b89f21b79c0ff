// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/report/evaluation.hpp>
#include <perfspec/session/host.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace perfspec::inline v0_2 {

namespace detail {

template <class... Options> consteval void require_options() {
    static_assert((std::is_same_v<Options, option> && ...),
                  "perfspec: after the claim come options, such as budget(10s), margin(1_pct), confirm::off");
}

}  // namespace detail

/// One expansion of an assertion macro. The macro adds the text, the place, the build kind and the early exit; this
/// class does the rest.
class assertion {
public:
    explicit assertion(const site& where) noexcept : site_(&where) {}

    template <class... Options> void judge(const claim& c, const Options&... options) {
        detail::require_options<Options...>();
        const option padded[] = {option{}, options...};
        evaluate(c, padded + 1, sizeof...(Options));
    }
    template <dimension D, statistic S, class... Options> void judge(const query<D, S>&, const Options&...) {
        static_assert(
            detail::never<query<D, S>>,
            "perfspec: a query needs a bound: write PERF_CHECK(latency(x) < 3ms), or PERF_MEASURE(latency(x))");
    }
    template <class... Options> void judge(bool, const Options&...) {
        static_assert(
            sizeof...(Options) < 0,
            "perfspec: this is a bool, not a claim on a measured query: write CHECK(...), or compare latency(x), speedup(a, b)");
    }
    template <class T, class... Options>
    requires(!std::convertible_to<const T&, bool> && !detail::Expression<T>) void judge(const T&, const Options&...) {
        static_assert(
            sizeof...(Options) < 0,
            "perfspec: a claim comes first, options after it: write PERF_CHECK(latency(x) < 3ms, budget(10s))");
    }
    template <class... Options> void judge() {
        static_assert(sizeof...(Options) > 0, "perfspec: there is no claim: write PERF_CHECK(latency(x) < 3ms)");
    }

    template <dimension D, statistic S, class... Options>
    void measure(const query<D, S>& q, const Options&... options) {
        detail::require_options<Options...>();
        const option padded[] = {option{}, options...};
        evaluate(q, padded + 1, sizeof...(Options));
    }
    template <class... Options> void measure(const claim&, const Options&...) {
        static_assert(
            sizeof...(Options) < 0,
            "perfspec: PERF_MEASURE takes a query without a bound; to judge a claim, write PERF_CHECK or PERF_WARN");
    }
    template <class T, class... Options>
    requires(!detail::Expression<T>) void measure(const T&, const Options&...) {
        static_assert(sizeof...(Options) < 0,
                      "perfspec: a query comes first, options after it: write PERF_MEASURE(latency(x), budget(10s))");
    }
    template <class... Options> void measure() {
        static_assert(sizeof...(Options) > 0, "perfspec: there is no query: write PERF_MEASURE(latency(x))");
    }

    /// Called inside catch (...). Reports an exception from building the claim to the host, or rethrows it if it is the
    /// host's own.
    void threw();

private:
    void evaluate(const detail::expression& claim_or_query, const option* options, std::size_t count);

    const site* site_;
};

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

    template <Expression E>
    located_expression(const E& e,
                       build_kind b = PERFSPEC_DETAIL_BUILD_KIND,  // NOLINT(google-explicit-constructor)
                       const char* f = __builtin_FILE(), int l = __builtin_LINE(),
                       const char* file_flags = flags_of_this_file, compiler_version c = compiler_of_this_file)
        : tree(&e), effect(std::derived_from<E, claim> ? effect::check : effect::measure), build(b), file(f), line(l),
          flags(file_flags), compiler(c) {}
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

/// Judges a claim, or measures a query, and returns the result without reporting it. Works with any test framework, or
/// without one.
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
    const option padded[] = {option{}, options...};
    return detail::evaluate_expression(claim_or_query, padded + 1, sizeof...(Options));
}

}  // namespace perfspec::inline v0_2
