// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

/// The complexity over these sizes. Calls `make_subject` with `maker` and each size.
[[nodiscard]] query<dimension::power> complexity_over(std::span<const std::size_t> sizes,
                                                      subject (*make_subject)(const void* maker, std::size_t size),
                                                      const void* maker);

template <class Make, class Body> struct growing {
    Make make;
    Body body;

    static subject at(const void* maker, std::size_t size) {
        const auto& self = *static_cast<const growing*>(maker);
        return {std::string_view{}, setup_step<decltype(sized(self.make, size))>{sized(self.make, size)}, self.body};
    }

private:
    static auto sized(const Make& make, std::size_t size) {
        return [make, size]() mutable { return make(size); };
    }
};

}  // namespace detail

inline namespace language {

/// Powers of n, for `complexity`: `order::power(1)` is linear, `order::power(2)` quadratic.
struct order {
    [[nodiscard]] static constexpr quantity<dimension::power> power(double exponent) noexcept { return {exponent}; }
};

/// The power of n in which the time of a body grows with the size of its input, fitted over sizes. Each iteration gets
/// a fresh, untimed input `make(n)`.
///
/// sizes  at least three different sizes, from 1 up; the largest is at least eight times the smallest. Five are good.
/// A claim detects a wrong power, but not a factor log n: for that it has a tolerance of 0.15. From 1,000 to 64,000, n
/// log n uses 0.11 of it, and less from larger sizes on.
///
/// Against a baseline there is only the claim's own tolerance. Each process measures one power.
///
///     PERF_CHECK(complexity(setup(text_of_length), count_words, {1000, 4000, 16000, 64000}) <= order::power(1));
///     PERF_CHECK(complexity(setup(text_of_length), count_words, sizes) <= baseline() + order::power(0.1));
template <class Make, class Body>
[[nodiscard]] query<dimension::power> complexity(setup_step<Make> step, Body&& body,
                                                 std::span<const std::size_t> sizes) {
    static_assert(std::invocable<Make&, std::size_t>,
                  "perfspec: complexity makes an input for each size: setup([](std::size_t n) { ... })");
    const detail::growing<Make, std::decay_t<Body>> from{std::move(step.make), std::forward<Body>(body)};
    return detail::complexity_over(sizes, from.at, &from);
}
template <class Make, class Body>
[[nodiscard]] query<dimension::power> complexity(setup_step<Make> step, Body&& body,
                                                 std::initializer_list<std::size_t> sizes) {
    return complexity(std::move(step), std::forward<Body>(body),
                      std::span<const std::size_t>(sizes.begin(), sizes.size()));
}

}  // namespace language
}  // namespace perfspec::inline v0_2
