// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/baseline/baseline_store.hpp>

#include <optional>
#include <string>
#include <utility>

namespace perfspec::detail {

/// The stores of this run for the query's hardware: the committed one where there is a folder, and this machine's own.
[[nodiscard]] std::optional<baseline_store> committed_store(const question& asked);
[[nodiscard]] baseline_store local_store(const question& asked);
/// Where the file of a question lies in a folder of baselines.
[[nodiscard]] baseline_address address_in(const question& asked, std::string folder);

/// What was kept for a question, and where. `Lookup` is what a store says of a key.
template <class Lookup> struct kept_for_question {
    Lookup lookup{};
    std::optional<baseline_store> store{};  ///< that has it, or is broken
    bool is_own{};                          ///< that store is this machine's own
    bool hardware_is_known{};               ///< the committed folder has something for this hardware

    [[nodiscard]] bool is_found() const { return lookup.outcome == lookup_outcome::found; }
    [[nodiscard]] bool is_broken() const {
        return lookup.outcome == lookup_outcome::unreadable || lookup.outcome == lookup_outcome::corrupt;
    }
};

/// Asks the stores of a run in their order, until one has the key or is broken: the committed one, and at a desk this machine's own, unless baselines
/// are being updated.
///
/// find  what a store's file has for the question
template <class Find> [[nodiscard]] auto find_in_stores(const question& asked, Find find) {
    using lookup = decltype(find(std::declval<const baseline_store&>()));
    kept_for_question<lookup> kept;
    const auto ask_store = [&](baseline_store store) {
        kept.lookup = find(store);
        if (kept.is_found() || kept.is_broken()) kept.store.emplace(std::move(store));
    };
    if (auto committed = committed_store(asked)) ask_store(*std::move(committed));
    const bool is_committed = kept.store.has_value();
    kept.hardware_is_known = kept.lookup.outcome != lookup_outcome::no_hardware;
    const bool has_own = asked.plan.policy == missing_baseline_policy::local && asked.plan.update == baseline_update::none;
    if (!is_committed && has_own) {
        ask_store(local_store(asked));
        kept.is_own = kept.store.has_value();
    }
    return kept;
}

/// The stored launches that a claim on baseline() is judged by.
[[nodiscard]] kept_for_question<baseline_lookup> find_baseline(const question& asked);

}  // namespace perfspec::detail
