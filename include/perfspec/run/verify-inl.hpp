// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/golden-inl.hpp>
#include <perfspec/run/naming.hpp>

#include <cstring>
#include <string>

namespace perfspec::detail {

/// Whether both subjects come from adapters that know how to compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

/// The two subjects that a claim compares, by their places among all of its subjects (`subjects_of`): the candidate is the one that is claimed to
/// be better.
struct compared_pair {
    std::size_t reference{};
    std::size_t candidate{1};
};

inline bool compares_two(const evaluation& e) { return e.query().ratio || e.tree().verification || e.tree().bound == bound_kind::query; }

inline compared_pair pair_of(const evaluation& e) {
    if (e.query().ratio || e.tree().verification) return {0, 1};
    const bool claims_less = sign_of(e.tree().compared) < 0.0;
    return claims_less == (e.query().direction == better::less) ? compared_pair{1, 0} : compared_pair{0, 1};
}

/// Compares the outputs now: what they were at an earlier claim says nothing about a model that has changed since.
verification verify(evaluation& e) {
    const auto all = subjects_of(e.tree());
    const auto [first, second] = pair_of(e);
    const subject& reference = all.at(first);
    const subject& candidate = all.at(second);
    if (!comparable_outputs(reference, candidate)) {
        return {verification_code::verifier_didnt_run,
                "the outputs of \"" + e.names[first] + "\" and \"" + e.names[second] +
                    "\" cannot be compared: same_output needs two subjects of one adapter, such as eager and aot_inductor",
                {}};
    }
    return reference.state().functions->same_output(reference.storage(), candidate.storage());
}

inline void judge_output(evaluation& e) {
    e.out.evidence.method = "comparison of outputs";
    e.out.verified = verify(e);
    verification& v = *e.out.verified;
    if (v.code != verification_code::pass) v.fingerprints.clear();  // what a record has of bits may be accepted as golden
    switch (v.code) {
    case verification_code::pass: v.fingerprints.empty() ? set_verdict(e, verdict::holds, v.text) : judge_golden(e); break;
    case verification_code::fail: set_verdict(e, verdict::violated, v.text); break;
    case verification_code::verifier_skipped: set_verdict(e, verdict::not_judged, v.text); break;
    default: set_verdict(e, verdict::invalid, std::string(to_string(v.code)) + ": " + v.text); break;
    }
}

/// Whether two subjects are one: copies of a handle, or the same callable without a name.
inline bool is_one_body(const subject& a, const subject& b, bool written_alike) {
    const subject_state& x = a.state();
    const subject_state& y = b.state();
    if (x.id == y.id) return true;
    if (!x.name.empty() || !y.name.empty() || x.functions != y.functions) return false;
    switch (x.functions->identity) {
    case body_identity::own: return written_alike;
    case body_identity::type: return true;
    case body_identity::function: break;
    }
    return std::memcmp(x.storage, y.storage, sizeof(void (*)())) == 0;
}

void refuse_comparison_with_itself(const evaluation& e) {
    if (!compares_two(e) || e.tree().verification) return;
    const query_description& other = e.tree().other;
    const bool is_query = e.tree().bound == bound_kind::query;
    if (is_query && (e.query().measured != other.measured || e.query().own != other.own)) return;  // told where they would be paired
    const auto all = subjects_of(e.tree());
    // A text with a call, make(), may be another callable each time.
    const bool written_alike = e.names.at(0) == e.names.at(1) && e.names.at(0).find('(') == std::string::npos;
    if (!is_one_body(all.at(0), all.at(1), written_alike)) return;
    throw input_error("it compares \"" + e.names.at(0) +
                      "\" with itself: write speedup(x, y), or latency(y) < 0.8 * latency(x), of two subjects");
}

/// A comparison with a wrong answer counts for nothing: false, with the verdict invalid, unless the outputs agree or nobody can compare them.
[[nodiscard]] inline bool outputs_allow_judging(evaluation& e) {
    if (!compares_two(e) || e.tree().verification) return true;
    if (e.is_child() && needs_fresh_process(e.query().measured))
        return true;  // the parent verified; here the first run is what is measured
    const auto all = subjects_of(e.tree());
    const subject& reference = all.at(0);
    const subject& candidate = all.at(1);
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify) return true;
    e.out.verified = verify(e);
    e.out.verified->fingerprints.clear();  // golden outputs are of the claim on outputs
    const verification& v = *e.out.verified;
    if (v.code == verification_code::pass) return true;
    const bool compared = v.code != verification_code::verifier_skipped && v.code != verification_code::verifier_didnt_run;
    set_verdict(e, verdict::invalid,
                std::string(compared ? "the outputs do not agree (" : "the outputs were not compared (") + to_string(v.code) +
                    "), so that " + (e.query().ratio ? "a speedup" : "a comparison") + " says nothing: " + v.text);
    e.out.advice.emplace_back(compared ? "repair the candidate, or write .unverified() on a subject whose outputs differ on purpose"
                                       : "let them be compared, or write .unverified() on a subject whose outputs cannot be");
    return false;
}

void run_bodies_once(evaluation& e) {
    for (const subject& s : e.query().subjects) run_untimed(s, 1);
    if (e.tree().bound == bound_kind::query) {
        for (const subject& s : e.tree().other.subjects) run_untimed(s, 1);
    }
}

}  // namespace perfspec::detail
