// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/run/evaluation.hpp>

#include <string>

namespace perfspec::detail {

/// Whether both subjects come from adapters that know how to compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

/// Once for two subjects in a test case: a claim on their outputs and several on their speed ask the same.
verification verify(evaluation& e) {
    const subject& reference = e.query().subjects.at(0);
    const subject& candidate = e.query().subjects.at(1);
    if (!comparable_outputs(reference, candidate)) {
        return {verification_code::verifier_didnt_run,
                "the outputs of \"" + e.names[0] + "\" and \"" + e.names[1] +
                    "\" cannot be compared: same_output needs two subjects of one adapter, such as eager and aot_inductor",
                {}};
    }
    const std::string pair = std::to_string(reference.state().id) + ' ' + std::to_string(candidate.state().id);
    shared_samples& shared = e.context.samples();
    if (const auto known = shared.verified.find(pair); known != shared.verified.end()) return known->second;
    verification found = reference.state().functions->same_output(reference.storage(), candidate.storage());
    return shared.verified.emplace(pair, std::move(found)).first->second;
}

inline void judge_output(evaluation& e) {
    e.out.evidence.method = "comparison of outputs";
    e.out.verified = verify(e);
    const verification& v = *e.out.verified;
    switch (v.code) {
    case verification_code::pass: set_verdict(e, verdict::holds, v.text); break;
    case verification_code::fail: set_verdict(e, verdict::violated, v.text); break;
    case verification_code::verifier_skipped: set_verdict(e, verdict::not_judged, v.text); break;
    default: set_verdict(e, verdict::invalid, std::string(to_string(v.code)) + ": " + v.text); break;
    }
}

/// A speedup of a wrong answer counts for nothing: false, with the verdict invalid, unless the outputs agree or nobody can compare them.
[[nodiscard]] inline bool outputs_allow_judging(evaluation& e) {
    if (!e.query().ratio || e.tree().verification) return true;
    const subject& reference = e.query().subjects[0];
    const subject& candidate = e.query().subjects[1];
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify) return true;
    e.out.verified = verify(e);
    if (e.out.verified->code == verification_code::pass) return true;
    set_verdict(e, verdict::invalid,
                std::string("the outputs do not agree (") + to_string(e.out.verified->code) +
                    "), so that a speedup says nothing: " + e.out.verified->text);
    e.out.advice.emplace_back("repair the candidate, or write .unverified() on a subject whose outputs differ on purpose");
    return false;
}

void run_bodies_once(evaluation& e) {
    for (const subject& s : e.query().subjects) run_untimed(s, 1);
    if (e.tree().bound == bound_kind::query) {
        for (const subject& s : e.tree().other.subjects) run_untimed(s, 1);
    }
}

}  // namespace perfspec::detail
