// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The clock of a LibTorch subject's device_time: timers that hold its stream, or events around a run without timers.
#include "fake_device.hpp"
#include "fake_module.hpp"
#include "fake_random_numbers.hpp"
#include "fake_timers.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/ops/ones.h>

#include <support/evaluate_record.hpp>
#include <support/notes.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::evaluate;
using perfspec::record;
using perfspec::subject;
using perfspec::verdict;
using axes = std::vector<std::pair<std::string, std::string>>;

/// Puts a subject of LibTorch on a device, as if its tensors were there.
subject moved(subject made, const fake::device& device) {
    fake::random_numbers::install();
    perfspec::detail::torch_body& body = *perfspec::detail::torch_body_of(made);
    body.device = device.name();
    if (body.streams.count != 0) body.streams.device = device.name();
    made.state().device = device.name().str();
    settle_clock(made, body);
    return made;
}

/// A model that gives the current stream of the device work.
subject model_on(const fake::device& device, const char* name, double milliseconds = 1.5) {
    return moved(fake::named_model(name, at::ones({2}),
                                   [&device, milliseconds](const at::Tensor& x) {
                                       device.work(milliseconds);
                                       return x;
                                   }),
                 device);
}

/// The same, host-synchronized. A subject made from a moved model is on the processor again, like its tensors.
subject unheld_on(const fake::device& device, const char* name) {
    return moved(host_synchronized(model_on(device, name)), device);
}

subject work_on(const fake::device& device) {
    return on_device(subject("work", [&device] { device.work(0.5); }), device.name());
}

record timed(const subject& x) { return evaluate_record(device_time(x) < 1h); }

}  // namespace

TEST_CASE("device_time of a model is taken by the timers of its device, on the stream that is current",
          "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    const auto model = model_on(device, "model");
    CHECK(take_device_time(model) == 1.5e6);
    device.make_current(c10::StreamId{7});
    CHECK(take_device_time(model) == 1.5e6);
    REQUIRE(timers.samples.size() == 2);
    CHECK(timers.samples[0].stream == device.native_handle(0));
    CHECK(timers.samples[1].stream == device.native_handle(7));
    CHECK(timers.samples[0].name == "model");
    CHECK(timers.samples[0].is_held);
    CHECK_FALSE(timers.samples[0].waits_for_last);
    CHECK(device.time(0) == 3.0);  // a run that warms up, and the one that is timed
}

TEST_CASE("a timer finds the device of the subject current, and the body that of the program", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    const c10::Device other{c10::DeviceType::PrivateUse1, 1};
    std::vector<c10::Device> seen;
    const auto model = moved(fake::model(at::ones({2}),
                                         [&](const at::Tensor& x) {
                                             seen.push_back(device.current());
                                             device.work(1.0);
                                             return x;
                                         }),
                             device);
    device.make_current(other);
    static_cast<void>(take_device_time(model));
    CHECK(device.current() == other);
    CHECK(timers.samples.at(0).device == device.name());
    CHECK(seen == std::vector<c10::Device>{other, other});
    timers.before_sample = [] { throw std::runtime_error("no timer"); };
    CHECK_THROWS(take_device_time(model));
    CHECK(device.current() == other);
}

TEST_CASE("samples of a model wait for each device that has parameters of it", "[libtorch][unit]") {
    const fake::device device;
    const auto model = model_on(device, "model");
    static_cast<void>(device.take_log());
    model.state().functions->wait(model.storage());
    CHECK(device.take_log() == std::vector<std::string>{"wait"});
    perfspec::detail::torch_body_of(model)->also_on = std::vector{c10::Device{c10::DeviceType::PrivateUse1, 1}};
    model.state().functions->wait(model.storage());
    CHECK(device.take_log() == std::vector<std::string>{"wait", "wait"});
}

TEST_CASE("device_time of streams is one piece of work of the first stream, which waits for all", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    const auto slower_each = [&device](const at::Tensor& x) {
        device.work(static_cast<double>(device.current_stream()));
        return x;
    };
    const auto model =
        moved(streams(fake::model(at::ones({2}), slower_each), 3), device);  // on 1 to 3, with 1 ms to 3 ms
    CHECK(readings_of(model).timing == "hot");
    timers.before_sample = [&] {  // the first stream is late, as a held one is
        device.make_current(c10::StreamId{1});
        device.work(10.0);
        device.make_current(c10::StreamId{0});
    };
    CHECK(take_device_time(model) == 3e6);
    CHECK(timers.samples.back().stream == device.native_handle(1));
    timers.before_sample = [] {};
    const auto work = streams(on_device(subject("work", [&] { slower_each({}); }), device.name()), 2);  // on 4 and 5
    CHECK(readings_of(work).timing == "hot");
    CHECK(take_device_time(work) == 5e6);
    CHECK(timers.samples.back().stream == device.native_handle(4));
    CHECK(device.current_stream() == 0);
}

