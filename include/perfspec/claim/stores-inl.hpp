// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/stores.hpp>

#include <string>
#include <utility>

namespace perfspec::inline v0_2::detail {

std::optional<baseline_store> committed_store(const claim_context& context) {
    file_system& files = context.run.system().files;
    const auto folder = find_committed_folder(context.run.paths(context.plan), files);
    if (!folder) return {};
    return baseline_store(files, address_in(context, *folder));
}

baseline_store local_store(const claim_context& context) {
    file_system& files = context.run.system().files;
    return {files, address_in(context, local_folder(context.run.paths(context.plan), files))};
}

baseline_address address_in(const claim_context& context, std::string folder) {
    return {std::move(folder), context.hardware_key, context.plan.build_variant, context.run.suite()};
}

}  // namespace perfspec::inline v0_2::detail
