// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/claim/stores.hpp>
#include <perfspec/judge/judge_claim.hpp>
#include <perfspec/judge/outputs.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/session/session.hpp>

#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

inline golden_outputs outputs_now(const claim_context& context, const verification& outputs) {
    return {context.key, outputs.made_by, context.time, context.run.origin().commit, outputs.fingerprints};
}

inline claim_result compare_golden(const claim_context& context, claim_result result, const baseline_store& baselines,
                                   const golden_store& store, const golden_outputs& stored) {
    verification& outputs = result.verified.value();
    const golden_outputs now = outputs_now(context, outputs);
    const std::string difference = output_difference(stored, now);
    judgement outcome{verdict::holds};
    if (difference.empty()) {
        outputs.text += "\nthe same bits as the stored outputs" + origin_text(stored);
    } else {
        outputs.code = verification_code::fail;
        outputs.text = "candidate and reference agree, but their bits differ from the stored outputs: " + difference +
                       origin_text(stored) + (stored.made_by == now.made_by ? "" : ", now " + now.made_by) + " (" +
                       store.path() + ")";
        outcome.verdict = verdict::violated;
        outcome.advice.push_back("if the change is intended, store the new outputs: " +
                                 update_variables(context, baselines.path(), "1") + " " + run_again(context));
    }
    outcome.reason = outputs.text;
    return judged(std::move(result), std::move(outcome));
}

inline judgement store_golden(const claim_context& context, const verification& outputs, golden_store& store,
                              const std::string& why) {
    store.keep(outputs_now(context, outputs));
    return {.reason = why + " (" + store.path() + ")"};
}

/// Stores the outputs, for the update flag.
inline judgement update_golden(const claim_context& context, const verification& outputs) {
    file_system& files = context.run.system().files;
    golden_store store(files, address_in(context, committed_folder(context.run.paths(context.plan), files)));
    const keyed_lookup<golden_outputs> stored = store.find(context.key);
    if (stored.outcome == lookup_outcome::found) {
        if (context.plan.update == baseline_update::missing)
            return {.reason = "this claim has golden outputs, and this run stores only missing ones"};
        if (output_difference(*stored.entry, outputs_now(context, outputs)).empty())
            return {.reason = "the outputs are the same as the stored ones" + origin_text(*stored.entry)};
    }
    return store_golden(context, outputs, store,
                        stored.entry ? "the outputs replace the stored ones" + origin_text(*stored.entry)
                                     : "the outputs are stored");
}

/// Handles a claim without golden outputs: stores them (outside of CI), or reports that there are none (in CI).
inline judgement without_golden(const claim_context& context, const verification& outputs, bool has_hardware) {
    if (context.plan.ci != ci_rules::on) {
        golden_store own(context.run.system().files, local_store(context).address());
        return store_golden(
            context, outputs, own,
            "the first run on this machine: the outputs PASS and are stored; the next run compares with them");
    }
    if (has_hardware)
        return {verdict::error, "this hardware has baselines, but this key has no golden outputs: store them with "
                                "PERFSPEC_UPDATE_BASELINES=missing, and commit the file"};
    return {.reason = "no baselines for hardware \"" + context.hardware_key +
                      "\" are committed, so there are no golden outputs to compare with"};
}

/// Compares outputs that PASS with the golden outputs, bit by bit. With the update flag, and on the first run of a
/// machine, stores them instead. Throws input_error for an unusable file.
///
/// result  with the outputs in `verified`
inline claim_result judge_golden(const claim_context& context, claim_result result) {
    const verification outputs = result.verified.value();
    if (context.plan.update != baseline_update::none) {
        result.on_request = is_on_request(context);
        judgement outcome = with_partial_result(result, [&] { return update_golden(context, outputs); });
        return judged(std::move(result), std::move(outcome));
    }
    file_system& files = context.run.system().files;
    const auto stored = find_in_stores(context, [&](const baseline_store& baselines) {
        return golden_store(files, baselines.address()).find(context.key);
    });
    if (stored.is_broken()) throw input_error(stored.lookup.reason);
    if (!stored.is_found()) return judged(std::move(result), without_golden(context, outputs, stored.has_hardware));
    return compare_golden(context, std::move(result), *stored.store, golden_store(files, stored.store->address()),
                          *stored.lookup.entry);
}

/// Whether both subjects are of one adapter that can compare their outputs.
inline bool comparable_outputs(const subject& reference, const subject& candidate) {
    const auto compare = reference.state().functions->same_output;
    return compare != nullptr && compare == candidate.state().functions->same_output;
}

inline bool compares_two(const claim_context& context) { return context.is_relative() || context.is_of_outputs; }

/// Whether the second subject is the reference: then the claim calls the first one, the candidate, better.
inline bool is_reference_second(const claim_context& context) {
    if (context.query.is_ratio() || context.is_of_outputs) return false;
    return context.claims_less() == (context.query.direction == better::less);
}