TEST_CASE("device_time of any body on a device is taken by its timers", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    CHECK(take_device_time(work_on(device)) == 0.5e6);
    REQUIRE(timers.samples.size() == 1);
    CHECK(timers.samples[0].name == "work");
    CHECK(take_device_time(host_synchronized(work_on(device))) == 0.5e6);
    CHECK_FALSE(timers.samples.at(1).is_held);
}

TEST_CASE("a body with an input for each run is timed by events, one run at a time", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    int runs = 0;
    const auto sorts = subject("sorts", perfspec::setup([] { return std::vector{1}; }), [&](std::vector<int>& input) {
        CHECK(std::exchange(input, {}).size() == 1);
        ++runs;
        device.work(1.5);
    });
    const auto x = on_device(sorts, device.name());
    CHECK(readings_of(x).timing == "with-gaps");
    CHECK(take_device_time(x) == 1.5e6);
    CHECK(runs == 1);
    CHECK(timers.samples.empty());
    CHECK(has_note(timed(x), "its setup(make) gives each run another input"));
}

TEST_CASE("a record and a key of a model's device_time say how it was taken, and others do not", "[libtorch][unit]") {
    const fake::device device;
    CHECK(timed(model_on(device, "alone")).axes == axes{{"timed", "with-gaps"}});
    fake::timers timers(device);
    const record held = timed(model_on(device, "held"));
    CHECK(held.axes == axes{{"timed", "hot"}});
    CHECK_THAT(held.key, ContainsSubstring("timed=hot"));
    const record unheld = timed(unheld_on(device, "unheld"));
    CHECK(unheld.axes == axes{{"timed", "hot-synchronized"}});
    CHECK_FALSE(timers.samples.back().is_held);
    CHECK(evaluate_record(latency(model_on(device, "latency")) < 1h).axes.empty());
    CHECK(readings_of(fake::model(at::ones({2}), [](const at::Tensor& x) { return x; })).timing.empty());
}

TEST_CASE("a claim on the time between two events says what that holds", "[libtorch][unit]") {
    const fake::device device;
    // Each name gets a note once.
    const std::string gaps =
        "\"with gaps\": its device_time is the time between two events around one run. It includes gaps between "
        "launches, and perfspec does not check for a slow clock or for work on other streams; perfspec cannot hold "
        "streams of this kind of device";
    CHECK(has_note(timed(model_on(device, "with gaps")), gaps));
    CHECK_FALSE(has_note(evaluate_record(latency(model_on(device, "only latency")) < 1h), "gaps between launches"));
    const fake::timers timers(device);
    CHECK_FALSE(has_note(timed(model_on(device, "without gaps")), "gaps between launches"));
    CHECK(has_note(timed(unheld_on(device, "not held")),
                   "\"not held\": its stream is not held, so its device_time includes the gaps between launches"));
}

TEST_CASE("a model on a CUDA device says what to link for the time of its work alone", "[libtorch][unit]") {
    perfspec::detail::device_clock clock;
    const auto model = fake::model(at::ones({2}), [](const at::Tensor& x) { return x; });
    clock.select_timers(model, c10::Device{c10::kCUDA, 0});
    CHECK(readings_of(model).timing == "with-gaps");
    CHECK(clock.caveat().empty());
    clock.has_timed = true;
    CHECK_RECORDED(clock.caveat());
    CHECK(clock.caveat().empty());
}

TEST_CASE("what a timer saw is reported with a model's result", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    const auto model = model_on(device, "seen");
    timers.caveat = "not every stream is seen";
    timers.slow = "3 of 40 samples ran below 75 %";
    const record r = timed(model);
    CHECK(r.verdict == verdict::holds);
    CHECK(has_note(r, "\"seen\": not every stream is seen"));
    CHECK(has_note(r, "\"seen\": 3 of 40 samples ran below 75 %"));
    CHECK_FALSE(has_note(evaluate_record(latency(model) < 1h), "not every stream"));
}

