// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <tool/reports/summaries.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

record of_model(const std::string& model, const std::string& metric, std::vector<std::string> names, double value,
                dimension unit) {
    record r = stored_result(model + " / " + metric + " of " + names.back(), value, verdict::holds, 2);
    r.test = model;
    r.metric = metric;
    r.names = std::move(names);
    r.unit = unit;
    r.baseline.reset();
    return r;
}

record speedup_of(const std::string& model, double value) {
    return of_model(model, "speedup", {"eager", "inductor"}, value, dimension::ratio);
}

std::vector<tool::suite_row> rows_of(std::vector<record> records) { return tool::suite_of(records); }

}  // namespace

TEST_CASE("suite_of has the geometric mean of speedups, clipped at 1 and not", "[ci][unit]") {
    const auto rows = rows_of({speedup_of("resnet", 2.0), speedup_of("bert", 0.5), speedup_of("vit", 4.0)});
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().name == "inductor over eager");
    CHECK(rows.front().models == 3);
    CHECK(rows.front().speedups == 3);
    CHECK_THAT(rows.front().geomean, WithinRel(std::cbrt(4.0), 1e-12));
    CHECK_THAT(rows.front().geomean_clipped, WithinRel(2.0, 1e-12));
    CHECK(rows.front().warnings == std::vector<std::string>{"bert: speedup 0.5000, below 0.95"});
}

TEST_CASE("suite_of counts a model as passed if no claim failed and its outputs agree", "[ci][unit]") {
    record wrong = of_model("bert", "same_output", {"eager", "inductor"}, 0, dimension::count);
    wrong.estimate.reset();
    wrong.verified = verification{verification_code::fail, "differ", {}, {}, {}};
    record slow = of_model("vit", "latency", {"inductor"}, 1e6, dimension::time);
    slow.failed = true;
    const auto rows =
        rows_of({speedup_of("resnet", 2.0), speedup_of("bert", 2.0), wrong, speedup_of("vit", 2.0), slow});
    CHECK(rows.front().models == 3);
    CHECK(rows.front().passed == 1);
}

TEST_CASE("suite_of counts models with only a comparison of outputs, and those that were skipped", "[ci][unit]") {
    const auto outputs_of = [](const std::string& model, verdict v) {
        record r = of_model(model, "same_output", {"eager", "inductor"}, 0, dimension::count);
        r.estimate.reset();
        r.verdict = v;
        r.failed = v == verdict::error;
        return r;
    };
    const auto rows = rows_of({outputs_of("resnet", verdict::holds), outputs_of("bert", verdict::error),
                               outputs_of("vit", verdict::skipped)});
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().models == 2);
    CHECK(rows.front().passed == 1);
    CHECK(rows.front().skipped == 1);
}

TEST_CASE("suite_of has the memory of models", "[ci][unit]") {
    record once = speedup_of("resnet", 2.0);
    once.axes = {{"model", "resnet"}};
    record eager = of_model("resnet", "peak_memory", {"eager"}, 400, dimension::bytes);
    record inductor = of_model("resnet", "peak_memory", {"inductor"}, 200, dimension::bytes);
    eager.axes = inductor.axes = once.axes;
    const auto rows = rows_of({once, eager, inductor});
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().models == 1);
    CHECK(rows.front().geomean == 2.0);
    CHECK(rows.front().memory == 2.0);
}

TEST_CASE("suite_of has a row for each combination of axes but the model", "[ci][unit]") {
    record half = speedup_of("resnet", 3.0);
    half.axes = {{"model", "resnet50"}, {"dtype", "float16"}};
    record whole = speedup_of("resnet", 2.0);
    whole.axes = {{"model", "resnet50"}, {"dtype", "float32"}};
    const auto rows = rows_of({half, whole});
    REQUIRE(rows.size() == 2);
    CHECK(rows.at(0).name == "inductor over eager, dtype=float16");
    CHECK(rows.at(1).name == "inductor over eager, dtype=float32");
    CHECK(rows.at(1).geomean == 2.0);
}

