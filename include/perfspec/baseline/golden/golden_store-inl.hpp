// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store-inl.hpp>
#include <perfspec/baseline/golden/golden_file-inl.hpp>
#include <perfspec/baseline/golden/golden_store.hpp>
#include <perfspec/baseline/path_component.hpp>

#include <chrono>
#include <utility>

namespace perfspec {

std::string golden_path_of(const baseline_address& address) {
    return detail::folder_of(address) + '/' + path_component(address.suite) + ".golden";
}

golden_store::golden_store(file_system& files, baseline_address where)
    : files_(files), where_(std::move(where)), path_(golden_path_of(where_)) {}

golden_snapshot golden_store::load() const {
    return detail::load_keyed_file<golden_snapshot>(files_, where_, path_, parse_golden_file);
}

golden_lookup golden_store::find(std::string_view key) const {
    const golden_snapshot stored = load();
    if (stored.outcome != lookup_outcome::found) return {stored.outcome, {}, stored.reason};
    if (const golden_outputs* kept = stored.file.find(key)) return {lookup_outcome::found, *kept, {}};
    return {lookup_outcome::no_entry, {}, {}};
}

void golden_store::keep(const golden_outputs& fresh) {
    detail::with_remedy(path_, where_, [&] {
        files_.create_folders(detail::folder_of(where_));
        const auto held = files_.lock(detail::folder_of(where_), std::chrono::seconds(30));
        golden_file file = detail::usable_file_of(load(), where_);
        file.insert_or_replace(fresh);
        files_.write_atomically(path_, render_golden_file(file));
    });
}

}  // namespace perfspec
