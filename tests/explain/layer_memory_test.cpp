// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"

#include <perfspec/explain/queries.hpp>

#include <support/scripted_tensors.hpp>

namespace perfspec {
namespace {

using namespace testing;

const written recorded{.effect = effect::record};

struct scripted_step {
    const char* name;
    std::function<void(scripted_tensors&)> run;
};

/// A program whose models allocate from `tensors`.
struct program_of_tensors {
    scripted_run program;
    scripted_tensors tensors;

    program_of_tensors() { program.counts.of_tensors = &tensors; }

    /// The whole runs all steps.
    layered_subject model(const std::vector<scripted_step>& steps) {
        std::vector<subject> parts;
        for (const scripted_step& step : steps)
            parts.emplace_back(step.name, [this, run = step.run] {
                program.work(1ms);
                run(tensors);
            });
        const subject whole("net", [this, steps] {
            program.work(1ms);
            for (const scripted_step& step : steps) step.run(tensors);
        });
        return {whole, {}, std::move(parts)};
    }
};

double cell(const record& r, const std::string& part, const std::string& method) {
    const auto found =
        std::ranges::find_if(r.parts, [&](const part_value& p) { return p.part == part && p.method == method; });
    if (found == r.parts.end()) FAIL("no cell " << part << ", " << method);
    return found->value.centre;
}

std::string varying(const record& r) {
    std::string text;
    for (const part_value& p : r.parts)
        if (p.mark == "varies") text += p.part + " " + p.method + "; ";
    return text;
}

/// Needs 500 bytes in three blocks, of which 200 stay.
void convolve(scripted_tensors& t) {
    t.allocate(200);
    t.allocate(100);
    t.allocate(200);
    t.free(300);
}

/// Replaces 200 bytes by 50.
void pool(scripted_tensors& t) {
    t.allocate(50);
    t.free(200);
}

void drop(scripted_tensors& t) { t.free(50); }

}  // namespace

TEST_CASE(
    "layer_memory is the peak of each layer, what is held after it, and its blocks, above the level before the model",
    "[run][unit]") {
    program_of_tensors p;
    p.tensors.allocate(7000);  // weights, and a peak before
    p.tensors.allocate(9000);
    p.tensors.free(9000);
    const auto net = p.model({{"conv", convolve}, {"pool", pool}, {"linear", drop}});
    const record r = p.program.evaluate(layer_memory(net), {}, recorded);
    CHECK(r.verdict == verdict::holds);
    CHECK(r.query == "layer_memory(net)");
    CHECK(r.unit == dimension::bytes);
    CHECK(cell(r, "conv", "at its peak") == 500);
    CHECK(cell(r, "conv", "held after it") == 200);
    CHECK(cell(r, "conv", "allocations") == 3);
    CHECK(cell(r, "pool", "at its peak") == 250);
    CHECK(cell(r, "pool", "held after it") == 50);
    CHECK(cell(r, "pool", "allocations") == 1);
    CHECK(cell(r, "linear", "at its peak") == 50);
    CHECK(cell(r, "linear", "held after it") == 0);
    CHECK(cell(r, "linear", "allocations") == 0);
    CHECK(cell(r, "end to end", "at its peak") == 500);
    CHECK(cell(r, "end to end", "allocations") == 4);
    CHECK(r.estimate.value().centre == 500);
    CHECK(varying(r).empty());
    CHECK(r.evidence.exact);
    CHECK(p.tensors.begun == 0);  // the counter of the session begins it
    CHECK(p.program.counts.of(metric_kind::tensor_memory).begun ==
          p.program.counts.of(metric_kind::tensor_memory).ended);
}

TEST_CASE("layer_memory shows the layers in their order, with their part of the whole's peak", "[run][unit]") {
    program_of_tensors p;
    const record r =
        p.program.evaluate(layer_memory(p.model({{"conv", convolve}, {"pool", pool}, {"linear", drop}})), {}, recorded);
    REQUIRE(r.parts.size() == 12);
    CHECK(r.parts[0].part == "conv");
    CHECK(r.parts[0].share == 1.0);
    CHECK(r.parts[3].part == "pool");
    CHECK(r.parts[3].share == 0.5);
    CHECK(r.parts[4].share == 0.0);
    CHECK(r.parts[5].unit == dimension::count);
    CHECK(r.parts[9].part == "end to end");
}

TEST_CASE("layer_memory leaves out what the first run allocates once, and says what varies", "[run][unit]") {
    program_of_tensors p;
    int calls = 0;
    const auto packs_once = [&calls](scripted_tensors& t) {
        if (calls++ == 0) t.allocate(100'000);  // weights that it keeps
        convolve(t);
    };
    const record once = p.program.evaluate(
        layer_memory(p.model({{"conv", packs_once}, {"pool", pool}, {"linear", drop}})), {}, recorded);
    CHECK(cell(once, "conv", "at its peak") == 500);
    CHECK(varying(once).empty());

    int sizes = 0;
    const auto grows = [&sizes](scripted_tensors& t) {
        t.allocate(100 + ++sizes);
        t.free(100 + sizes);
    };
    const record r =
        p.program.evaluate(layer_memory(p.model({{"conv", grows}, {"pool", convolve}})), {key("grows")}, recorded);
    CHECK(r.verdict == verdict::holds);
    CHECK(varying(r).starts_with("conv at its peak; "));
    CHECK(varying(r).find("conv held") == std::string::npos);
    CHECK_FALSE(r.evidence.exact);
}

TEST_CASE("layer_memory of a program that sees no tensors is invalid, and says why", "[run][unit]") {
    program_of_tensors p;
    p.program.counts.of(metric_kind::tensor_memory).fault = "nothing in this program sees the memory of tensors";
    const record r = p.program.evaluate(layer_memory(p.model({{"conv", convolve}})), {}, recorded);
    CHECK(r.verdict == verdict::invalid);
    CHECK(r.reason == "nothing in this program sees the memory of tensors");
    CHECK(r.failed);
}

}  // namespace perfspec
