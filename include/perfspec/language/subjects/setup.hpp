// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {

/// A body with fresh inputs. It holds the inputs of one sample at a time, made before the clock starts and dropped
/// after it stops.
template <class Make, class F> struct body_with_setup {
    using input = std::decay_t<std::invoke_result_t<Make&>>;
    struct held {  // a vector<bool> of plain values would return no bool&
        input value;
    };
    Make make;
    F body;
    std::vector<held> inputs{};
    std::size_t taken{};

    static void prepare(void* self, std::uint64_t n) {
        auto& s = *static_cast<body_with_setup*>(self);
        s.inputs.clear();
        s.taken = 0;
        s.inputs.reserve(n);
        for (; n != 0; --n) { s.inputs.push_back(held{s.make()}); }
    }
    static void run(void* self, std::uint64_t n) {
        auto& s = *static_cast<body_with_setup*>(self);
        held* x = s.inputs.data() + s.taken;
        s.taken += n;
        for (; n != 0; --n, ++x) {
            if constexpr (std::is_void_v<decltype(s.body(x->value))>) {
                s.body(x->value);
                clobber();
            } else {
                keep(s.body(x->value));
            }
        }
    }
    static void discard(void* self) noexcept { static_cast<body_with_setup*>(self)->inputs.clear(); }
};

template <class Make, class F>
inline constexpr body_functions setup_body{.run = body_with_setup<Make, F>::run,
                                           .destroy = destroy_body<body_with_setup<Make, F>>,
                                           .prepare = body_with_setup<Make, F>::prepare,
                                           .discard = body_with_setup<Make, F>::discard};

}  // namespace detail

template <class Make, class F>
subject::subject(std::string_view name, setup_step<Make> step, F&& body)
    : subject(name, detail::setup_body<Make, std::decay_t<F>>, sizeof(detail::body_with_setup<Make, std::decay_t<F>>)) {
    using held = detail::body_with_setup<Make, std::decay_t<F>>;
    static_assert(std::invocable<std::decay_t<F>&, typename held::input&>,
                  "perfspec: a body after setup(make) takes what make returns, by reference: [](auto& input) { ... }");
    static_assert(alignof(held) <= alignof(std::max_align_t),
                  "perfspec: a subject's body may not be over-aligned: capture by reference");
    if constexpr (std::invocable<std::decay_t<F>&, typename held::input&>)
        detail::require_finished_result<std::invoke_result_t<std::decay_t<F>&, typename held::input&>>();
    ::new (storage()) held{std::move(step.make), std::forward<F>(body)};
    constructed();
}

}  // namespace perfspec
