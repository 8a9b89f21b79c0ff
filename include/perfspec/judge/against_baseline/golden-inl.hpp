// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/baseline/locate.hpp>
#include <perfspec/judge/against_baseline/find_baseline.hpp>
#include <perfspec/judge/against_baseline/golden.hpp>
#include <perfspec/judge/against_baseline/stored_claim.hpp>
#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/conclude.hpp>
#include <perfspec/quantity/error.hpp>

#include <string>

namespace perfspec::detail {

inline golden_outputs outputs_now(const claim_context& context, const claim_result& result) {
    const verification& outputs = *result.verified;
    return {context.key, outputs.made_by, context.time, context.run.origin().commit, outputs.fingerprints};
}

inline void compare_golden(const claim_context& context, claim_result& result, const baseline_store& beside,
                           const golden_store& store, const golden_outputs& kept) {
    const golden_outputs now = outputs_now(context, result);
    const std::string difference = output_difference(kept, now);
    if (difference.empty()) {
        result.verified->text += "\nthe same bits as the stored outputs" + origin_text(kept);
        return set_verdict(result, verdict::holds, result.verified->text);
    }
    result.verified->code = verification_code::fail;
    result.verified->text =
        "candidate and reference agree, but their bits differ from the stored outputs: " + difference +
        origin_text(kept) + (kept.made_by == now.made_by ? "" : ", now " + now.made_by) + " (" + store.path() + ")";
    set_verdict(result, verdict::violated, result.verified->text);
    result.advice.push_back("if the change is intended, store the new outputs: " +
                            update_variables(context, beside.path(), "1") + " " + run_again(context));
}

inline void keep_golden(const claim_context& context, claim_result& result, golden_store& store,
                        const std::string& why) {
    store.keep(outputs_now(context, result));
    set_verdict(result, verdict::not_judged, why + " (" + store.path() + ")");
}

/// Keeps the outputs now, as the update flag asks.
inline void update_golden(const claim_context& context, claim_result& result) {
    note_request(context, result);
    file_system& files = context.run.system().files;
    golden_store store(files, address_in(context, committed_folder(context.run.paths(context.plan), files).path));
    const golden_lookup known = store.find(context.key);
    if (known.outcome == lookup_outcome::found) {
        if (context.plan.update == baseline_update::missing)
            return set_verdict(result, verdict::not_judged,
                               "it has golden outputs, and this run stores only missing ones");
        if (output_difference(*known.kept, outputs_now(context, result)).empty())
            return set_verdict(result, verdict::not_judged,
                               "the outputs are the same as the stored ones" + origin_text(*known.kept));
    }
    keep_golden(context, result, store,
                known.kept ? "the outputs replace the stored ones" + origin_text(*known.kept)
                           : "the outputs are stored");
}

/// Handles a claim without golden outputs: keeps them here (local policy), or reports that there are none (ci policy).
inline void without_golden(const claim_context& context, claim_result& result, bool hardware_is_known) {
    if (context.plan.policy == missing_baseline_policy::local) {
        golden_store own(context.run.system().files, local_store(context).address());
        return keep_golden(
            context, result, own,
            "the first run on this machine: the outputs PASS and are stored; the next run compares with them");
    }
    set_verdict(
        result, hardware_is_known ? verdict::invalid : verdict::not_judged,
        hardware_is_known
            ? "this hardware has baselines, but this key has no golden outputs: store them with the update flag, and commit the file"
            : "no baselines for hardware \"" + context.hardware_key + "\" are committed, and no golden outputs");
}

void judge_golden(const claim_context& context, claim_result& result) {
    if (context.plan.update != baseline_update::none) return update_golden(context, result);
    file_system& files = context.run.system().files;
    const auto kept = find_in_stores(
        context, [&](const baseline_store& beside) { return golden_store(files, beside.address()).find(context.key); });
    if (kept.is_broken()) throw input_error(kept.lookup.reason);
    if (!kept.is_found()) return without_golden(context, result, kept.hardware_is_known);
    compare_golden(context, result, *kept.store, golden_store(files, kept.store->address()), *kept.lookup.kept);
}

}  // namespace perfspec::detail