TEST_CASE("suite_of has the median of compilation, and the memory that the other subject needs beside this one's",
          "[ci][unit]") {
    const auto rows = rows_of({speedup_of("resnet", 2.0), speedup_of("bert", 2.0),
                               of_model("bert", "compile_time", {"inductor"}, 10e9, dimension::time),
                               of_model("resnet", "compile_time", {"inductor"}, 20e9, dimension::time),
                               of_model("resnet", "peak_memory", {"eager"}, 400, dimension::bytes),
                               of_model("resnet", "peak_memory", {"inductor"}, 500, dimension::bytes)});
    CHECK(rows.front().compilation == 15e9);
    CHECK_THAT(rows.front().memory.value(), WithinRel(0.8, 1e-12));
    CHECK(rows.front().warnings == std::vector<std::string>{"resnet: memory ratio 0.8000, below 0.9"});
}

TEST_CASE("suite_of warns of a model that was compiled for more than two minutes, by any result", "[ci][unit]") {
    const auto warnings = [](std::vector<record> records) { return rows_of(std::move(records)).front().warnings; };
    const auto compiled_in = [](double ns) {
        return of_model("resnet", "compile_time", {"inductor"}, ns, dimension::time);
    };
    CHECK(warnings({speedup_of("resnet", 2.0), compiled_in(120e9)}).empty());
    const std::vector<std::string> warned{"resnet: compiled in 130.0 s, more than 120 s"};
    CHECK(warnings({speedup_of("resnet", 2.0), compiled_in(130e9)}) == warned);
    record speedup = speedup_of("resnet", 2.0);
    part_value compiled;
    compiled.part = detail::compilation_part;
    compiled.value.value = 130e9;
    speedup.parts = {compiled};
    CHECK(warnings({speedup, compiled_in(20e9)}) == warned);
    CHECK(rows_of({speedup_of("resnet", 2.0), compiled_in(20e9)}).front().compilation == 20e9);
    CHECK(warnings({speedup_of("resnet", 2.0), of_model("resnet", "compile_time", {"eager"}, 130e9, dimension::time)})
              .empty());
}

TEST_CASE("suite_of has the memory with the models themselves where both subjects say it", "[ci][unit]") {
    const record speedups = speedup_of("resnet", 2.0);
    const record eager = of_model("resnet", "peak_memory", {"eager"}, 400, dimension::bytes);
    const record inductor = of_model("resnet", "peak_memory", {"inductor"}, 500, dimension::bytes);
    const record loaded_eager = of_model("resnet", "peak_memory, including_load", {"eager"}, 3000, dimension::bytes);
    const record loaded_inductor =
        of_model("resnet", "peak_memory, including_load", {"inductor"}, 1500, dimension::bytes);
    CHECK(rows_of({speedups, eager, inductor, loaded_eager, loaded_inductor}).front().memory == 2.0);
    CHECK_THAT(rows_of({speedups, eager, inductor, loaded_inductor}).front().memory.value(), WithinRel(0.8, 1e-12));
    CHECK_FALSE(rows_of({speedups, eager, loaded_inductor}).front().memory.has_value());
}

TEST_CASE("suite_of takes speedups of several subjects from one comparison", "[ci][unit]") {
    record all = of_model("resnet", "compare", {"eager", "traced", "inductor"}, 1.0, dimension::ratio);
    all.subjects.resize(1);
    all.subjects.front().subject = "eager";
    all.compared = {{"traced", estimate{1.5, 1.4, 1.6, 0.95}}, {"inductor", estimate{3.0, 2.9, 3.1, 0.95}}};
    const auto rows = rows_of({all});
    REQUIRE(rows.size() == 2);
    CHECK(rows.at(0).name == "inductor over eager");
    CHECK_THAT(rows.at(0).geomean, WithinRel(3.0, 1e-12));
    CHECK_THAT(rows.at(1).geomean, WithinRel(1.5, 1e-12));
}

