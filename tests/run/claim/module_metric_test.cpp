// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/claim/modules.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// An adapter for batteries, which the core does not know: its metrics, their queries, and what it keeps with a subject.

namespace perfspec {
namespace {

using namespace testing;

struct battery {
    double charge{};     ///< that the next call takes, in mAh
    double capacity{};   ///< known without a run
    std::string name{};  ///< of the battery; empty: the subject has none
};

battery& battery_of(const subject& x) { return x.state().parts.of<battery>(); }

constexpr metric_traits charge_row{
    "charge",      dimension::count,       statistic::median,        better::less,
    reading::call, unreadable::is_skipped, shared_by::like_machines, "charge that one iteration takes"};
constexpr metric_traits capacity_row{
    "capacity",        dimension::count,       statistic::exact,         better::more,
    reading::declared, unreadable::is_skipped, shared_by::like_machines, "charge of a full battery"};
constexpr metric_traits cycles_row{"charging_cycles",
                                   dimension::count,
                                   statistic::exact,
                                   better::less,
                                   reading::counter,
                                   unreadable::is_error,
                                   shared_by::one_architecture,
                                   "cycles that one iteration starts"};

class battery_metric : public detail::module_metric {
public:
    std::string fault(const detail::claim_context& context) const override {
        for (const subject& x : context.subjects)
            if (battery_of(x).name.empty()) return "\"" + std::string(x.name()) + "\" has no battery";
        return {};
    }
    std::string fault_of_pair(const query_description& a, const query_description& b) const override {
        return detail_of(a, 0) == detail_of(b, 0) ? "" : "two kinds of charge are not compared";
    }
    std::vector<std::pair<std::string, std::string>> axes(const detail::claim_context& context) const override {
        return {{"battery", battery_of(context.subjects.front()).name}};
    }
    std::vector<std::string> notes(const detail::claim_context&) const override { return {"charged before"}; }
    double read(const subject& x, counters&) const override {
        run_untimed(x, 1);
        return battery_of(x).charge;
    }
    double declared(const subject& x) const override { return battery_of(x).capacity; }
    void require_plausible(const subject&, std::span<const std::uint64_t> counts) const override {
        if (counts.front() > 100) throw measurement_failure(failure_kind::not_countable, "a hundred cycles in a call");
    }
};

template <const metric_traits& Row>
query<Row.unit, Row.statistic> battery_query(const subject& x, const std::string& kind = {}) {
    return detail::make_query<Row.unit, Row.statistic>(
        {.metric = Row,
         .direction = Row.direction,
         .module = {.metrics = {std::make_shared<battery_metric>()}, .details = {kind}},
         .subjects = {x}});
}

auto charge(const subject& x, const std::string& kind = {}) { return battery_query<charge_row>(x, kind); }
auto capacity(const subject& x) { return battery_query<capacity_row>(x); }
auto charging_cycles(const subject& x) { return battery_query<cycles_row>(x); }

subject powered(subject x, double charge_of_call, double capacity_of_battery = 0.0) {
    battery_of(x) = {charge_of_call, capacity_of_battery, "li-ion"};
    return x;
}

}  // namespace

TEST_CASE("a metric of a module is read of each call, and has its axes and notes", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(charge(powered(program.takes("radio", 1ms), 40), "peak") < 50);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "charge(radio, peak)");
    CHECK(r.key == "sorting / charge(radio, peak) / battery=li-ion");
    CHECK(r.estimate.value().value == 40.0);
    CHECK(r.notes == std::vector<std::string>{"charged before"});
}

TEST_CASE("a module says why its metric cannot be read or compared", "[run][unit]") {
    scripted_run program;
    const subject radio = powered(program.takes("radio", 1ms), 40);
    CHECK(program.skipped(charge(program.takes("wired", 1ms)) < 50) == "\"wired\" has no battery");
    CHECK(program.error(charge(radio, "peak") < charge(powered(program.takes("b", 1ms), 41))) ==
          "two kinds of charge are not compared");
}

TEST_CASE("two subjects are compared by what a module reads", "[run][unit]") {
    scripted_run program;
    const subject lamp = powered(program.takes("lamp", 1ms), 30);
    const subject radio = powered(program.takes("radio", 1ms), 40);
    CHECK(program.evaluate(charge(lamp) < 0.8 * charge(radio)).verdict == verdict::holds);
}

TEST_CASE("a query of a module without its metric is refused", "[run][unit]") {
    scripted_run program;
    const subject radio = program.takes("radio", 1ms);
    const auto bare = detail::make_query<dimension::count>({.metric = charge_row, .subjects = {radio}});
    CHECK(program.error(bare < 50) ==
          "the claim could not be judged: the query charge(radio) lacks the module_metric of "
          "a subject: give its query_description one each");
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a module knows a value without a run", "[run][unit]") {
    scripted_run program;
    const record r = program.evaluate(capacity(powered(program.takes("radio", 1ms), 40, 2000)) >= 2000);
    CHECK(r.verdict == verdict::holds);
    CHECK(program.bodies_run == 0);
}

TEST_CASE("a module counts by its own counter, and refuses what cannot be right", "[run][unit]") {
    scripted_run program;
    const subject phone = powered(program.counts_in_calls("phone", cycles_row, {2}), 1);
    CHECK(program.evaluate(charging_cycles(phone) == 2).verdict == verdict::holds);
    const subject broken = powered(program.counts_in_calls("broken", cycles_row, {200}), 1);
    CHECK(program.skipped(charging_cycles(broken) == 200) == "a hundred cycles in a call");
}

TEST_CASE("a module that lacks the function that its metric needs is named", "[run][unit]") {
    scripted_run program;
    class empty_metric final : public detail::module_metric {};
    const auto empty = detail::make_query<dimension::count, statistic::exact>(
        {.metric = capacity_row,
         .module = {.metrics = {std::make_shared<empty_metric>()}},
         .subjects = {program.takes("x", 1ms)}});
    CHECK(program.error(empty < 1) ==
          "the claim could not be judged: the metric of a module does not define what reads it: override "
          "module_metric::declared");
}

}  // namespace perfspec
