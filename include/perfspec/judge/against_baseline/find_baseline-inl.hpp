// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/locate.hpp>
#include <perfspec/judge/against_baseline/find_baseline.hpp>

namespace perfspec::detail {

baseline_address address_in(const question& asked, std::string folder) {
    return {std::move(folder), asked.hardware_key, asked.plan.build_variant, asked.context.suite()};
}

std::optional<baseline_store> committed_store(const question& asked) {
    file_system& files = asked.context.around().files;
    const auto folder = find_committed_folder(asked.context.paths(asked.plan), files);
    if (!folder) return {};
    return baseline_store(files, address_in(asked, folder->path));
}

baseline_store local_store(const question& asked) {
    file_system& files = asked.context.around().files;
    return {files, address_in(asked, local_folder(asked.context.paths(asked.plan), files).path)};
}

kept_for_question<baseline_lookup> find_baseline(const question& asked) {
    return find_in_stores(asked,
                          [&](const baseline_store& store) { return asked.context.stored_in(store).find(asked.key); });
}

}  // namespace perfspec::detail
