// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include "acted_subject.hpp"

#include <support/test.hpp>

#include <new>

using namespace perfspec::testing;
using perfspec::failure_kind;
using perfspec::measurement_failure;
using perfspec::sample;
using perfspec::take_sample;
using perfspec::warm_call;
using strings = std::vector<std::string>;

namespace {

/// Writes its readings into the log of a role.
class logging_clock final : public perfspec::clock {
public:
    explicit logging_clock(role& r) : role_(r) {}
    std::int64_t now() override {
        role_.log.emplace_back("now");
        return ++time_;
    }

private:
    role& role_;
    std::int64_t time_{};
};

template <class F> measurement_failure failure_of(F take) {
    try {
        take();
    } catch (const measurement_failure& f) { return f; }
    throw std::logic_error("nothing was thrown");
}

struct own_exception {
    int code;
};

}  // namespace

bool looks_finite(double x);  // fast_math/looks_finite.cpp

TEST_CASE("the -ffast-math of a project does not reach perfspec's bodies", "[measure][unit]") {
    CHECK_FALSE(looks_finite(std::numeric_limits<double>::infinity()));
    CHECK(looks_finite(1.0));
}

TEST_CASE("take_sample takes the time of work in another process from there", "[measure][unit]") {
    static std::vector<perfspec::detail::remote_reading> readings;
    readings.clear();
    static constexpr perfspec::body_functions elsewhere{
        .run = [](void*, std::uint64_t) {},
        .destroy = [](void*) noexcept {},
        .run_remotely = [](void*, std::uint64_t iterations, perfspec::detail::remote_reading what) -> std::int64_t {
            readings.push_back(what);
            return static_cast<std::int64_t>(iterations) * 7;
        }};
    perfspec::subject x("x", elsewhere, 1);
    x.constructed();
    x.state().remote = "the worker of models.py";
    scripted_clock wall({});  // no reading: a request to another process takes time, too
    CHECK(take_sample(x, 10, warm_call::no, wall) == sample{70, 10});
    perfspec::process_cpu_clock cpu;
    CHECK(take_sample(x, 10, warm_call::no, cpu) == sample{70, 10});
    using enum perfspec::detail::remote_reading;
    CHECK(readings == std::vector{wall_time, processor_time});
    perfspec::peak_memory_counter memory(perfspec::process_memory());
    CHECK(take_sample(x, 1, warm_call::no, memory).elapsed_ns == 7);
    CHECK(readings.back() == peak_memory);
}

TEST_CASE("take_sample does not count the work of another process here", "[measure][unit]") {
    static constexpr perfspec::body_functions elsewhere{
        .run = [](void*, std::uint64_t) {},
        .destroy = [](void*) noexcept {},
        .run_remotely = [](void*, std::uint64_t, perfspec::detail::remote_reading) -> std::int64_t { return 1; }};
    perfspec::subject x("x", elsewhere, 1);
    x.constructed();
    x.state().remote = "the worker of models.py";
    perfspec::counter& allocations = perfspec::process_counters().of({perfspec::detail::metrics::allocations});
    const auto failure = failure_of([&] { static_cast<void>(take_sample(x, 1, warm_call::no, allocations)); });
    CHECK(failure.kind == failure_kind::not_countable);
    CHECK(std::string(failure.what()) ==
          "\"x\" runs in the worker of models.py, but perfspec counts only in its own process");
}