TEST_CASE("what a timer refuses makes a claim on a model an error", "[libtorch][unit]") {
    const fake::device device;
    fake::timers timers(device);
    timers.before_sample = [] {
        throw perfspec::measurement_failure(perfspec::failure_kind::refused, "it waits for the device");
    };
    const record r = timed(model_on(device, "model"));
    CHECK(r.verdict == verdict::error);
    CHECK(r.reason == "it waits for the device");
}

TEST_CASE("what a model throws while it is timed makes a claim on it an error", "[libtorch][unit]") {
    const fake::device device;
    const fake::timers timers(device);
    const auto model =
        moved(fake::named_model("model", at::ones({2}), [](const at::Tensor& x) { return x.view({3}); }), device);
    const record r = timed(model);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("shape '[3]' is invalid for input of size 2") && !ContainsSubstring("\n"));
}

TEST_CASE("claims do not compare a model's held time with one that has gaps in it", "[libtorch][unit]") {
    const fake::device device;
    const auto alone = model_on(device, "alone");
    const fake::timers timers(device);
    const auto held = model_on(device, "held");
    const auto unheld = unheld_on(device, "unheld");
    CHECK_RECORDED(evaluate_record(speedup(device_time(unheld), device_time(held)) > 0.5).reason);
    CHECK(evaluate_record(speedup(device_time(alone), device_time(held)) > 0.5).verdict == verdict::error);
    CHECK(evaluate_record(speedup(device_time(unheld), device_time(unheld_on(device, "other"))) > 0.5).verdict ==
          verdict::holds);
    CHECK(evaluate_record(device_time(moved(streams(held, 2), device)) < 10.0 * device_time(held)).axes ==
          axes{{"streams", "2"}, {"timed", "hot"}});
}

TEST_CASE("a subject that is made from a host-synchronized one is so, too", "[libtorch][unit]") {
    const fake::device device;
    const fake::timers timers(device);
    const auto model = unheld_on(device, "model");
    CHECK(readings_of(moved(streams(model, 2), device)).timing == "hot-synchronized");
    CHECK_RECORDED(readings_of(moved(host_synchronized(streams(model_on(device, "model"), 2)), device)).timing);
    CHECK(readings_of(moved(configured(model, {.threads = 1}), device)).timing == "hot-synchronized");
    const auto work = host_synchronized(work_on(device));
    CHECK(work.state().axes == axes{{"device", "privateuseone:0"}});
    CHECK(work.state().device == "privateuseone:0");
    CHECK(readings_of(work).timing == "hot-synchronized");
    CHECK(readings_of(streams(work, 2)).timing == "hot-synchronized");
}

TEST_CASE("host_synchronized is of LibTorch's subjects, and of others that wait for a device", "[libtorch][unit]") {
    CHECK_THROWS_RECORDED(perfspec::input_error, host_synchronized(subject("work", [] {})));
    const fake::device device;
    CHECK_THROWS_AS(host_synchronized(streams(work_on(device), 2)), perfspec::input_error);
    const auto here = host_synchronized(fake::model(at::ones({2}), [](const at::Tensor& x) { return x; }));
    const record found = evaluate_record(latency(here) < 1h);
    INFO(found.reason);
    CHECK(found.verdict == verdict::holds);
    CHECK(evaluate_record(device_time(here) < 1h).verdict == verdict::skipped);
}

TEST_CASE("a subject that a run moves to another device is timed as one of that device", "[libtorch][unit]") {
    const fake::device device;
    const fake::timers timers(device);
    const auto there = model_on(device, "model");
    CHECK(readings_of(there).timing == "hot");
    CHECK(there.state().functions->take_settings(there, {.device = "cpu"}).empty());
    CHECK(readings_of(there).timing.empty());
}

TEST_CASE("a package of AOTInductor waits for its last run", "[libtorch][unit]") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    const auto package = perfspec::aot_inductor("inductor", PERFSPEC_TOY_FOLDER "/libtorch_toy.pt2", at::ones({1, 8}));
    CHECK(perfspec::detail::torch_body_of(package)->clock.waits_for_last);
    CHECK_FALSE(perfspec::detail::torch_body_of(fake::model(at::ones({2}), [](const at::Tensor& x) {
                    return x;
                }))->clock.waits_for_last);
}
