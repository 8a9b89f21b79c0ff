// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/golden.ipp>

#include <string>

namespace perfspec::detail {

/// Whether both subjects come from adapters that know how to compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

/// Compares the outputs now: what they were at an earlier claim says nothing about a model that has changed since.
verification verify(evaluation& e) {
    const subject& reference = e.query().subjects.at(0);
    const subject& candidate = e.query().subjects.at(1);
    if (!comparable_outputs(reference, candidate)) {
        return {verification_code::verifier_didnt_run,
                "the outputs of \"" + e.names[0] + "\" and \"" + e.names[1] +
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

/// A speedup or compression of a wrong answer counts for nothing: false, with the verdict invalid, unless the outputs agree or nobody can compare them.
[[nodiscard]] inline bool outputs_allow_judging(evaluation& e) {
    if (!e.query().ratio || e.tree().verification) return true;
    if (e.is_child() && needs_fresh_process(e.query().measured))
        return true;  // the parent verified; here the first run is what is measured
    const subject& reference = e.query().subjects[0];
    const subject& candidate = e.query().subjects[1];
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify) return true;
    e.out.verified = verify(e);
    e.out.verified->fingerprints.clear();  // golden outputs are of the claim on outputs
    const verification& v = *e.out.verified;
    if (v.code == verification_code::pass) return true;
    const bool compared = v.code != verification_code::verifier_skipped && v.code != verification_code::verifier_didnt_run;
    set_verdict(e, verdict::invalid,
                std::string(compared ? "the outputs do not agree (" : "the outputs were not compared (") + to_string(v.code) +
                    "), so that a speedup says nothing: " + v.text);
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
