// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/procedure.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/procedures/outputs.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/judge/against_baseline/golden.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Whether both subjects come from the same adapter, and it can compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

/// The two subjects that a claim compares, by index into `question::subjects`. The candidate is the one that the claim
/// calls better.
struct compared_pair {
    std::size_t reference{};
    std::size_t candidate{1};
};

inline bool compares_two(const question& asked) { return asked.is_relative() || asked.is_of_outputs; }

inline compared_pair pair_of(const question& asked) {
    if (asked.query.is_ratio() || asked.is_of_outputs) return {0, 1};
    const bool claims_less = asked.claims_less();
    return claims_less == (asked.query.direction == better::less) ? compared_pair{1, 0} : compared_pair{0, 1};
}

/// Which outputs are compared: those of runs that repeat exactly, where the adapter can have them so, or those of runs
/// as they are timed.
enum class outputs_of : unsigned char { repeatable_runs, timed_runs };

/// Compares the outputs again for every claim: the model may have changed since an earlier one.
inline verification verify(const question& asked, outputs_of runs = outputs_of::repeatable_runs) {
    const std::vector<subject>& all = asked.subjects;
    const auto [first, second] = pair_of(asked);
    const subject& reference = all.at(first);
    const subject& candidate = all.at(second);
    if (!comparable_outputs(reference, candidate)) {
        return {
            verification_code::verifier_didnt_run,
            "the outputs of \"" + asked.names[first] + "\" and \"" + asked.names[second] +
                "\" cannot be compared: same_output needs two subjects from one adapter, such as eager and aot_inductor",
            {}};
    }
    const bodies_run_scope running(asked);  // the bodies may crash, or be stopped: then the host names this claim
    const body_functions& functions = *reference.state().functions;
    const bool as_timed = runs == outputs_of::timed_runs && functions.same_output_as_timed != nullptr;
    return (as_timed ? functions.same_output_as_timed : functions.same_output)(reference.storage(),
                                                                               candidate.storage());
}

inline void judge_output(const question& asked, finding& found) {
    found.evidence.method = "comparison of outputs";
    found.verified = verify(asked);
    verification& v = *found.verified;
    if (v.code != verification_code::pass) v.fingerprints.clear();  // outputs that do not agree are no golden ones
    switch (v.code) {
    case verification_code::pass:
        v.fingerprints.empty() ? set_verdict(found, verdict::holds, v.text) : judge_golden(asked, found);
        break;
    case verification_code::fail: set_verdict(found, verdict::violated, v.text); break;
    case verification_code::verifier_skipped: set_verdict(found, verdict::not_judged, v.text); break;
    default: set_verdict(found, verdict::invalid, std::string(to_string(v.code)) + ": " + v.text); break;
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

void refuse_comparison_with_itself(const question& asked) {
    if (!asked.is_relative()) return;
    const auto own_name = [](const query_description& q) { return q.said<own_metric>().name; };
    const bool are_alike = !asked.is_against_query() || (asked.query.metric == asked.other().metric &&
                                                         own_name(asked.query) == own_name(asked.other()) &&
                                                         counts_load(asked.query) == counts_load(asked.other()));
    if (!are_alike) return;  // ratio_of reports it
    const std::vector<std::string> kernels = work_names_of(asked);
    if (kernels.front() != kernels.back()) return;  // of one body, two kernels
    const std::vector<subject>& all = asked.subjects;
    if (!is_one_body(all.at(0), all.at(1))) return;
    throw input_error("it compares \"" + asked.names.at(0) +
                      "\" with itself: write speedup(x, y), or latency(y) < 0.8 * latency(x), of two subjects");
}

inline std::string what_is_compared(const question& asked) {
    return asked.query.is_ratio() ? "a speedup" : "a comparison";
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

bool outputs_allow_judging(const question& asked, finding& found) {
    if (!compares_two(asked) || asked.is_of_outputs) return true;
    if (asked.is_child() && needs_fresh_process(asked.query.metric))
        return true;  // the parent has verified them; here the first run must be the measured one
    const std::vector<subject>& all = asked.subjects;
    const subject& reference = all.at(0);
    const subject& candidate = all.at(1);
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify)
        return true;
    found.verified = verify(asked);
    found.verified->fingerprints.clear();  // golden outputs belong to the claim on outputs
    const verification& v = *found.verified;
    if (v.code == verification_code::pass) return true;
    set_verdict(found, verdict::invalid,
                std::string(are_compared(v.code) ? "the outputs do not agree (" : "the outputs were not compared (") +
                    to_string(v.code) + "), so " + what_is_compared(asked) + " says nothing: " + v.text);
    found.advice.emplace_back(advice_for_outputs(v.code));
    return false;
}

void compare_outputs_again(const question& asked, finding& found) {
    const bool has_agreed = found.verified && found.verified->code == verification_code::pass && !asked.is_of_outputs;
    if (found.verdict != verdict::holds || !has_agreed || needs_fresh_process(asked.query.metric)) return;
    found.verified = verify(asked, outputs_of::timed_runs);
    found.verified->fingerprints.clear();
    const verification& after = *found.verified;
    if (after.code == verification_code::pass) return;
    set_verdict(found, verdict::invalid,
                std::string("the outputs agreed before measuring, and not after it (") + to_string(after.code) +
                    "), so " + what_is_compared(asked) + " says nothing: " + after.text);
    found.advice.emplace_back(advice_for_outputs(after.code));
}

void run_bodies_once(const question& asked) {
    for (const subject& s : asked.subjects) run_untimed(s, 1);
}

const procedure comparison_of_outputs{"comparison of outputs",
                                      [](const question& asked) { return asked.is_of_outputs; }, judge_output};

}  // namespace perfspec::detail
