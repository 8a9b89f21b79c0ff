// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Mixtures of more than two variants, and by subtraction.
#include "explain/layered_models.hpp"

#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;
using enum layer_side;

const written recorded{.effect = effect::measure};

/// Three variants, each the fastest in one layer.
struct three_variants {
    scripted_run program;
    scripted_operators recorder;
    layered_subject eager = scripted_model(program, recorder, "eager", {{"conv", 4ms}, {"relu", 1ms}, {"linear", 4ms}});
    layered_subject traced =
        scripted_model(program, recorder, "traced", {{"conv", 3ms}, {"relu", 2ms}, {"linear", 2ms}});
    layered_subject compiled =
        scripted_model(program, recorder, "compiled", {{"conv", 2ms}, {"relu", 3ms}, {"linear", 5ms}});

    record found(const mixture_settings& settings = {}) {
        return program.evaluate(best_mixture({eager, traced, compiled}, settings), {}, recorded);
    }
};

/// A layer that must not run by itself.
subject untouched(const char* name) {
    return {name, [name] { FAIL("a step ran: " << name); }};
}

}  // namespace

TEST_CASE("mixture chooses the fastest layers of three variants and says how far each is from them", "[run][unit]") {
    three_variants of;
    const record r = of.found();
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "best_mixture(eager, traced, compiled)");
    CHECK(chosen_layers(evaluation(r)) == std::vector{third, first, second});
    REQUIRE(r.estimate);
    CHECK_THAT(r.estimate->value, WithinRel(5e6, 1e-6));
    CHECK_THAT(mixture_gap(evaluation(r), first).value(), WithinRel(1.0, 1e-6));
    CHECK_THAT(mixture_gap(evaluation(r)).value(), WithinRel(0.6, 1e-6));
    CHECK_THAT(mixture_gap(evaluation(r), third).value(), WithinRel(1.2, 1e-6));
    CHECK_THAT(cell(r, "sum", "traced").value.value, WithinRel(7e6, 1e-6));
    CHECK_THAT(cell(r, "sum", "compiled").share, WithinRel(10.0 / 11.0, 1e-6));
    CHECK(r.parts.size() == 3 * (3 + 3));
    REQUIRE(r.subjects.size() == 3);
    CHECK(r.subjects[2].subject == "compiled");
    CHECK_RECORDED(r.evidence.method);
}

TEST_CASE("a mixture of variants one by one is that of their list", "[run][unit]") {
    three_variants of;
    const record one_by_one = of.program.evaluate(best_mixture(of.eager, of.traced, of.compiled), {}, recorded);
    CHECK(one_by_one.query == "best_mixture(eager, traced, compiled)");
    CHECK(chosen_layers(evaluation(one_by_one)) == std::vector{third, first, second});
    const auto fourth_variant =
        scripted_model(of.program, of.recorder, "other", {{"conv", 5ms}, {"relu", 5ms}, {"linear", 1ms}});
    const record of_four =
        of.program.evaluate(best_mixture(of.eager, of.traced, of.compiled, fourth_variant), {}, recorded);
    CHECK(chosen_layers(evaluation(of_four)) == std::vector{third, first, fourth});
    CHECK(of.program.evaluate(best_mixture({of.eager, of.compiled}), {}, recorded).query ==
          "best_mixture(eager, compiled)");
}

TEST_CASE("mixture pays for switches between any two variants", "[run][unit]") {
    three_variants of;
    const record cheap = of.found({.switching = 500us});
    CHECK(chosen_layers(evaluation(cheap)) == std::vector{third, first, second});
    CHECK_THAT(cheap.estimate->value, WithinRel(6e6, 1e-6));
    three_variants again;
    const record dear = again.found({.switching = 2ms});
    CHECK(chosen_layers(evaluation(dear)) == std::vector{second, second, second});
    CHECK_THAT(dear.estimate->value, WithinRel(7e6, 1e-6));
}

