// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/layer_subtraction.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>

#include <support/test.hpp>

#include <random>

namespace perfspec {
namespace {

using namespace testing;
using detail::choose_layers;
using detail::layer_choice;
using detail::layer_subtraction;

using times = std::vector<std::vector<double>>;  // [variants][layers]

/// "abca": a for the first variant.
std::string text_of(const layer_choice& choice) {
    std::string text;
    for (const layer_side side : choice.sides) text += static_cast<char>('a' + index_of(side));
    return text;
}

/// The mixture with a number: its digits, to the base of variants, are the sides from the last layer to the first.
layer_choice mixture_of(const times& variants, double switching, std::size_t number) {
    layer_choice mixture{std::vector<layer_side>(variants[0].size()), 0.0, 0};
    for (std::size_t i = mixture.sides.size(); i-- > 0; number /= variants.size())
        mixture.sides[i] = static_cast<layer_side>(number % variants.size());
    for (std::size_t i = 0; i < mixture.sides.size(); ++i) {
        mixture.total += variants[index_of(mixture.sides[i])][i];
        if (i > 0 && mixture.sides[i] != mixture.sides[i - 1]) ++mixture.switches;
    }
    mixture.total += switching * static_cast<double>(mixture.switches);
    return mixture;
}

/// The order of mixtures in a tie, the smallest wins: from the last layer back, 0 for the variant of the next layer,
/// else the number of the variant, from 1 on.
std::vector<std::size_t> ranks(const layer_choice& mixture) {
    std::vector<std::size_t> all;
    for (std::size_t i = mixture.sides.size(); i-- > 0;) {
        const bool stays = i + 1 < mixture.sides.size() && mixture.sides[i] == mixture.sides[i + 1];
        all.push_back(stays ? 0 : index_of(mixture.sides[i]) + 1);
    }
    return all;
}

/// The best of all mixtures, every one tried.
layer_choice best_by_trying(const times& variants, double switching) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < variants[0].size(); ++i) count *= variants.size();
    layer_choice best = mixture_of(variants, switching, 0);
    for (std::size_t number = 1; number < count; ++number) {
        layer_choice each = mixture_of(variants, switching, number);
        if (std::tuple(each.total, each.switches, ranks(each)) < std::tuple(best.total, best.switches, ranks(best)))
            best = std::move(each);
    }
    return best;
}

}  // namespace

TEST_CASE("choose_layers takes the fastest of several variants, and settles ties from the last layer back",
          "[stats][unit]") {
    struct row {
        times variants;
        double switching;
        const char* choice;
        double total;
        std::size_t switches;
    };
    const auto r = GENERATE(values<row>({
        {{{3, 9, 9}, {9, 2, 9}, {9, 9, 1}}, 0, "abc", 6, 2},
        {{{3, 9, 9}, {9, 2, 9}, {9, 9, 1}}, 5, "abc", 16, 2},
        {{{3, 9, 9}, {9, 2, 9}, {9, 9, 1}}, 8, "ccc", 19, 0},   // 20 of b alone, 21 of a
        {{{4, 4}, {4, 4}, {4, 4}}, 0, "aa", 8, 0},              // equal times: the first
        {{{5, 5}, {4, 4}, {4, 4}}, 0, "bb", 8, 0},              // the first of the best
        {{{1, 9}, {1, 9}, {9, 1}}, 1, "ac", 3, 1},              // a and b lead to c equally
        {{{1, 1, 9}, {9, 9, 9}, {9, 1, 1}}, 1, "acc", 4, 1},    // as good to stay with c as to come from a later
        {{{9}, {8}, {7}, {6}, {5}}, 3, "e", 5, 0},              // more variants than sides have names
        {{{2, 2, 2}, {1, 5, 1}, {5, 1, 5}}, 1.5, "aaa", 6, 0},  // two switches cost what they save
        {{{-1, 2}, {0, -3}, {1, 1}}, 0, "ab", -4, 1},           // times by subtraction may be below zero
    }));
    const layer_choice choice = choose_layers(r.variants, r.switching);
    CHECK(text_of(choice) == r.choice);
    CHECK(choice.total == r.total);
    CHECK(choice.switches == r.switches);
}

TEST_CASE("choose_layers finds what trying every mixture finds", "[stats][unit]") {
    std::mt19937 random(GENERATE(range(1, 41)));
    const std::size_t count = 2 + random() % 3;
    const std::size_t layers = 1 + random() % 6;
    const std::size_t spread = 2 + random() % 15;                               // small ones make ties
    const auto drawn = [&] { return static_cast<double>(random() % spread); };  // whole numbers: sums are exact
    times variants(count);
    for (auto& each : variants)
        for (std::size_t i = 0; i < layers; ++i) each.push_back(drawn());
    const double switching = drawn() / 4.0;
    const layer_choice choice = choose_layers(variants, switching);
    const layer_choice best = best_by_trying(variants, switching);
    CHECK(text_of(choice) == text_of(best));
    CHECK(choice.total == best.total);
    CHECK(choice.switches == best.switches);
}

TEST_CASE("choose_layers takes 256 variants, which a layer_side can tell apart", "[stats][unit]") {
    times many(256, {2.0, 2.0});
    many.back() = {1.0, 1.0};
    CHECK(choose_layers(many).sides == std::vector{layer_side{255}, layer_side{255}});
}

