// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "claims.hpp"

#include <perfspec/explain/model_queries.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/queries.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/python/worker_subjects.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace perfspec::tool {
namespace {

using detail::expression;
using detail::json_kind;
using detail::json_value;
using detail::required;
using subject_list = std::vector<subject>;

/// A query by its name.
struct query_word {
    std::string_view word;
    std::size_t count;  ///< of its subjects
    expression (*make)(const subject_list& x, const json_value& described);
};

expression rate_of(const subject_list& x, const json_value& described) {
    const std::string work = text_of(described, "work");
    if (work == "items") return throughput(x[0]);
    if (work == "bytes") return throughput(x[0], bytes);
    if (work == "flops") return throughput(x[0], flops);
    throw input_error(fmt::format("a throughput counts items, bytes or flops, not \"{}\"", work));
}

expression own_metric_of(const subject_list& x, const json_value& described) {
    const std::string direction = text_of(described, "direction");
    if (direction == "more_is_better") return metric(text_of(described, "name"), more_is_better, x[0]);
    if (direction == "less_is_better") return metric(text_of(described, "name"), less_is_better, x[0]);
    throw input_error(fmt::format("\"{}\" is no direction, expected more_is_better or less_is_better", direction));
}

constexpr query_word query_words[] = {
    {"latency", 1, [](const subject_list& x, const json_value&) -> expression { return latency(x[0]); }},
    {"cpu_time", 1, [](const subject_list& x, const json_value&) -> expression { return cpu_time(x[0]); }},
    {"cold_start", 1, [](const subject_list& x, const json_value&) -> expression { return cold_start(x[0]); }},
    {"first_call", 1, [](const subject_list& x, const json_value&) -> expression { return first_call(x[0]); }},
    {"load_time", 1, [](const subject_list& x, const json_value&) -> expression { return load_time(x[0]); }},
    {"compile_time", 1, [](const subject_list& x, const json_value&) -> expression { return compile_time(x[0]); }},
    {"peak_memory", 1, [](const subject_list& x, const json_value&) -> expression { return peak_memory(x[0]); }},
    {"graph_breaks", 1, [](const subject_list& x, const json_value&) -> expression { return graph_breaks(x[0]); }},
    {"compilations", 1, [](const subject_list& x, const json_value&) -> expression { return compilations(x[0]); }},
    {"recompiles", 1, [](const subject_list& x, const json_value&) -> expression { return recompiles(x[0]); }},
    {"graphs", 1,
     [](const subject_list& x, const json_value&) -> expression { return worker_counter(x[0], "graphs"); }},
    {"speedup", 2, [](const subject_list& x, const json_value&) -> expression { return speedup(x[0], x[1]); }},
    {"same_output", 2, [](const subject_list& x, const json_value&) -> expression { return same_output(x[0], x[1]); }},
    {"memory_ratio", 2,
     [](const subject_list& x, const json_value&) -> expression { return memory_ratio(x[0], x[1]); }},
    {"throughput", 1, rate_of},
    {"metric", 1, own_metric_of},
    {"percentile", 1,
     [](const subject_list& x, const json_value& described) -> expression {
         return percentile(latency(x[0]), number_of(described, "percent"));
     }},
};

expression query_of(const json_value& described, const subject_finder& find) {
    const std::string word = text_of(described, "word");
    subject_list all;
    for (const json_value& name : required(described, "subjects").items) all.push_back(find(name.text));
    const auto* const known = std::ranges::find(query_words, word, &query_word::word);
    if (known != std::end(query_words) && known->count == all.size()) return known->make(all, described);
    throw input_error(fmt::format("\"{}\" of {} subjects is no query", word, all.size()));
}

comparison comparison_of(const std::string& sign) {
    static constexpr std::pair<std::string_view, comparison> all[] = {{"<", comparison::less},
                                                                      {"<=", comparison::less_equal},
                                                                      {">", comparison::greater},
                                                                      {">=", comparison::greater_equal},
                                                                      {"==", comparison::equal}};
    for (const auto& [spelling, known] : all)
        if (spelling == sign) return known;
    throw input_error(fmt::format("\"{}\" is no comparison, expected <, <=, >, >= or ==", sign));
}

std::optional<double> parse_bytes(std::string_view text) {
    static constexpr std::pair<std::string_view, double> units[] = {
        {"B", 1.0}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
    const auto number = detail::read_leading_number(text);
    if (!number) return {};
    const std::string_view unit =
        number->rest.substr(std::min(number->rest.find_first_not_of(' '), number->rest.size()));
    for (const auto& [name, factor] : units)
        if (name == unit) return number->value * factor;
    return {};
}

/// The fraction of a percentage such as "5%"; none if the value is something else.
std::optional<double> share_in(const json_value& value) {
    return value.kind == json_kind::string && value.text.ends_with('%') ? parse_fraction(value.text) : std::nullopt;
}

/// A bound or an offset, in base units.
double quantity_in(const json_value& bound, dimension unit) {
    const bool is_text = bound.kind == json_kind::string;
    std::optional<double> value;
    const bool is_rate = unit == dimension::byte_rate && bound.text.ends_with("/s");
    if (is_text && unit == dimension::time) value = parse_duration(bound.text);
    else if (is_text && (unit == dimension::bytes || is_rate))
        value = parse_bytes(bound.text.substr(0, bound.text.size() - (is_rate ? 2 : 0)));
    else if (bound.kind == json_kind::number) value = bound.number * (unit == dimension::time ? 1e9 : 1.0);
    if (value) return *value;
    const char* const legal = unit == dimension::time        ? "a time: write 0.003 (seconds) or \"3ms\""
                              : unit == dimension::bytes     ? "a size: write 1048576 or \"1MiB\""
                              : unit == dimension::byte_rate ? "a rate: write 2e8 (bytes a second) or \"200MB/s\""
                                                             : "a number: write one, such as 0.95";
    throw input_error(fmt::format("the bound is \"{}\", expected {}", bound.text, legal));
}

claim against_baseline(const expression& query, comparison compared, const json_value& bound) {
    double factor = number_of(bound, "baseline"), offset = 0.0;
    for (const auto& [name, sign] : {std::pair("plus", 1.0), std::pair("minus", -1.0)}) {
        const json_value* const moved = bound.member(name);
        if (moved == nullptr) continue;
        if (const auto share = share_in(*moved)) factor *= 1.0 + sign * *share;
        else offset = sign * quantity_in(*moved, query.node().query().unit);
    }
    return detail::claim_against_baseline(query, compared, factor, offset);
}

claim against_query(const expression& query, comparison compared, const json_value& bound, const subject_finder& find) {
    const expression other = query_of(required(bound, "query"), find);
    const query_description &one = query.node().query(), &two = other.node().query();
    if (one.unit != two.unit || one.statistic != two.statistic || one.unit == dimension::ratio)
        throw input_error(
            "a bound can only be the same query of another subject: write p99(latency(b)) < 1.2 * p99(latency(a))");
    return detail::claim_against_query(query, compared, number_of(bound, "factor"), other);
}

claim bounded(const expression& query, comparison compared, const json_value& bound, const subject_finder& find) {
    if (bound.member("baseline") != nullptr) return against_baseline(query, compared, bound);
    if (bound.member("query") != nullptr) return against_query(query, compared, bound, find);
    return detail::claim_against_value(query, compared, quantity_in(bound, query.node().query().unit));
}

option option_of(const option_description& row, const option_value& value, std::list<std::string>& texts) {
    option made{row.id, 0.0, nullptr};
    std::visit(
        [&]<class T>(const T& v) {
            if constexpr (std::is_same_v<T, std::chrono::nanoseconds>) made.number = static_cast<double>(v.count());
            else if constexpr (std::is_same_v<T, std::string>) made.text = texts.emplace_back(v).c_str();
            else if constexpr (!std::is_same_v<T, std::monostate>) made.number = static_cast<double>(v);
        },
        value);
    return made;
}

}  // namespace

std::string text_of(const json_value& object, std::string_view name) {
    const json_value& found = required(object, name);
    if (found.kind == json_kind::string) return found.text;
    throw input_error(fmt::format("\"{}\" is not a text", name));
}

double number_of(const json_value& object, std::string_view name) {
    const json_value& found = required(object, name);
    if (found.kind == json_kind::number) return found.number;
    throw input_error(fmt::format("\"{}\" is not a number", name));
}

expression expression_of(const json_value& described, const subject_finder& find) {
    const expression query = query_of(required(described, "query"), find);
    if (described.member("comparison") == nullptr) return query;
    if (std::holds_alternative<output_claim>(query.node().says))
        throw input_error("same_output takes no bound: write perf.require(perf.same_output(a, b))");
    const comparison compared = comparison_of(text_of(described, "comparison"));
    const claim whole = bounded(query, compared, required(described, "bound"), find);
    const json_value* const by = described.member("tolerance");
    const query_description& of = query.node().query();
    const bool is_equality = compared == comparison::equal;
    if (by != nullptr ? !is_equality : is_equality && of.statistic != statistic::exact)
        throw input_error("measured values are never exactly equal, and only == takes a tolerance: write < or > with a "
                          "bound, or == within(bound, \"5%\")");
    if (by == nullptr) return whole;
    const auto share = share_in(*by);
    return detail::claim_with_tolerance(whole, share.value_or(0.0), share ? 0.0 : quantity_in(*by, of.unit));
}

std::vector<option> options_of(const json_value& described, std::list<std::string>& texts) {
    std::vector<option> all;
    for (const json_value& each : described.items) {
        const option_description* const row = find_option(each.name);
        if (row == nullptr || row->scope == option_scope::outside)
            throw input_error(fmt::format("{} is no option of a claim, expected one such as budget=\"2s\"", each.name));
        const std::string spelled = fmt::format("{}=\"{}\"", each.name, each.text);
        const std::string legal = fmt::format("{}=\"{}\"", each.name, row->legal);
        all.push_back(option_of(*row, parse_option(*row, each.text, spelled, legal), texts));
    }
    return all;
}

}  // namespace perfspec::tool