TEST_CASE("take_sample divides the time by the iterations", "[measure][unit]") {
    scripted_clock clock({100us, 175us});
    const sample s = take_sample([] {}, 10, warm_call::no, clock);
    CHECK(s == sample{75'000, 10});
    CHECK(s.per_iteration() == 7500.0);
}

TEST_CASE("take_sample reads the clock around run and wait only", "[measure][unit]") {
    role r;
    logging_clock clock(r);
    const perfspec::subject x = acted("x", r, acting::device_body);
    (void)take_sample(x, 3, warm_call::no, clock);
    CHECK(r.log == strings{"prepare 3", "now", "run 3", "wait", "now", "discard"});
}

TEST_CASE("take_sample gives the warm call its own input, before the clock starts", "[measure][unit]") {
    role r;
    logging_clock clock(r);
    (void)take_sample(acted("x", r, acting::device_body), 3, warm_call::yes, clock);
    CHECK_RECORDED(r.log);
}

TEST_CASE("take_sample calls only the functions that a subject has", "[measure][unit]") {
    role r;
    logging_clock clock(r);
    (void)take_sample(acted("x", r), 3, warm_call::yes, clock);
    CHECK(r.log == strings{"run 1", "now", "run 3", "now"});
}

TEST_CASE("take_sample keeps setup out of the time", "[measure][unit]") {
    stepped_clock time;
    role r{.time = &time, .call = 7us, .make = 1ms, .drop = 3ms};
    CHECK(take_sample(acted("x", r, acting::body_with_setup), 4, warm_call::yes, time) == sample{28'000, 4});
}

TEST_CASE("take_positive_sample takes a sample again in which the clock did not advance", "[measure][unit]") {
    scripted_clock clock({5us, 5us, 6us, 6us, 7us, 9us});
    role r;
    CHECK(take_positive_sample(acted("sum", r), 2, warm_call::no, clock) == sample{2'000, 2});
}

TEST_CASE("take_sample passes a reading of zero on and take_positive_sample refuses three of them", "[measure][unit]") {
    scripted_clock clock({5us, 5us, 5us, 5us, 6us, 6us, 7us, 7us});
    role r;
    const perfspec::subject x = acted("sum", r);
    CHECK(take_sample(x, 2, warm_call::no, clock) == sample{0, 2});
    const measurement_failure f = failure_of([&] { (void)take_positive_sample(x, 2, warm_call::no, clock); });
    CHECK(f.kind == failure_kind::zero_duration);
    CHECK_RECORDED(f.what());
}

TEST_CASE("take_sample refuses a clock that goes backwards, and discards", "[measure][unit]") {
    scripted_clock clock({5us, 4us});
    role r;
    const measurement_failure f =
        failure_of([&] { (void)take_sample(acted("sum", r, acting::body_with_setup), 2, warm_call::no, clock); });
    CHECK(f.kind == failure_kind::clock_went_backwards);
    CHECK_RECORDED(f.what());
    CHECK(r.log == strings{"prepare 2", "run 2", "discard"});
}

TEST_CASE("take_sample names a body that throws and keeps its exception", "[measure][unit]") {
    scripted_clock clock({0us});
    const measurement_failure f = failure_of([&] {
        (void)take_sample(perfspec::subject("sum", [] { throw std::runtime_error("no data"); }), 1, warm_call::no,
                          clock);
    });
    CHECK(f.kind == failure_kind::body_threw);
    CHECK(f.what() == std::string("\"sum\" threw: no data"));
    CHECK_THROWS_AS(std::rethrow_exception(f.cause), std::runtime_error);
}

TEST_CASE("take_sample keeps exceptions of any type", "[measure][unit]") {
    scripted_clock clock({0us});
    const measurement_failure f =
        failure_of([&] { (void)take_sample([] { throw own_exception{7}; }, 1, warm_call::no, clock); });
    CHECK(f.what() == std::string("the body threw: an exception that is not a std::exception"));
    try {
        std::rethrow_exception(f.cause);
    } catch (const own_exception& e) { CHECK(e.code == 7); }
}

TEST_CASE("take_sample discards when prepare, run, or wait throws", "[measure][unit]") {
    const auto [step, kind, text, log] = GENERATE(table<const char*, failure_kind, const char*, strings>({
        {"prepare",
         failure_kind::setup_threw,
         "\"x\" threw while its input was prepared: cannot prepare",
         {"prepare 1", "discard"}},
        {"run", failure_kind::body_threw, "\"x\" threw: cannot run", {"prepare 1", "run 1", "discard"}},
        {"wait", failure_kind::body_threw, "\"x\" threw: cannot wait", {"prepare 1", "run 1", "wait", "discard"}},
    }));
    role x{.fails_in = step};
    scripted_clock clock({0us});
    const measurement_failure f =
        failure_of([&] { (void)take_sample(acted("x", x, acting::device_body), 1, warm_call::no, clock); });
    CHECK(f.kind == kind);
    CHECK(f.what() == std::string(text));
    CHECK_THROWS_AS(std::rethrow_exception(f.cause), std::runtime_error);
    CHECK(x.log == log);
}

TEST_CASE("take_sample distinguishes a lack of memory and a failed load step from other failures", "[measure][unit]") {
    struct row {
        void (*loads)();
        void (*runs)();
        failure_kind kind;
    };
    constexpr auto does_nothing = [] {};
    constexpr auto lacks_memory = [] { throw std::bad_alloc(); };
    constexpr auto fails = [] { throw std::runtime_error("there is not enough memory on the card's list"); };
    const auto r = GENERATE_COPY(values<row>({
        {does_nothing, lacks_memory, failure_kind::out_of_memory},
        {does_nothing, fails, failure_kind::body_threw},
        {lacks_memory, does_nothing, failure_kind::out_of_memory},
        {fails, does_nothing, failure_kind::load_threw},
    }));
    scripted_clock clock({0us});
    const perfspec::subject x = perfspec::subject("x", r.runs).load(r.loads);
    CHECK(failure_of([&] { (void)take_sample(x, 1, warm_call::no, clock); }).kind == r.kind);
}

TEST_CASE("take_sample does not take a failure of the clock for one of the body", "[measure][unit]") {
    scripted_clock empty({});
    role r;
    CHECK_THROWS_AS((void)take_sample(acted("x", r, acting::body_with_setup), 1, warm_call::no, empty),
                    std::logic_error);
    CHECK(r.log == strings{"prepare 1", "discard"});
}

TEST_CASE("take_sample never runs a subject that its adapter refused", "[measure][unit]") {
    scripted_clock clock({});
    role r;
    perfspec::subject x = acted("resnet", r, acting::device_body);
    x.refuse("the package was exported for 4 threads");
    const measurement_failure f = failure_of([&] { (void)take_sample(x, 1, warm_call::yes, clock); });
    CHECK(f.kind == failure_kind::refused);
    CHECK(f.what() == std::string("\"resnet\" cannot be measured: the package was exported for 4 threads"));
    CHECK(r.log.empty());
}

TEST_CASE("run_untimed takes the steps of a sample without a clock", "[measure][unit]") {
    role r;
    run_untimed(acted("x", r, acting::device_body), 5);
    CHECK(r.log == strings{"prepare 5", "run 5", "wait", "discard"});
}

TEST_CASE("take_value takes finite numbers from 0 up", "[measure][unit]") {
    CHECK(take_value(perfspec::subject("x", [] { return 0.0; })) == 0.0);
    CHECK(take_value(perfspec::subject("x", [] { return 40.5f; })) == 40.5);
    CHECK(take_value(perfspec::subject("x", [] { return 7; })) == 7.0);
    const double value =
        GENERATE(-1.0, -0.001, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    const measurement_failure f = failure_of([&] { (void)take_value(perfspec::subject("x", [&] { return value; })); });
    CHECK(f.kind == failure_kind::no_value);
    CHECK(std::string(f.what()).ends_with("the value of a metric must be finite and not negative"));
}