TEST_CASE("mixture takes the times of layers by subtraction on request, and runs no layer by itself", "[run][unit]") {
    scripted_run program;
    const auto prefixed = [&](const char* name, std::chrono::nanoseconds conv, std::chrono::nanoseconds relu) {
        return layered_subject(program.takes(name, conv + relu + 1ms),
                               {program.takes("p1", conv), program.takes("p2", conv + relu)},
                               {untouched("conv"), untouched("relu")});
    };
    const std::vector variants{prefixed("a", 4ms, 1ms), prefixed("b", 3ms, 3ms), prefixed("c", 2ms, 2ms)};
    const record r =
        program.evaluate(best_mixture(variants, {.from = layer_timing::subtraction}), {iterations(1)}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(r.query == "best_mixture(a, b, c, by subtraction)");
    CHECK(chosen_layers(evaluation(r)) == std::vector{third, first});
    CHECK_THAT(cell(r, "relu", "b").value.value, WithinRel(3e6, 1e-6));
    CHECK_THAT(cell(r, "sum", "c").value.value, WithinRel(4e6, 1e-6));
    CHECK_THAT(cell(r, "end to end / best mixture", "a").value.value, WithinRel(2.0, 1e-6));
    CHECK_THAT(r.estimate->value, WithinRel(3e6, 1e-6));
    CHECK(r.advice.size() == 1);  // every layer is resolved
    CHECK_RECORDED(r.evidence.method);
}

TEST_CASE("mixture says where a choice goes by a time that subtraction does not resolve", "[run][unit]") {
    scripted_run program;
    const layered_subject a(program.takes("a", 10ms),
                            {program.takes("p1", {5ms, 6ms, 7ms}), program.takes("p2", {6ms, 5ms, 7ms, 6ms})},
                            {untouched("conv"), untouched("relu")});
    const layered_subject b(program.takes("b", 10ms), {program.takes("p1", 7ms), program.takes("p2", 9ms)},
                            {untouched("conv"), untouched("relu")});
    const record r = program.evaluate(best_mixture(a, b, {.from = layer_timing::subtraction}),
                                      {rounds(12), iterations(1)}, recorded);
    CHECK(r.verdict == verdict::measured);
    CHECK(cell(r, "conv", "a").mark == "chosen");
    CHECK(cell(r, "relu", "a").mark == "chosen, unresolved");
    CHECK(cell(r, "relu", "b").mark.empty());
    CHECK(chosen_layers(evaluation(r)) == std::vector{first, first});
    REQUIRE(r.advice.size() == 2);
    CHECK_RECORDED(r.advice[1]);
}

TEST_CASE("a mixture by subtraction is an error where the chosen layers take no time together", "[run][unit]") {
    scripted_run program;
    const auto prefixed = [&](const char* name, std::chrono::nanoseconds one, std::chrono::nanoseconds two) {
        return layered_subject(program.takes(name, 6ms), {program.takes("p1", one), program.takes("p2", two)},
                               {untouched("conv"), untouched("relu")});
    };
    const auto by_subtraction =
        best_mixture(prefixed("a", 5ms, 1ms), prefixed("b", 1ms, 6ms), {.from = layer_timing::subtraction});
    const record r = program.evaluate(by_subtraction, {iterations(1)}, recorded);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("the chosen layers take no time together"));
    CHECK_FALSE(mixture_gap(evaluation(r)));
}

TEST_CASE("a mixture by subtraction is skipped where a variant lacks prefixes, and runs no layer", "[run][unit]") {
    scripted_run program;
    const layered_subject a(program.takes("a", 5ms), {program.takes("p1", 4ms)}, {untouched("conv")});
    const layered_subject b(program.takes("b", 5ms), {}, {untouched("conv")});
    const record r = program.evaluate(best_mixture(a, b, {.from = layer_timing::subtraction}), {}, recorded);
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
    CHECK(chosen_layers(evaluation(r)).empty());
    CHECK_FALSE(mixture_gap(evaluation(r)));
}

TEST_CASE("a mixture chooses among the layers of three workers by timers and by subtraction, and not by operators",
          "[run][unit]") {
    scripted_run program;
    const std::vector variants{model_in_a_worker("eager", 4ms, 1ms), model_in_a_worker("compiled", 3ms, 2ms),
                               model_in_a_worker("traced", 2ms, 3ms)};
    for (const layer_timing from : {layer_timing::timers, layer_timing::subtraction}) {
        const record r = program.evaluate(best_mixture(variants, {.from = from}), {}, recorded);
        CHECK(r.verdict == verdict::measured);
        CHECK(chosen_layers(evaluation(r)) == std::vector{third, first});
        CHECK_THAT(r.estimate->value, WithinRel(3e6, 1e-6));
    }
    CHECK(program.evaluate(best_mixture(variants, {.from = layer_timing::operators}), {key("operators")}, recorded)
              .verdict == verdict::skipped);
}

TEST_CASE("mixture rejects lists that leave no choice", "[run][unit]") {
    three_variants of;
    const auto other = scripted_model(of.program, of.recorder, "other", {{"conv", 4ms}, {"relu", 1ms}, {"pool", 4ms}});
    const layered_subject empty(of.program.takes("empty", 1ms), {}, {});
    const layered_subject bare(of.program.takes("bare", 1ms), {}, {});
    CHECK_THROWS_WITH(best_mixture({of.eager}),
                      ContainsSubstring("best_mixture: found 1 variant, expected 2 to 256 to choose from"));
    CHECK_THROWS_WITH(best_mixture(std::vector<layered_subject>{}), ContainsSubstring("found 0 variants"));
    CHECK_THROWS_RECORDED(std::exception, best_mixture({of.eager, of.traced, of.eager}));
    CHECK_THROWS_RECORDED(std::exception, best_mixture(of.eager, of.traced, of.traced));
    CHECK_THROWS_RECORDED(std::exception, best_mixture(of.eager, of.traced, other));
    CHECK_THROWS_RECORDED(std::exception, best_mixture(of.eager, of.traced, empty));
    CHECK_THROWS_WITH(best_mixture(empty, bare), ContainsSubstring("\"empty\" has no layers, expected at least one"));
    CHECK_THROWS_WITH(best_mixture({of.eager, of.traced}, {.best_of = 0}), ContainsSubstring("found .best_of = 0"));
}

}  // namespace perfspec
