// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

class clock;
class subject;
struct requested_settings;

/// Untimed preparation of one input per iteration: `subject("sort", setup(make), sort)`.
template <class Make> struct setup_step { Make make; };

inline namespace language {

/// Gives each iteration a fresh input, `make()`, outside the time. The body takes it by reference and may consume it.
template <class Make> [[nodiscard]] constexpr setup_step<std::decay_t<Make>> setup(Make&& make) {
    return {std::forward<Make>(make)};
}

}  // namespace language

namespace detail {

/// Whether two bodies of one type do the same. `own`: never, because they have captures. `type`: always. `function`: if
/// they point at the same function.
enum class body_identity : std::uint8_t { own, type, function };

enum class remote_reading : std::uint8_t;  // of clock.hpp

}  // namespace detail

/// The functions that perfspec calls on a type-erased body. All take the address of the stored object. A null function
/// is not called. The steps of a sample: prepare(n) untimed · clock · run(n), then wait() · clock · discard() untimed.
/// Each may throw. `identity`, and the ones after `value`, are for perfspec's own adapters: they may change.
struct body_functions {
    void (*run)(void* self, std::uint64_t iterations){};      ///< the work, `iterations` times
    void (*destroy)(void* self) noexcept {};                  ///< destructor of the stored object
    void (*prepare)(void* self, std::uint64_t iterations){};  ///< makes the inputs of the next run
    void (*discard)(void* self) noexcept {};                  ///< drops inputs and results of the last run
    void (*wait)(void* self){};  ///< returns after the work of run is done (devices, streams)
    verification (*same_output)(
        void* reference, void* candidate){};  ///< compares outputs; subjects with the same function are comparable
    detail::body_identity identity{detail::body_identity::own};
    /// Runs one iteration and returns whether the compiler knew its result. Null: no result, or unknown.
    bool (*has_known_result)(void* self){};
    double (*value)(void* self){};  ///< runs one iteration and returns its value, for users' own metrics
    /// Applies the settings that a run requests. Returns why it cannot; empty if it can. Null: the subject has no
    /// settings. Called before each claim, so a second call with the same settings must change nothing.
    std::string (*take_settings)(const subject& x, const requested_settings& requested){};
    /// For work in another process: runs it `iterations` times there, and returns the reading of that process, in
    /// nanoseconds or bytes. perfspec then reads no clock itself, because requests take time. Null: the work is in this
    /// process.
    std::int64_t (*run_remotely)(void* self, std::uint64_t iterations, detail::remote_reading what){};
    /// Limits the time of a search in the body, for the next claim. Null: the body does not search.
    void (*limit_search)(void* self, clock& wall, std::int64_t longest_ns){};
};

namespace detail {
struct subject_state;

/// Aligned, because a loop of one cycle takes two if it crosses a line of the instruction cache. So equal bodies have
/// equal places within a line in each build.
template <class F> [[gnu::aligned(64)]] void run_body(void* self, std::uint64_t n) {
    F& body = *static_cast<F*>(self);
    for (; n != 0; --n) {
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            clobber_memory();
        } else {
            do_not_optimize(body());
        }
    }
}

template <class F> double value_of_body(void* self) { return static_cast<double>((*static_cast<F*>(self))()); }

/// The optimizer knows after it inlines the body, as into the loop of run_body.
template <class F> bool has_known_result(void* self) {
    const auto result = (*static_cast<F*>(self))();
    return __builtin_constant_p(result);
}

template <class F> consteval auto known_result_function() -> bool (*)(void*) {
    if constexpr (std::invocable<F&>) {
        if constexpr (std::is_scalar_v<std::invoke_result_t<F&>>) return has_known_result<F>;
    }
    return nullptr;
}

template <class F> consteval auto value_function() -> double (*)(void*) {
    if constexpr (std::invocable<F&>) {  // otherwise the constructor's error explains bodies
        if constexpr (std::is_arithmetic_v<std::invoke_result_t<F&>>) return value_of_body<F>;
    }
    return nullptr;
}

template <class F> void destroy_body(void* self) noexcept { static_cast<F*>(self)->~F(); }

template <class F>
inline constexpr body_functions plain_body{.run = run_body<F>,
                                           .destroy = destroy_body<F>,
                                           .identity = std::is_pointer_v<F> ? body_identity::function
                                                       : std::is_empty_v<F> ? body_identity::type
                                                                            : body_identity::own,
                                           .has_known_result = known_result_function<F>(),
                                           .value = value_function<F>()};

