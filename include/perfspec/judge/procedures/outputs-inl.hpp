// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/against_baseline/golden.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/procedures/outputs.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Whether both subjects come from the same adapter, and it can compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

/// The two subjects that a claim compares, by index into `claim::subjects`. The candidate is the one that the claim
/// calls better.
struct compared_pair {
    std::size_t reference{};
    std::size_t candidate{1};
};

inline bool compares_two(const claim_context& context) { return context.is_relative() || context.is_of_outputs; }

inline compared_pair pair_of(const claim_context& context) {
    if (context.query.is_ratio() || context.is_of_outputs) return {0, 1};
    const bool claims_less = context.claims_less();
    return claims_less == (context.query.direction == better::less) ? compared_pair{1, 0} : compared_pair{0, 1};
}

/// Which outputs are compared: those of runs that repeat exactly, where the adapter can have them so, or those of runs
/// as they are timed.
enum class outputs_of : unsigned char { repeatable_runs, timed_runs };

/// Compares the outputs again for every claim: the model may have changed since an earlier one.
inline verification verify(const claim_context& context, outputs_of runs = outputs_of::repeatable_runs) {
    const std::vector<subject>& all = context.subjects;
    const auto [first, second] = pair_of(context);
    const subject& reference = all.at(first);
    const subject& candidate = all.at(second);
    if (!comparable_outputs(reference, candidate)) {
        return {
            verification_code::verifier_didnt_run,
            "the outputs of \"" + context.names[first] + "\" and \"" + context.names[second] +
                "\" cannot be compared: same_output needs two subjects from one adapter, such as eager and aot_inductor",
            {}};
    }
    const bodies_run_scope running(context);  // the bodies may crash, or be stopped: then the host names this claim
    const body_functions& functions = *reference.state().functions;
    const bool as_timed = runs == outputs_of::timed_runs && functions.same_output_as_timed != nullptr;
    return (as_timed ? functions.same_output_as_timed : functions.same_output)(reference.storage(),
                                                                               candidate.storage());
}

inline void judge_output(const claim_context& context, claim_result& result) {
    result.evidence.method = "comparison of outputs";
    result.verified = verify(context);
    verification& v = *result.verified;
    if (v.code != verification_code::pass) v.fingerprints.clear();  // outputs that do not agree are no golden ones
    switch (v.code) {
    case verification_code::pass:
        v.fingerprints.empty() ? set_verdict(result, verdict::holds, v.text) : judge_golden(context, result);
        break;
    case verification_code::fail: set_verdict(result, verdict::violated, v.text); break;
    case verification_code::verifier_skipped: set_verdict(result, verdict::not_judged, v.text); break;
    default: set_verdict(result, verdict::invalid, std::string(to_string(v.code)) + ": " + v.text); break;
    }
}

/// Whether two subjects are the same body: copies of a handle, or the same callable without a name and without a state
/// of its own.
inline bool is_one_body(const subject& a, const subject& b) {
    const subject_state& x = a.state();
    const subject_state& y = b.state();
    if (x.id == y.id) return true;
    if (!x.name.empty() || !y.name.empty() || x.functions != y.functions) return false;
    switch (x.functions->identity) {
    case body_identity::own: return false;
    case body_identity::type: return true;
    case body_identity::function: break;
    }
    return std::memcmp(x.storage, y.storage, sizeof(void (*)())) == 0;
}

void refuse_comparison_with_itself(const claim_context& context) {
    if (!context.is_relative()) return;
    const auto own_name = [](const query_description& q) { return q.said<own_metric>().name; };
    const bool are_alike = !context.is_against_query() || (context.query.metric == context.other().metric &&
                                                           own_name(context.query) == own_name(context.other()) &&
                                                           counts_load(context.query) == counts_load(context.other()));
    if (!are_alike) return;  // ratio_of reports it
    const std::vector<std::string> kernels = work_names_of(context);
    if (kernels.front() != kernels.back()) return;  // of one body, two kernels
    const std::vector<subject>& all = context.subjects;
    if (!is_one_body(all.at(0), all.at(1))) return;
    throw input_error("it compares \"" + context.names.at(0) +
                      "\" with itself: write speedup(x, y), or latency(y) < 0.8 * latency(x), of two subjects");
}

inline std::string what_is_compared(const claim_context& context) {
    return context.query.is_ratio() ? "a speedup" : "a comparison";
}

/// Whether both outputs were there, and were compared.
inline bool are_compared(verification_code code) {
    return code == verification_code::fail || code == verification_code::nondeterministic_eager_run;
}

inline const char* advice_for_outputs(verification_code code) {
    if (are_compared(code))
        return "correct the candidate, or write .unverified() on a subject if its outputs differ on purpose";
    if (code == verification_code::verifier_skipped || code == verification_code::verifier_didnt_run)
        return "make them comparable, or write .unverified() on a subject if its outputs cannot be compared";
    return "mend what failed: no output was there to compare";
}

bool outputs_allow_judging(const claim_context& context, claim_result& result) {
    if (!compares_two(context) || context.is_of_outputs) return true;
    if (context.is_child() && needs_fresh_process(context.query.metric))
        return true;  // the parent has verified them; here the first run must be the measured one
    const std::vector<subject>& all = context.subjects;
    const subject& reference = all.at(0);
    const subject& candidate = all.at(1);
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify)
        return true;
    result.verified = verify(context);
    result.verified->fingerprints.clear();  // golden outputs belong to the claim on outputs
    const verification& v = *result.verified;
    if (v.code == verification_code::pass) return true;
    set_verdict(result, verdict::invalid,
                std::string(are_compared(v.code) ? "the outputs do not agree (" : "the outputs were not compared (") +
                    to_string(v.code) + "), so " + what_is_compared(context) + " says nothing: " + v.text);
    result.advice.emplace_back(advice_for_outputs(v.code));
    return false;
}

void compare_outputs_again(const claim_context& context, claim_result& result) {
    const bool has_agreed =
        result.verified && result.verified->code == verification_code::pass && !context.is_of_outputs;
    if (result.verdict != verdict::holds || !has_agreed || needs_fresh_process(context.query.metric)) return;
    result.verified = verify(context, outputs_of::timed_runs);
    result.verified->fingerprints.clear();
    const verification& after = *result.verified;
    if (after.code == verification_code::pass) return;
    set_verdict(result, verdict::invalid,
                std::string("the outputs agreed before measuring, and not after it (") + to_string(after.code) +
                    "), so " + what_is_compared(context) + " says nothing: " + after.text);
    result.advice.emplace_back(advice_for_outputs(after.code));
}

void run_bodies_once(const claim_context& context) {
    for (const subject& s : context.subjects) run_untimed(s, 1);
}

const procedure comparison_of_outputs{"comparison of outputs",
                                      [](const claim_context& context) { return context.is_of_outputs; }, judge_output};

}  // namespace perfspec::detail
