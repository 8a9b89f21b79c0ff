// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Claims of pytest as expressions: the same as those of the macros.
#include <tool/judge/claims.hpp>

#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec::tool {
namespace {

using namespace testing;

subject named(const std::string& name) {
    return {name, [] {}};
}

detail::expression read(const std::string& claim) { return expression_of(detail::read_json(claim), named); }

std::string latency_of_f(const std::string& rest) {
    return R"({"query": {"word": "latency", "subjects": ["f"]}, )" + rest + "}";
}

claim_terms terms(const std::string& rest) { return read(latency_of_f(rest)).node().terms(); }

}  // namespace

TEST_CASE("a bound is read in base units", "[ci][unit]") {
    const auto [text, value] =
        GENERATE(table<std::string, double>({{"0.003", 3e6}, {R"("3ms")", 3e6}, {R"("2 s")", 2e9}}));
    const claim_terms read = terms(R"("comparison": "<", "bound": )" + text);
    CHECK(read.compared == comparison::less);
    CHECK(std::get<value_bound>(read.bound).value == value);
}

TEST_CASE("a size is read in bytes", "[ci][unit]") {
    const auto [text, value] =
        GENERATE(table<std::string, double>({{"4096", 4096}, {R"("2MiB")", 2097152}, {R"("1 kB")", 1000}}));
    const auto claim =
        read(R"({"query": {"word": "peak_memory", "subjects": ["f"]}, "comparison": "<=", "bound": )" + text + "}");
    CHECK(std::get<value_bound>(claim.node().terms().bound).value == value);
}

TEST_CASE("a baseline is scaled and moved as in C++", "[ci][unit]") {
    const auto [text, factor, offset] =
        GENERATE(table<std::string, double, double>({{R"({"baseline": 1.5})", 1.5, 0},
                                                     {R"({"baseline": 1, "plus": "2ms"})", 1, 2e6},
                                                     {R"({"baseline": 1, "minus": 0.001})", 1, -1e6},
                                                     {R"({"baseline": 2, "plus": "50%"})", 3, 0}}));
    const auto bound = std::get<stored_bound>(terms(R"("comparison": "<", "bound": )" + text).bound);
    CHECK(bound.factor == factor);
    CHECK(bound.offset == offset);
}

TEST_CASE("a claim may be on another query, and have two sides", "[ci][unit]") {
    const auto other = std::get<query_bound>(
        terms(R"("comparison": "<", "bound": {"factor": 1.25, "query": {"word": "latency", "subjects": ["g"]}})")
            .bound);
    CHECK(other.factor == 1.25);
    CHECK(other.other.subjects.at(0).name() == "g");
    const auto share = terms(R"("comparison": "==", "bound": "3ms", "tolerance": "5%")").tolerance.value();
    CHECK(share.fraction == 0.05);
    CHECK(terms(R"("comparison": "==", "bound": "3ms", "tolerance": "1us")").tolerance.value().offset == 1000.0);
}

TEST_CASE("a percentile and a comparison of outputs are read", "[ci][unit]") {
    const auto p95 = read(R"({"query": {"word": "percentile", "percent": 95, "subjects": ["f"]}})");
    CHECK(p95.node().query().percent == 95.0);
    const auto outputs = read(R"({"query": {"word": "same_output", "subjects": ["f", "g"]}})");
    CHECK(std::get<output_claim>(outputs.node().says).candidate.name() == "g");
}

TEST_CASE("what is no claim is refused with what to write", "[ci][unit]") {
    std::string faults;
    for (const char* const rest :
         {R"("comparison": "<", "bound": "3 lightyears")", R"("comparison": "=", "bound": 1)",
          R"("comparison": "==", "bound": 1)", R"("comparison": "<", "bound": 1, "tolerance": "5%")",
          R"("comparison": "<")",
          R"("comparison": "<", "bound": {"factor": 1, "query": {"word": "speedup", "subjects": ["f", "g"]}})",
          R"("comparison": "<", "bound": {"factor": 1, "query": {"word": "latency", "subjects": ["f", "g"]}})"})
        faults += message_of<std::runtime_error>([&] { static_cast<void>(read(latency_of_f(rest))); }) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("options of a claim are read as those of the command line", "[ci][unit]") {
    std::list<std::string> texts;
    const auto options =
        options_of(detail::read_json(R"({"budget": "2s", "margin": "1%", "confirm": "off", "key": "k"})"), texts);
    REQUIRE(options.size() == 4);
    CHECK(options[0].number == 2e9);
    CHECK(options[1].number == 0.01);
    CHECK(options[2].number == 0.0);
    CHECK(options[3].text == std::string("k"));
    const auto wrong = GENERATE(R"({"ci": "on"})", R"({"bugdet": "2s"})", R"({"budget": "long"})");
    CHECK_THROWS_AS(options_of(detail::read_json(wrong), texts), input_error);
}

}  // namespace perfspec::tool
