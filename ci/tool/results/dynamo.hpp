// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <string>

namespace perfspec::tool {

/// The word of PyTorch's benchmarks/dynamo for a comparison of outputs, or for what kept a claim from being measured:
/// "pass", "fail_accuracy", "OOM", "timeout", "infra_error", … Empty if they have none.
[[nodiscard]] std::string dynamo_status(const record& r);

}  // namespace perfspec::tool