template <class T, class D = std::decay_t<T>>
concept Callable = !std::is_same_v<D, subject> && std::invocable<D&>;

template <class T>
concept Subject = std::derived_from<std::decay_t<T>, subject>;

/// A callable that needs arguments. Generic lambdas are not recognized.
template <class D>
concept WantsArguments = std::is_function_v<std::remove_pointer_t<D>> || std::is_member_pointer_v<D> || requires {
    &D::operator();
};

/// Types that are probably a mistaken body. Others are not: a program may have its own functions with the names of
/// queries, for text or classes.
template <class F>
inline constexpr bool never_a_body =
    Expression<F> || WantsArguments<std::decay_t<F>> || std::is_arithmetic_v<std::remove_cvref_t<F>>;

/// Fails to compile, with a sentence that says what to write instead.
template <class F> consteval void explain_no_body() {
    if constexpr (Expression<F>) {
        static_assert(never<F>, "perfspec: a query takes a subject, not another query: write latency(x)");
    } else if constexpr (WantsArguments<std::decay_t<F>>) {
        static_assert(never<F>,
                      "perfspec: a subject's body takes no arguments: capture them: latency([&] { return f(x); })");
    } else {
        static_assert(
            never<F>,
            "perfspec: this is a value, not something to run: write latency([&] { return f(x); }) instead of latency(f(x))");
    }
}

}  // namespace detail

/// What perfspec runs and measures: a name, an optional untimed setup, a body.
///
/// A subject is a handle: copies name the same body, and modifiers change it for all of them. Any callable without
/// parameters converts to an unnamed subject; its name is then the place of the assertion, "sort_test.cpp:42".
///
///     auto sort1m = perfspec::subject("sort 1M", [&] { return sorted(input); }).items(1'000'000);
///
/// A returned value is kept from the optimizer. A body that throws makes the claim an *error*, with the exception's
/// text.
///
/// For adapters: `subject(name, functions, size)` reserves `size` bytes, in which `construct<Body>(…)` makes your
/// object. `refuse(reason)` makes every claim on the subject an *error* without running it. If two subjects have
/// the same `same_output` function, `speedup` verifies their outputs before it measures, unless one of them is
/// `unverified()`.
class subject {
public:
    template <detail::Callable F>
    subject(F&& body)  // NOLINT(google-explicit-constructor): latency([&] { work(); }) is the shortest useful sentence
        : subject(std::string_view{}, std::forward<F>(body)) {}

    template <class F>
    requires(!detail::Callable<F> && !detail::Subject<F> && detail::never_a_body<F>) subject(F&&)
        : state_(nullptr) {  // NOLINT(google-explicit-constructor): explains latency(f(x)) and latency([](int n) { … })
        detail::explain_no_body<F>();
    }

    template <class F>
    subject(std::string_view name, F&& body)
        : subject(name, detail::plain_body<std::decay_t<F>>, sizeof(std::decay_t<F>)) {
        using body_type = std::decay_t<F>;
        static_assert(
            std::invocable<body_type&>,
            "perfspec: a subject's body takes no arguments: capture them, or write subject(name, setup(make), body)");
        static_assert(alignof(body_type) <= alignof(std::max_align_t),
                      "perfspec: a subject's body may not be over-aligned: capture by reference");
        if constexpr (std::invocable<body_type&>) detail::require_finished_result<std::invoke_result_t<body_type&>>();
        ::new (storage()) body_type(std::forward<F>(body));
        constructed();
    }

    /// Fresh, untimed input for each iteration. Defined below.
    template <class Make, class F> subject(std::string_view name, setup_step<Make> step, F&& body);

    template <class Make, class F>
    requires(!std::is_same_v<std::decay_t<Make>, body_functions>) subject(std::string_view, Make&&, F&&)
        : state_(nullptr) {
        static_assert(detail::never<Make>,
                      "perfspec: untimed preparation is marked: write subject(name, setup(make), body)");
    }
    /// For adapters. The caller then makes the object of `size` bytes (aligned as `std::max_align_t`) by `construct`.
    subject(std::string_view name, const body_functions& functions, std::size_t size);

    subject(const subject& other) noexcept;
    subject& operator=(const subject& other) noexcept;
    ~subject();