namespace {

part_value cell(const char* part, const char* method, const char* mark = "", dimension unit = dimension::time,
                double value = 1.0) {
    return {part, method, unit, {value, value, value, 0.0}, 0.0, mark};
}

/// The record of a mixture of three variants by subtraction.
record of_three() {
    record r;
    r.parts = {cell("conv", "eager"),
               cell("conv", "folded"),
               cell("conv", "traced", "chosen"),
               cell("relu", "eager", "unresolved"),
               cell("relu", "folded", "chosen, unresolved"),
               cell("relu", "traced", "unresolved"),
               cell("end to end / best mixture", "eager", "", dimension::ratio, 1.5),
               cell("end to end / best mixture", "folded", "", dimension::ratio, 1.25),
               cell("end to end / best mixture", "traced", "", dimension::ratio, 1.125)};
    return r;
}

/// The record of a mixture.
record of_mixture() {
    record r;
    r.parts = {cell("conv", "eager"),
               cell("conv", "folded", "chosen"),
               cell("relu", "eager", "chosen"),
               cell("relu", "folded"),
               cell("sum", "eager"),
               cell("sum", "folded"),
               cell("end to end", "eager"),
               cell("end to end", "folded"),
               cell("end to end / best mixture", "eager", "", dimension::ratio, 1.5),
               cell("end to end / best mixture", "folded", "", dimension::ratio, 1.25)};
    return r;
}

}  // namespace

TEST_CASE("chosen_layers is the variant of each layer, in their order", "[report][unit]") {
    CHECK(chosen_layers(evaluation(of_mixture())) == std::vector{layer_side::second, layer_side::first});
}

TEST_CASE("mixture_gap is how much longer the second variant takes", "[report][unit]") {
    CHECK(mixture_gap(evaluation(of_mixture())) == 0.25);
}

TEST_CASE("chosen_layers and mixture_gap tell more than two variants apart", "[report][unit]") {
    CHECK(chosen_layers(evaluation(of_three())) == std::vector{layer_side::third, layer_side::second});
    CHECK(mixture_gap(evaluation(of_three())) == 0.25);
    CHECK(mixture_gap(evaluation(of_three()), layer_side::first) == 0.5);
    CHECK(mixture_gap(evaluation(of_three()), layer_side::third) == 0.125);
    CHECK_FALSE(mixture_gap(evaluation(of_three()), layer_side::fourth));
}

TEST_CASE("a record without a mixture has no choice and no gap", "[report][unit]") {
    CHECK(chosen_layers(evaluation(record{})).empty());
    CHECK_FALSE(mixture_gap(evaluation(record{})));
}

namespace {

/// So much in each of 20 rounds, in which the machine is slower by 0, 1, 2, … and the sample by -0.5, 0.5, -0.5, …
std::vector<double> rounds_of(double time, double own_noise = 0.0) {
    std::vector<double> all;
    for (int i = 0; i < 20; ++i) all.push_back(time + i + (i % 2 == 0 ? -own_noise : own_noise));
    return all;
}

}  // namespace

TEST_CASE("layer_subtraction takes what one layer adds, without the noise that both prefixes share", "[stats][unit]") {
    const std::vector<std::vector<double>> prefixes{rounds_of(100), rounds_of(107), rounds_of(137)};
    const auto layers = layer_subtraction(prefixes);
    REQUIRE(layers.size() == 3);
    CHECK(layers[0].time.center == 109.5);  // the first prefix itself, the drift of its rounds included
    CHECK(layers[0].time.low < 109.5);
    CHECK(layers[1].time.center == 7.0);
    CHECK_THAT(layers[1].time.low, WithinAbs(7.0, 1e-9));
    CHECK_THAT(layers[1].time.high, WithinAbs(7.0, 1e-9));
    CHECK(layers[2].time.center == 30.0);
    for (const auto& layer : layers) CHECK(layer.resolved);
}

TEST_CASE("layer_subtraction does not resolve a layer that is less than the noise of its prefixes", "[stats][unit]") {
    const std::vector<std::vector<double>> prefixes{rounds_of(100, 3.0), rounds_of(101, -3.0), rounds_of(131, 3.0)};
    const auto layers = layer_subtraction(prefixes);
    CHECK(layers[1].time.low < 0.0);
    CHECK(layers[1].time.high > 1.0);
    CHECK_FALSE(layers[1].resolved);
    CHECK(layers[2].resolved);
}

TEST_CASE("layer_subtraction does not resolve a layer that is faster than nothing", "[stats][unit]") {
    const auto layers = layer_subtraction(std::vector<std::vector<double>>{rounds_of(100), rounds_of(90)});
    CHECK(layers[1].time.center == -10.0);
    CHECK_FALSE(layers[1].resolved);
}

TEST_CASE("layer_subtraction resolves nothing by a few rounds", "[stats][unit]") {
    const auto layers = layer_subtraction(std::vector<std::vector<double>>{{10, 11, 12}, {20, 21, 22}});
    CHECK(layers[1].time.center == 10.0);
    CHECK(std::isinf(layers[1].time.low));
    CHECK_FALSE(layers[1].resolved);
}

}  // namespace perfspec
