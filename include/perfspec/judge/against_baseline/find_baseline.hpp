// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/judge/claim_context.hpp>

#include <optional>
#include <string>
#include <utility>

namespace perfspec::detail {

/// The stores of this run for the query's hardware: the committed one, where there is a folder, and this machine's own
/// store.
[[nodiscard]] std::optional<baseline_store> committed_store(const claim_context& context);
[[nodiscard]] baseline_store local_store(const claim_context& context);
/// The address of a claim's file in a folder of baselines.
[[nodiscard]] baseline_address address_in(const claim_context& context, std::string folder);

/// The stored data for a claim, and where it was found. `Lookup` is a store's answer for a key.
template <class Lookup> struct kept_for_claim {
    Lookup lookup{};
    std::optional<baseline_store> store{};  ///< the store that has the key or is broken
    bool is_own{};                          ///< whether that store is this machine's own
    bool hardware_is_known{};               ///< whether the committed folder has anything for this hardware

    [[nodiscard]] bool is_found() const { return lookup.outcome == lookup_outcome::found; }
    [[nodiscard]] bool is_broken() const {
        return lookup.outcome == lookup_outcome::unreadable || lookup.outcome == lookup_outcome::corrupt;
    }
};

/// Searches the stores of a run until one has the key or is broken. The committed store comes first.
/// This machine's own store comes second, with the local policy and where no baselines are being updated.
///
/// find  looks the claim up in a store
template <class Find> [[nodiscard]] auto find_in_stores(const claim_context& context, Find find) {
    using lookup = decltype(find(std::declval<const baseline_store&>()));
    kept_for_claim<lookup> kept;
    const auto ask_store = [&](baseline_store store) {
        kept.lookup = find(store);
        if (kept.is_found() || kept.is_broken()) kept.store.emplace(std::move(store));
    };
    if (auto committed = committed_store(context)) ask_store(*std::move(committed));
    const bool is_committed = kept.store.has_value();
    kept.hardware_is_known = kept.lookup.outcome != lookup_outcome::no_hardware;
    const bool has_own =
        context.plan.policy == missing_baseline_policy::local && context.plan.update == baseline_update::none;
    if (!is_committed && has_own) {
        ask_store(local_store(context));
        kept.is_own = kept.store.has_value();
    }
    return kept;
}

/// Finds the stored launches for a claim on baseline().
[[nodiscard]] kept_for_claim<baseline_lookup> find_baseline(const claim_context& context);

}  // namespace perfspec::detail