    /// Declares the work of one iteration, for `throughput`.
    subject& items(double n) &;
    subject& bytes(double n) &;
    subject& bytes(quantity<dimension::bytes> n) & { return bytes(n.value); }
    subject& flops(double n) &;
    // These return a new handle, so `const auto& x = subject(…).items(3)` does not refer to a destroyed one.
    [[nodiscard]] subject items(double n) && { return items(n); }
    [[nodiscard]] subject bytes(double n) && { return bytes(n); }
    [[nodiscard]] subject bytes(quantity<dimension::bytes> n) && { return bytes(n); }
    [[nodiscard]] subject flops(double n) && { return flops(n); }

    /// Adds `name=value` to the key of every query on this subject, so that each point of a sweep has its own key.
    subject& axis(std::string_view name, std::string_view value) &;
    subject& axis(std::string_view name, long long value) &;
    /// Convert it to text: std::to_string(0.5).
    template <std::floating_point Value> subject& axis(std::string_view name, Value) & = delete;
    template <class Value> [[nodiscard]] subject axis(std::string_view name, const Value& value) && {
        return axis(name, value);
    }

    /// Declares a step that the body needs, such as reading a model. `load_time` and `cold_start` measure it. It is
    /// called once in a process, before the body first runs.
    template <class F> subject& load(F&& step) & {
        static_assert(std::invocable<std::decay_t<F>&>, "perfspec: load(step) takes a callable without arguments");
        return load(
            new std::decay_t<F>(std::forward<F>(step)),
            [](void* self) { static_cast<void>((*static_cast<std::decay_t<F>*>(self))()); },
            [](void* self) noexcept { delete static_cast<std::decay_t<F>*>(self); });
    }
    template <class F> [[nodiscard]] subject load(F&& step) && { return load(std::forward<F>(step)); }

    /// The same body with its work on a stream of a device; for CUDA in `<perfspec/cuda.hpp>`.
    template <class Stream> [[nodiscard]] auto on(Stream stream) const {
        static_assert(
            requires { on_stream(*this, stream); },
            "perfspec: on(stream) takes a cudaStream_t, with #include <perfspec/cuda.hpp>");
        return on_stream(*this, stream);
    }

    /// Skips the comparison of outputs before a `speedup`.
    subject& unverified() &;
    [[nodiscard]] subject unverified() && { return unverified(); }

    /// Skips the check for bodies that the compiler removed, for claims that something costs nothing:
    ///
    ///     auto disabled = perfspec::subject("disabled log", [&] { LOG_DEBUG("{}", i++); }).may_be_optimized_away();
    ///     PERF_CHECK(latency(disabled) < 5ns);
    subject& may_be_optimized_away() &;
    [[nodiscard]] subject may_be_optimized_away() && { return may_be_optimized_away(); }

    /// For adapters: makes every claim on this subject an *error* for this reason. Its body is never run.
    void refuse(std::string_view reason);
    /// For adapters: this machine or build lacks something that the body needs. Every claim on this subject is
    /// *skipped* for this reason. Its body is never run.
    void lacks(std::string_view what);
    /// For adapters: makes the stored object, once. The subject destroys it in the end.
    template <class Body, class... Arguments> Body& construct(Arguments&&... arguments) {
        Body* const made = ::new (storage()) Body{std::forward<Arguments>(arguments)...};
        constructed();
        return *made;
    }
    /// For `construct`: the address of the stored object, and a mark that it exists.
    [[nodiscard]] void* storage() const noexcept;
    void constructed() noexcept;

    /// Empty for a bare callable.
    [[nodiscard]] std::string_view name() const noexcept;

    [[nodiscard]] detail::subject_state& state() const noexcept { return *state_; }

private:
    subject& load(void* step, void (*run)(void*), void (*destroy)(void*) noexcept);

    detail::subject_state* state_;
};

namespace detail {

/// A body with fresh inputs. It makes the inputs of one sample before the clock starts, and drops them after it stops.
template <class Make, class F> struct body_with_setup {
    using input = std::decay_t<std::invoke_result_t<Make&>>;
    struct held {  // a vector<bool> has no bool&
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
    [[gnu::aligned(64)]] static void run(void* self, std::uint64_t n) {
        auto& s = *static_cast<body_with_setup*>(self);
        held* x = s.inputs.data() + s.taken;
        s.taken += n;
        for (; n != 0; --n, ++x) {
            if constexpr (std::is_void_v<decltype(s.body(x->value))>) {
                s.body(x->value);
                clobber_memory();
            } else {
                do_not_optimize(s.body(x->value));
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

}  // namespace perfspec::inline v0_2
