// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The commands that a record shows.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The command that runs the assertion's test again, from any folder.
[[nodiscard]] std::string run_again(const claim_context& context);

/// The command that stores this result's processes or outputs from the file of results: "perfspec accept
/// 'results.jsonl'
/// --baseline-dir 'baselines'". Run it at the top of a checkout, with the file of results in the same folder. Empty if
/// no results are written, if there are too few processes, or if they are stored already.
[[nodiscard]] std::string accept_from_results(const claim_context& context, const claim_result& result);

/// The environment variables that make an update write this store's file: "PERFSPEC_UPDATE_BASELINES=append". They
/// include the folder if an option names it, or if the store is this machine's own.
[[nodiscard]] std::string update_variables(const claim_context& context, std::string_view file, std::string_view mode);

/// The commands that run the assertion again and that accept its value as baseline, by name. Unknown commands are left
/// out. Empty if the claim holds, and in a dry run.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> commands_for(const claim_context& context,
                                                                            const claim_result& result);

}  // namespace perfspec::inline v0_2::detail
