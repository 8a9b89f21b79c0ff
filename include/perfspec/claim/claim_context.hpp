// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/samples.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// One assertion to evaluate.
struct assertion_request {
    const detail::expression_node& tree;
    const site& where;
    std::string_view claim;  ///< as written, with its options; empty outside macros
    std::span<const option> options;
};

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// One assertion, as resolved before measuring. `make_claim_context` fills it once; later steps change copies.
struct claim_context {
    session& run;
    host& framework;
    const site& where;
    std::string_view claim;           ///< as written
    std::span<const option> options;  ///< at the call
    std::string time;                 ///< start of the evaluation, RFC 3339
    test_position position;
    perfspec::plan plan{};
    std::vector<std::pair<std::string, std::string>> origins{};  ///< of the options that are set; empty in a child

    query_description query{};             ///< of a comparison of outputs: only the two subjects
    std::optional<claim_terms> written{};  ///< empty for a query without a bound, and for outputs
    std::optional<claim_terms> judged{};   ///< as `written`; for one side of a tolerance, that side's claim
    std::optional<tolerance_end> end{};    ///< the side of the tolerance
    bool is_of_outputs{};
    compared_side side{
        compared_side::first};  ///< the subject that the next fresh process measures, if each has its own

    std::vector<subject> subjects{};   ///< of the query, then of the query that it is compared with
    std::vector<std::string> names{};  ///< of the subjects
    std::vector<std::pair<std::string, std::string>> axes{};
    std::string text{};  ///< of the query: "speedup(slow, fast)"
    std::string key{};
    unsigned occurrence{};  ///< index of this use of the key in this process
    std::string hardware_key{};
    dimension unit{dimension::time};  ///< of the measured value; a ratio if two queries are compared

    /// What was measured so far. The sides of a tolerance share it.
    std::shared_ptr<evaluation_samples> samples{std::make_shared<evaluation_samples>()};

    std::string differing_settings{};       ///< why only some subjects take the run's settings; empty if all do
    std::string fault{};                    ///< why it cannot be judged; empty if it can
    std::optional<failure_kind> failure{};  ///< of the fault, if the record has a code for it

    [[nodiscard]] bool is_child() const noexcept { return run.child().has_value(); }

    [[nodiscard]] bool is_bounded() const noexcept { return judged.has_value(); }
    [[nodiscard]] bool is_against_baseline() const noexcept { return has<stored_bound>(); }
    [[nodiscard]] bool is_against_query() const noexcept { return has<query_bound>(); }
    /// Whether two subjects are measured against each other.
    [[nodiscard]] bool is_relative() const noexcept { return is_against_query() || query.is_ratio(); }
    [[nodiscard]] bool has_tolerance() const noexcept { return written && written->tolerance; }

    /// Whether the option `allow_regression` may widen this claim's bound: a one-sided bound on a baseline, in a unit
    /// that a factor scales.
    [[nodiscard]] bool is_bounded_by_allowed_regression() const {
        return plan.allow_regression && is_against_baseline() && !has_tolerance() && compared() != comparison::equal &&
               unit != dimension::power;
    }

    // Precondition of these: there is a bound.
    [[nodiscard]] comparison compared() const { return judged.value().compared; }
    /// +1 if the claim is that the value is greater than the bound, -1 if less. -1 for equal, too, which only exact
    /// comparisons use.
    [[nodiscard]] double sign() const {
        return compared() == comparison::greater || compared() == comparison::greater_equal ? 1.0 : -1.0;
    }
    [[nodiscard]] bool claims_less() const { return sign() < 0.0; }
    /// Whether more time makes the claim false. Of a rate it is a smaller value that does.
    [[nodiscard]] bool claims_less_time() const { return claims_less() != is_rate(query.metric); }
    /// Whether the claim excludes its bound: `<` or `>`. The ends of a tolerance belong to it.
    [[nodiscard]] bool is_strict() const {
        return is_bounded() && (compared() == comparison::less || compared() == comparison::greater);
    }
    /// How far beyond its bound the value may be if the claim holds; nothing for a strict one.
    [[nodiscard]] double margin() const { return is_strict() ? 0.0 : plan.margin; }
    [[nodiscard]] double value() const { return std::get<value_bound>(judged.value().bound).value; }
    [[nodiscard]] const stored_bound& stored() const { return std::get<stored_bound>(judged.value().bound); }
    [[nodiscard]] const query_bound& against() const { return std::get<query_bound>(judged.value().bound); }
    [[nodiscard]] const query_description& other() const { return against().other; }
    /// The bound of a ratio; for two queries, the factor between them.
    [[nodiscard]] double ratio_bound() const { return is_against_query() ? against().factor : value(); }

    /// The unit's name in files: that of its dimension, or the user's own.
    [[nodiscard]] std::string unit_name() const;

private:
    template <class Bound> [[nodiscard]] bool has() const noexcept {
        return judged && std::holds_alternative<Bound>(judged->bound);
    }
};

/// Resolves the claim of an assertion. After a user's mistake `fault` describes it, and the later fields are unset.
[[nodiscard]] claim_context make_claim_context(session& run, host& framework, const assertion_request& request);

/// The file and line of the assertion.
[[nodiscard]] std::string place_of(const claim_context& context);

/// The claim about one side of the tolerance, with its own rate.
[[nodiscard]] claim_context at_end(const claim_context& whole, tolerance_end end, double false_failure);

}  // namespace perfspec::inline v0_2::detail