TEST_CASE("models_part has a row for each model, and the geometric mean with an interval", "[ci][unit]") {
    record slow = speedup_of("vit", 0.5);
    slow.verdict = verdict::violated;
    slow.failed = true;
    slow.verified = verification{verification_code::pass, {}, {}, {}, {}};
    slow.subjects.resize(2);
    slow.subjects.front().subject = "eager";
    slow.subjects.front().median = 2e6;
    slow.subjects.back().subject = "inductor";
    slow.subjects.back().median = 4e6;
    record wrong = of_model("bert", "same_output", {"eager", "inductor"}, 0, dimension::count);
    wrong.estimate.reset();
    wrong.failed = true;
    wrong.verdict = verdict::error;
    wrong.verified = verification{verification_code::fail, {}, {}, {}, {}};
    record timed_out = of_model("swin", "speedup", {"eager", "inductor"}, 0, dimension::ratio);
    timed_out.estimate.reset();
    timed_out.failed = true;
    timed_out.verdict = verdict::error;
    timed_out.failure = failure_kind::timed_out;
    record faster_again = slow;
    faster_again.estimate = estimate{0.6, 0.59, 0.61, 0.95};
    faster_again.verdict = verdict::holds;
    const auto rows = rows_of({slow, faster_again, wrong, timed_out, speedup_of("resnet", 2.0)});
    REQUIRE(rows.size() == 1);
    const tool::report_part part = tool::models_part(rows.front());
    std::string text = part.title + "\n";
    for (const auto& row : part.rows) {
        for (const std::string& cell : row) text += "| " + cell + " ";
        text += "|\n";
    }
    CHECK_RECORDED(text);
}

TEST_CASE("suite_of keeps speedups over different subjects apart", "[ci][unit]") {
    const auto rows = rows_of({speedup_of("resnet", 2.0),
                               of_model("resnet", "speedup", {"script", "inductor"}, 1.1, dimension::ratio),
                               of_model("bert", "speedup", {"script", "inductor"}, 1.1, dimension::ratio)});
    REQUIRE(rows.size() == 2);
    CHECK(rows.at(0).speedups == 1);
    CHECK(rows.at(1).name == "inductor over script");
    CHECK(rows.at(1).speedups == 2);
    CHECK_THAT(rows.at(1).geomean, WithinRel(1.1, 1e-12));
}

TEST_CASE("suite_of counts every speedup, of any test, suite, section or machine", "[ci][unit]") {
    const auto slow = [](auto change) {
        record r = speedup_of("resnet", 0.5);
        change(r);
        return rows_of({speedup_of("resnet", 2.0), r});
    };
    const auto one_row_of_two = [](const std::vector<tool::suite_row>& rows) {
        return rows.size() == 1 && rows.front().models == 2 && rows.front().geomean == 1.0;
    };
    CHECK(one_row_of_two(slow([](record& r) { r.suite = "training"; })));
    CHECK(one_row_of_two(slow([](record& r) { r.sections = {"large"}; })));
    const auto machines = slow([](record& r) { r.hardware_key = "other"; });
    REQUIRE(machines.size() == 2);
    CHECK(machines.at(0).name == "inductor over eager on other");
    CHECK(machines.at(0).geomean == 0.5);
    const auto same = slow([](record&) {});
    CHECK(same.front().geomean == 0.5);  // the worst of two results for one value
}

TEST_CASE("report shows a comparison without samples, and names without what controls a terminal", "[ci][unit]") {
    record all = of_model("res\x1b[2Jnet", "compare", {"eager", "inductor"}, 1.0, dimension::ratio);
    all.subjects.clear();
    all.compared = {{"in\n::error::ductor", estimate{0.5, 0.4, 0.6, 0.95}}};
    scripted_tool tool;
    tool.ends_on(0, {all}, "report --quiet --suite");
}

}  // namespace perfspec
