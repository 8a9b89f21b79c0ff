// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/locate.hpp>
#include <perfspec/judge/against_baseline/find_baseline.hpp>

namespace perfspec::detail {

baseline_address address_in(const claim_context& context, std::string folder) {
    return {std::move(folder), context.hardware_key, context.plan.build_variant, context.run.suite()};
}

std::optional<baseline_store> committed_store(const claim_context& context) {
    file_system& files = context.run.system().files;
    const auto folder = find_committed_folder(context.run.paths(context.plan), files);
    if (!folder) return {};
    return baseline_store(files, address_in(context, folder->path));
}

baseline_store local_store(const claim_context& context) {
    file_system& files = context.run.system().files;
    return {files, address_in(context, local_folder(context.run.paths(context.plan), files).path)};
}

kept_for_claim<baseline_lookup> find_baseline(const claim_context& context) {
    return find_in_stores(context,
                          [&](const baseline_store& store) { return context.run.stored_in(store).find(context.key); });
}

}  // namespace perfspec::detail
