// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A GPU whose clock changes while it is measured.
#include "gpu_program.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/notes.hpp>
#include <support/scripted_gpus.hpp>
#include <support/scripted_nvml.hpp>

namespace perfspec::testing {
namespace {

/// A machine with a kernel of 100 us, and a GPU clock that the test sets.
struct throttling_machine : simulated_machine {
    double share = 1.0;
    cuda_work x = launching(gpu, "x", {.cold = 100us}).hot();

    throttling_machine() {
        gpu.clock_share = [this](std::int64_t) { return share; };
        static_cast<void>(take_device_time(x));  // makes what it needs
        static_cast<void>(discarded());
    }

    std::string discarded() { return x.state().report_slow_samples(x.storage()); }
    std::string fault() {
        try {
            static_cast<void>(take_device_time(x));
            return {};
        } catch (const measurement_failure& failed) { return failed.what(); }
    }
};

/// A program on a GPU that heat slows down, by NVML's reasons.
struct hot_program : gpu_program {
    hot_program() : machine(scripted_gpus::driver(), scripted_nvml::library()) {
        devices = &machine;
        nvml.gpu().reasons = 0x20;
        nvml.gpu().sm_mhz = 1320;
    }

    scripted_gpus driver;
    scripted_nvml nvml;
    gpu_machine machine;
};

}  // namespace

TEST_CASE("a sample counts from 75 % of the default clock on", "[cuda][unit]") {
    throttling_machine m;
    m.share = 0.76;
    CHECK(std::abs(take_device_time(m.x) - 131'579.0) <= 500.0);  // a tick of the events
    CHECK(m.discarded().empty());
    m.share = 0.74;
    CHECK_RECORDED(m.fault());
}

TEST_CASE("samples count at the clock that `perfspec doctor` advises", "[cuda][unit]") {
    throttling_machine m;
    m.share = 1650.0 / 1980.0;  // as its tests have it
    for (int i = 0; i < 30; ++i) CHECK(take_device_time(m.x) == 120'000.0);
    CHECK(m.discarded().empty());
}

TEST_CASE("throttled samples are discarded, and a note says how many", "[cuda][unit]") {
    throttling_machine m;
    for (int i = 0; i < 9; ++i) CHECK(take_device_time(m.x) == 100'000.0);
    // Throttled for the next millisecond: a sample takes some 0.4 ms there.
    const std::int64_t until = m.processor.now() + 1'000'000;
    m.gpu.clock_share = [until](std::int64_t at) { return at < until ? 0.5 : 1.0; };
    for (int i = 0; i < 9; ++i) CHECK(take_device_time(m.x) <= 100'500.0);
    CHECK_RECORDED(m.discarded());
    CHECK(m.gpu.rests.empty());
    CHECK(m.discarded().empty());  // it counts anew
}

TEST_CASE("a device rests after ten throttled samples in a row", "[cuda][unit]") {
    throttling_machine m;
    m.gpu.clock_share = [&](std::int64_t) { return m.gpu.rests.empty() ? 0.5 : 1.0; };
    CHECK(take_device_time(m.x) == 100'000.0);
    CHECK(m.gpu.rests == std::vector<simulated_gpu::ns>{500ms});
    CHECK_RECORDED(m.discarded());
}

TEST_CASE("a device that is throttled most of the time is an error", "[cuda][unit]") {
    throttling_machine m;
    // Nine samples count, and then none does: eleven of twenty are more than half.
    for (int i = 0; i < 9; ++i) CHECK(take_device_time(m.x) == 100'000.0);
    m.share = 0.5;
    CHECK_THAT(m.fault(), ContainsSubstring("throttled: 11 of 20 samples"));
    static_cast<void>(m.discarded());
    m.share = 1.0;
    for (int i = 0; i < 30; ++i) CHECK(take_device_time(m.x) == 100'000.0);
    m.share = 0.5;
    CHECK_THAT(m.fault(), ContainsSubstring("throttled: 31 of 61 samples"));
}

TEST_CASE("a device that was idle works until its clock is high, and no sample is discarded for that", "[cuda][unit]") {
    simulated_machine m;
    const auto x = launching(m.gpu, "x", {.cold = 100us}).hot();
    const auto discarded = [&] { return x.state().report_slow_samples(x.storage()); };
    m.gpu.clock_share = [](std::int64_t at) { return std::min(1.0, 0.2 + static_cast<double>(at) / 50e6); };
    for (int i = 0; i < 9; ++i) CHECK(take_device_time(x) == 100'000.0);
    CHECK(m.gpu.rests.empty());
    CHECK(discarded().empty());
}

TEST_CASE("a device that idles between two samples works until its clock is high again", "[cuda][unit]") {
    simulated_machine m;
    std::int64_t worked_at = 0;
    double share = 0.2;
    m.gpu.clock_share =
        [&](std::int64_t at) {  // it falls in a tenth of a second without work, and rises in some 20 ms of it
            const auto pause = static_cast<double>(std::max(at - worked_at, std::int64_t{0}));
            worked_at = std::max(at, worked_at);
            return share = pause > 100e6 ? 0.2 : std::min(1.0, share + pause / 20e6);
        };
    const auto x = launching(m.gpu, "x", {.cold = 100us}).hot();
    for (int i = 0; i < 3; ++i) {
        m.processor.advance(10s);
        for (int k = 0; k < 9; ++k) CHECK(take_device_time(x) == 100'000.0);
    }
    CHECK(m.gpu.rests.empty());
    CHECK(x.state().report_slow_samples(x.storage()).empty());
}

TEST_CASE("a device whose clock stays low is kept busy for a second before each ten samples at most", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.clock_share = [](std::int64_t) { return 0.5; };
    const auto x = launching(m.gpu, "x", {.cold = 100us}).slowest_clock(75_pct);
    CHECK_THROWS_AS(take_device_time(x), measurement_failure);
    CHECK(m.gpu.rests.size() == 2);
    CHECK(m.processor.now() < 3'000'000'000);
}

TEST_CASE("a device without memory for it is measured as it is", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.memory_bytes = 1;
    CHECK(take_device_time(launching(m.gpu, "x", {.cold = 100us}).hot()) == 100'000.0);
}

TEST_CASE("a sample whose clock was not read counts, and a note says so", "[cuda][unit]") {
    throttling_machine m;
    const auto caveat = [&] { return m.x.state().caveat(m.x.storage()); };
    CHECK(take_device_time(m.x) == 100'000.0);
    CHECK(caveat().empty());
    m.gpu.unread_stamps = 1;
    CHECK(take_device_time(m.x) == 100'000.0);
    CHECK_THAT(caveat(), ContainsSubstring("its clocks were not read, or did not advance"));
    CHECK(take_device_time(m.x) == 100'000.0);
    CHECK(caveat().empty());
    m.share = 0.5;
    CHECK_THAT(m.fault(), ContainsSubstring("throttled"));
}

TEST_CASE("the slowest clock that counts can be said", "[cuda][unit]") {
    throttling_machine m;
    m.share = 0.5;
    m.x.slowest_clock(50_pct);
    CHECK(take_device_time(m.x) == 200'000.0);
    m.x.slowest_clock(51_pct);
    CHECK_THAT(m.fault(), ContainsSubstring("below 51 %"));
    m.x.slowest_clock(pct(0));
    CHECK(take_device_time(m.x) == 200'000.0);
    CHECK(m.x.state().error_reason.empty());
    m.x.slowest_clock(101_pct);
    CHECK_THAT(m.x.state().error_reason, ContainsSubstring("from 0 % to 100 %: .slowest_clock(75_pct)"));
}

TEST_CASE("the clock is read outside the events", "[cuda][unit]") {
    simulated_machine m;
    m.gpu.launch_cost = 1us;
    CHECK(take_device_time(launching(m.gpu, "short", {.cold = 50us}).host_synchronized().hot()) == 55'000.0);
}

TEST_CASE("a claim says that samples may be throttled where nothing reads the clock", "[cuda][unit]") {
    gpu_program p;
    p.gpu.clock_error = cudaErrorNotSupported;
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    const record r = p.evaluate(device_time(x) < 1s);
    CHECK(r.verdict == verdict::holds);
    CHECK(has_note(r, "the clock of the GPU is unknown, so samples may be throttled: cudaErrorNotSupported"));
}

TEST_CASE("a claim on a throttled device is an error, and one on a cool device is not", "[cuda][unit]") {
    gpu_program p;
    double share = 0.5;
    p.gpu.clock_share = [&](std::int64_t) { return share; };
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    const record r = p.evaluate(device_time(x) < 150us);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("throttled: 20 of 20 samples"));
    share = 1.0;
    const record cool = p.evaluate(device_time(x) < 150us);
    INFO(cool.reason);
    CHECK(cool.verdict == verdict::holds);
}

TEST_CASE("samples that are discarded are noted beside the heat that NVML sees", "[cuda][unit]") {
    hot_program p;
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    p.gpu.clock_share = [&](std::int64_t) { return p.gpu.rests.empty() ? 0.5 : 1.0; };
    const record r = p.evaluate(device_time(x) < 150us);
    CHECK(r.verdict == verdict::holds);
    REQUIRE(r.notes.size() == 2);
    CHECK_RECORDED(r.notes[0]);
    CHECK_RECORDED(r.notes[1]);
}

TEST_CASE("a claim that is an error for its throttled samples notes what slowed the GPU down", "[cuda][unit]") {
    hot_program p;
    const auto x = launching(p.gpu, "x", {.cold = 100us});
    p.gpu.clock_share = [](std::int64_t) { return 0.5; };
    const record r = p.evaluate(device_time(x) < 150us);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("throttled: 20 of 20 samples"));
    CHECK(has_note(r, "cuda:0 slowed down by heat, 1320 of 1980 MHz, 41 degrees, 120 of 700 W"));
    CHECK_FALSE(has_note(r, "discarded"));
    const record later = p.evaluate(device_time(launching(p.gpu, "y", {.cold = 100us}).slowest_clock(50_pct)) < 250us);
    CHECK(later.verdict == verdict::holds);
    CHECK_FALSE(has_note(later, "discarded"));
}

}  // namespace perfspec::testing
