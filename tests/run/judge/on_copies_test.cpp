// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Bodies that need longer for copies of their inputs than for those that were timed.
#include "../scripted_run.hpp"

#include <perfspec/language/subjects/subject_state.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace perfspec {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using Catch::Matchers::ContainsSubstring;

/// A body that takes `given` on its own inputs, and on copies one of `copied` after the other, of which the last one stays.
struct on_inputs {
    scripted_run* program;
    std::chrono::nanoseconds given;
    std::vector<std::chrono::nanoseconds> copied;
    bool on_copies{};
    std::size_t copies{};
    bool keeps_last{};  ///< its own inputs take `given` only if it ran on them last, else as long as a copy
    bool ran_on_given{};

    static void run(void* self, std::uint64_t n) {
        auto& x = *static_cast<on_inputs*>(self);
        for (; n != 0; --n) {
            const bool is_known = !x.on_copies && (x.ran_on_given || !x.keeps_last);
            x.program->work(is_known ? x.given : x.copied.at(std::min(std::max(x.copies, std::size_t{1}), x.copied.size()) - 1));
            x.ran_on_given = !x.on_copies;
        }
    }

    /// Runs the second on other inputs.
    static verification agree(void*, void* candidate) {
        static_cast<on_inputs*>(candidate)->ran_on_given = false;
        return {verification_code::pass, "equal", {}};
    }

    static std::shared_ptr<void> run_on_copies(void* self) {
        auto& x = *static_cast<on_inputs*>(self);
        x.on_copies = true;
        ++x.copies;
        return std::make_shared<int>(0);
    }

    static void run_on_given(void* self) { static_cast<on_inputs*>(self)->on_copies = false; }
};

subject model(on_inputs body, const char* name) {
    static constexpr body_functions functions{.run = on_inputs::run,
                                              .destroy = detail::destroy_body<on_inputs>,
                                              .same_output = on_inputs::agree,
                                              .same_output_as_timed = on_inputs::agree};
    subject x(name, functions, sizeof(on_inputs));
    ::new (x.storage()) on_inputs(std::move(body));
    x.constructed();
    x.state().run_on_copies = on_inputs::run_on_copies;
    x.state().run_on_given = on_inputs::run_on_given;
    return x;
}

const on_inputs& body_of(const subject& x) { return *static_cast<const on_inputs*>(x.storage()); }

}  // namespace

TEST_CASE("a body that needs longer for every copy of its inputs makes times invalid", "[run][unit]") {
    scripted_run program;
    const auto keeps = model({&program, 10us, {2ms}}, "keeps");
    const auto computes = model({&program, 2ms, {2ms}}, "computes");
    const char* const reason =
        "\"keeps\" takes 10.00 us for the inputs that were timed, and at least 2.000 ms for each of 10 copies of them: it knows inputs by "
        "their address, and keeps what it computed";
    const record alone = program.evaluate(latency(keeps) < 1ms);
    CHECK(alone.verdict == verdict::invalid);
    CHECK(alone.reason == reason);
    CHECK(alone.advice.at(0) == "compute in each call, or write .unverified() on a subject if returning what is kept is what you time");
    CHECK_FALSE(body_of(keeps).on_copies);
    const record ratio = program.evaluate(speedup(computes, keeps) > 2);
    CHECK(ratio.verdict == verdict::invalid);
    CHECK(ratio.reason == reason);
    CHECK(program.evaluate(cpu_time(keeps) < 1ms).verdict == verdict::invalid);
    CHECK(program.evaluate(p99(latency(keeps)) < 1ms).verdict == verdict::invalid);
}

TEST_CASE("a body that keeps what it computed last alone is found, also where it was compared on other inputs since", "[run][unit]") {
    scripted_run program;
    on_inputs body{&program, 10us, {2ms}};
    body.keeps_last = true;
    const auto keeps = model(std::move(body), "keeps");
    const auto computes = model({&program, 2ms, {2ms}}, "computes");
    const record r = program.evaluate(speedup(computes, keeps) > 2);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("\"keeps\" takes 10.00 us for the inputs that were timed"));
}

TEST_CASE("one copy that takes no more than half as long again is enough", "[run][unit]") {
    scripted_run program;
    const auto honest = model({&program, 1ms, {1ms}}, "honest");
    CHECK(program.evaluate(latency(honest) < 3ms).verdict == verdict::holds);
    CHECK(body_of(honest).copies == 1);
    const auto disturbed = model({&program, 1ms, {5ms, 2ms, 1501us, 1500us}}, "disturbed");
    CHECK(program.evaluate(latency(disturbed) < 3ms).verdict == verdict::holds);
    CHECK(body_of(disturbed).copies == 4);
}

TEST_CASE("a call that is slower because it is in no cache keeps nothing", "[run][unit]") {
    scripted_run program;
    CHECK(program.evaluate(latency(model({&program, 130ns, {2'130ns}}, "short")) < 1ms).verdict == verdict::holds);
    CHECK(program.evaluate(latency(model({&program, 130ns, {2'131ns}}, "keeps")) < 1ms).verdict == verdict::invalid);
}

TEST_CASE("copies are tried only where a time holds that was measured here", "[run][unit]") {
    scripted_run program;
    auto keeps = model({&program, 10us, {2ms}}, "keeps");
    CHECK(program.evaluate(latency(keeps) < 1us, {confirm(off)}).verdict == verdict::violated);
    CHECK(program.evaluate(latency(keeps.unverified()) < 1ms).verdict == verdict::holds);
    CHECK(body_of(keeps).copies == 0);
}

TEST_CASE("a body that throws on a copy runs on the given inputs afterwards", "[run][unit]") {
    scripted_run program;
    const auto throws = model({&program, 1ms, {}}, "throws");  // no time for a copy: at() throws
    CHECK_THAT(program.evaluate(latency(throws) < 3ms).reason, ContainsSubstring("\"throws\" threw"));
    CHECK_FALSE(body_of(throws).on_copies);
}

}  // namespace perfspec