/// Compares the outputs again for every claim: the model may have changed since an earlier one.
inline verification verify(const claim_context& context) {
    const std::vector<subject>& subjects = context.subjects;
    const std::size_t first = is_reference_second(context) ? 1 : 0;
    const std::size_t second = 1 - first;
    const subject& reference = subjects.at(first);
    const subject& candidate = subjects.at(second);
    if (!comparable_outputs(reference, candidate)) {
        return {
            verification_code::verifier_didnt_run,
            "the outputs of \"" + context.names[first] + "\" and \"" + context.names[second] +
                "\" cannot be compared: same_output needs two subjects from one adapter, such as two models of one library",
            {}};
    }
    const bodies_run_scope running(context);  // the host names this claim if the bodies crash or are stopped
    return reference.state().functions->same_output(reference.storage(), candidate.storage());
}

claim_result judge_output(const claim_context& context) {
    claim_result result = empty_result(context);
    result.evidence.method = "comparison of outputs";
    verification v = verify(context);
    if (v.code != verification_code::pass) v.fingerprints.clear();  // only outputs that agree can be golden
    result.verified = v;
    switch (v.code) {
    case verification_code::pass:
        if (!v.fingerprints.empty()) return with_partial_result(result, [&] { return judge_golden(context, result); });
        return judged(std::move(result), {verdict::holds, v.text});
    case verification_code::fail: return judged(std::move(result), {verdict::violated, v.text});
    case verification_code::verifier_skipped: return judged(std::move(result), {.reason = v.text});
    default: break;
    }
    return judged(std::move(result), {verdict::error, std::string(to_string(v.code)) + ": " + v.text});
}

void refuse_comparison_with_itself(const claim_context& context) {
    if (!context.is_relative()) return;
    const bool is_same_metric =
        !context.is_against_query() ||
        (context.query.metric == context.other().metric && own_name_of(context.query) == own_name_of(context.other()) &&
         counts_load(context.query) == counts_load(context.other()));
    if (!is_same_metric) return;  // ratio_of reports it
    const std::string second = context.is_against_query() ? detail_of(context.other(), 0) : detail_of(context.query, 1);
    if (detail_of(context.query, 0) != second) return;  // two parts of one body
    const std::vector<subject>& subjects = context.subjects;
    if (!same_body(keyed(subjects.at(0)), keyed(subjects.at(1)), true)) return;
    throw input_error("the claim compares \"" + context.names.at(0) +
                      "\" with itself: name two subjects, as in speedup(x, y) > 1.2 or latency(y) < 0.8 * latency(x)");
}

/// Whether both outputs exist and were compared.
inline bool are_compared(verification_code code) {
    return code == verification_code::fail || code == verification_code::nondeterministic_eager_run;
}

inline std::string advice_for_outputs(verification_code code, const std::string& unverified) {
    const std::string on_purpose = ", or write " + unverified + " on a subject if its outputs ";
    if (code == verification_code::nondeterministic_eager_run)
        return "make the reference deterministic" + on_purpose + "differ on purpose";
    if (are_compared(code)) return "correct the candidate" + on_purpose + "differ on purpose";
    if (code == verification_code::verifier_skipped || code == verification_code::verifier_didnt_run)
        return "make the outputs comparable" + on_purpose + "cannot be compared";
    return "correct the failure, because there is no output to compare";
}

/// Why outputs that do not pass allow no verdict.
inline judgement against_outputs(const claim_context& context, const verification& v, const char* why) {
    std::string reason = std::string(why) + " (" + to_string(v.code) + "), so " +
                         (context.query.is_ratio() ? "a speedup" : "a comparison") + " says nothing: ";
    std::string_view lines = v.text;
    reason += take_until(lines, '\n');
    while (!lines.empty()) reason.append("; ").append(take_until(lines, '\n'));
    return {verdict::error, std::move(reason), {advice_for_outputs(v.code, context.framework.words().unverified)}};
}

outputs_check check_outputs(const claim_context& context) {
    if (!compares_two(context) || context.is_of_outputs) return {};
    if (context.is_child() && needs_fresh_process(context.query.metric))
        return {};  // the parent has verified them, and this process must measure the first run
    const std::vector<subject>& subjects = context.subjects;
    const subject& reference = subjects.at(0);
    const subject& candidate = subjects.at(1);
    if (!comparable_outputs(reference, candidate) || !reference.state().verify || !candidate.state().verify) return {};
    verification v = verify(context);
    v.fingerprints.clear();  // golden outputs belong to the claim on outputs
    if (v.code == verification_code::pass) return {std::move(v), {}};
    judgement against = against_outputs(
        context, v, are_compared(v.code) ? "the outputs do not agree" : "the outputs were not compared");
    return {std::move(v), std::move(against)};
}

claim_result compare_outputs_again(const claim_context& context, claim_result result) {
    const bool has_agreed =
        result.verified && result.verified->code == verification_code::pass && !context.is_of_outputs;
    if (result.verdict != verdict::holds || !has_agreed || needs_fresh_process(context.query.metric)) return result;
    verification after = with_partial_result(result, [&] { return verify(context); });
    after.fingerprints.clear();
    result.verified = after;
    if (after.code == verification_code::pass) return result;
    return judged(std::move(result),
                  against_outputs(context, after, "the outputs agreed before the measurement, but not after it"));
}

void run_bodies_once(const claim_context& context) {
    for (const subject& s : context.subjects) run_untimed(s, 1);
}

}  // namespace perfspec::inline v0_2::detail
