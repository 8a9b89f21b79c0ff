// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Outputs that PASS against those that were kept, bit by bit; with the update flag, and on the first run of a machine, they are kept instead.

#include <perfspec/baseline/golden_store.hpp>
#include <perfspec/run/commands.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/stored_claim.hpp>

#include <string>

namespace perfspec::detail {

inline golden_outputs outputs_now(const evaluation& e) {
    const verification& found = *e.out.verified;
    return {e.out.key, found.made_by, e.out.time, e.out.commit, found.fingerprints};
}

inline void compare_golden(evaluation& e, const baseline_store& beside, const golden_store& store, const golden_outputs& kept) {
    const golden_outputs now = outputs_now(e);
    const std::string difference = output_difference(kept, now);
    if (difference.empty()) {
        e.out.verified->text += "\nthe same bits as those kept" + origin_text(kept);
        return set_verdict(e, verdict::holds, e.out.verified->text);
    }
    e.out.verified->code = verification_code::fail;
    e.out.verified->text = "candidate and reference agree, and their bits are not those that were kept: " + difference + origin_text(kept) +
                           (kept.made_by == now.made_by ? "" : ", now " + now.made_by) + " (" + store.path() + ")";
    set_verdict(e, verdict::violated, e.out.verified->text);
    e.out.advice.push_back("if the change is meant, keep the new ones: " + update_variables(e, beside.path(), "1") + " " + run_again(e));
}

inline void keep_golden(evaluation& e, golden_store& store, const std::string& why) {
    store.keep(outputs_now(e));
    set_verdict(e, verdict::not_judged, why + " (" + store.path() + ")");
}

/// The update flag.
inline void update_golden(evaluation& e) {
    note_request(e);
    file_system& files = e.context.around().files;
    baseline_address where{committed_folder(e.context.paths(e.plan), files).path, e.out.hardware_key, e.plan.build_variant,
                           e.context.suite()};
    golden_store store(files, where);
    const golden_lookup known = store.find(e.out.key);
    if (known.outcome == lookup_outcome::found) {
        if (e.plan.update == baseline_update::missing)
            return set_verdict(e, verdict::not_judged, "it has golden outputs, and only missing ones are kept");
        if (output_difference(*known.kept, outputs_now(e)).empty())
            return set_verdict(e, verdict::not_judged, "the outputs are those that were kept" + origin_text(*known.kept));
    }
    keep_golden(e, store, known.kept ? "the outputs are kept instead of those" + origin_text(*known.kept) : "the outputs are kept");
}

/// Nothing is kept for this claim.
inline void without_golden(evaluation& e, const golden_lookup& committed) {
    if (e.plan.policy == missing_baseline_policy::local) {
        golden_store own(e.context.around().files, local_store(e).address());
        return keep_golden(e, own, "the first run on this machine: the outputs PASS and are kept; the next run compares with them");
    }
    const bool known = committed.outcome != lookup_outcome::no_hardware;
    set_verdict(e, known ? verdict::invalid : verdict::not_judged,
                known ? "this hardware has baselines, this key has no golden outputs: keep them with the update flag and commit the file"
                      : "no baselines for hardware \"" + e.out.hardware_key + "\" are committed, and no golden outputs");
}

/// After PASS, of outputs whose bits are to be kept. Throws input_error for a file that cannot be used.
inline void judge_golden(evaluation& e) {
    if (e.plan.update != baseline_update::none) return update_golden(e);
    const auto judged_by = [&](const baseline_store& beside) {
        const golden_store store(e.context.around().files, beside.address());
        golden_lookup known = store.find(e.out.key);
        if (known.outcome == lookup_outcome::unreadable || known.outcome == lookup_outcome::corrupt) throw input_error(known.reason);
        if (known.outcome == lookup_outcome::found) compare_golden(e, beside, store, *known.kept);
        return known;
    };
    const auto committed = committed_store(e);
    golden_lookup known = committed ? judged_by(*committed) : golden_lookup{};
    if (known.outcome == lookup_outcome::found) return;
    if (e.plan.policy == missing_baseline_policy::local && judged_by(local_store(e)).outcome == lookup_outcome::found) return;
    without_golden(e, known);
}

}  // namespace perfspec::detail
