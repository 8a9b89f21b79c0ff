// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/device_work.hpp>
#include <perfspec/measure/sample.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec {
namespace {

/// A device that needs so many runs for a count, of which it sees the last one.
struct scripted_device final : device_work_recorder {
    int runs_of_a_count = 1;
    std::string fault{};
    std::int64_t done{};
    int runs{};
    bool is_begun{};
    std::optional<counted_work> asked{};

    std::string begin(counted_work what) override {
        asked = what;
        is_begun = fault.empty();
        return fault;
    }
    void end() noexcept override { is_begun = false; }
    void begin_run() override { done = 0; }
    std::optional<std::int64_t> end_run() override {
        return ++runs % runs_of_a_count == 0 ? std::optional(done) : std::nullopt;
    }
    [[nodiscard]] std::string caveat() const override { return "some"; }
};

scripted_device* device = nullptr;
device_work_recorder* known() noexcept { return device; }

struct device_here {
    scripted_device made;
    device_here() { device = &made; }
    device_here(const device_here&) = delete;
    device_here& operator=(const device_here&) = delete;
    ~device_here() { device = nullptr; }
};

}  // namespace

TEST_CASE("device_work_counter has the work of one run, however many a count takes", "[measure][unit]") {
    device_here d;
    device_work_counter counter(counted_work::operations, known);
    const subject x("x", [] { device->done += 300; });
    const counting counts(counter);
    REQUIRE(counts.fault().empty());
    CHECK(d.made.asked == counted_work::operations);
    CHECK(take_sample(x, 1, warm_call::no, counter) == sample{300, 1});
    d.made.runs_of_a_count = 3;
    d.made.runs = 0;
    CHECK(take_sample(x, 2, warm_call::no, counter) == sample{600, 2});
    CHECK(d.made.runs == 3);
}

TEST_CASE("device_work_counter begins anew after a run that failed", "[measure][unit]") {
    device_here d;
    device_work_counter counter(counted_work::traffic, known);
    CHECK(counter.begin().empty());
    CHECK(counter.now() == 0);  // a run begins, and fails
    counter.end();
    CHECK_FALSE(d.made.is_begun);
    CHECK(counter.begin().empty());
    CHECK(take_sample(subject("x", [] { device->done += 5; }), 1, warm_call::no, counter) == sample{5, 1});
    CHECK(counter.caveat() == "some");
}

TEST_CASE("device_work_counter says what to link where nothing has devices count, and what the device says",
          "[measure][unit]") {
    device_work_counter counter(counted_work::traffic, known);
    CHECK_THAT(counter.begin(), Catch::Matchers::ContainsSubstring("link perfspec::cuda"));
    counter.end();
    CHECK(counter.caveat().empty());
    device_here d;
    d.made.fault = "no permission";
    CHECK(counting(counter).fault() == "no permission");
}

}  // namespace perfspec
