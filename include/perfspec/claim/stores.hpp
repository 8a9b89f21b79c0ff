// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The stores of baselines that a claim of this run reads and writes.

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/claim/claim_context.hpp>

#include <optional>
#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// The stores of this run for the query's hardware: the committed one, if there is a folder, and this machine's own.
[[nodiscard]] std::optional<baseline_store> committed_store(const claim_context& context);

[[nodiscard]] baseline_store local_store(const claim_context& context);

/// The address of a claim's file in a folder of baselines.
[[nodiscard]] baseline_address address_in(const claim_context& context, std::string folder);

/// The stored data of a claim and their store. `Lookup` is a store's answer for a key.
template <class Lookup> struct stored_data {
    Lookup lookup{};
    std::optional<baseline_store> store{};  ///< the store that has the key or is broken
    bool is_own{};                          ///< whether that store is this machine's own
    bool has_hardware{};                    ///< whether the committed folder has anything for this hardware

    [[nodiscard]] bool is_found() const { return lookup.outcome == lookup_outcome::found; }
    [[nodiscard]] bool is_broken() const {
        return lookup.outcome == lookup_outcome::unreadable || lookup.outcome == lookup_outcome::corrupt;
    }
};

/// Searches the stores of a run until one has the key or is broken: first the committed store, then this machine's own,
/// which only a run outside of CI without an update reads.
///
/// find  looks up the claim in a store
template <class Find> [[nodiscard]] auto find_in_stores(const claim_context& context, Find find) {
    using lookup = decltype(find(std::declval<const baseline_store&>()));
    stored_data<lookup> stored;
    const auto search = [&](baseline_store store) {
        stored.lookup = find(store);
        if (stored.is_found() || stored.is_broken()) stored.store.emplace(std::move(store));
    };
    if (auto committed = committed_store(context)) search(*std::move(committed));
    const bool is_committed = stored.store.has_value();
    stored.has_hardware = stored.lookup.outcome != lookup_outcome::no_hardware;
    const bool has_own = context.plan.ci != ci_rules::on && context.plan.update == baseline_update::none;
    if (!is_committed && has_own) {
        search(local_store(context));
        stored.is_own = stored.store.has_value();
    }
    return stored;
}

}  // namespace perfspec::inline v0_2::detail
