// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// The GPUs that ctest granted to this test, in the words of CUDA_VISIBLE_DEVICES: "2", or "0,3". Nothing where ctest granted none: it runs
/// without a resource specification, or the test asks for no "gpus".
///
/// Source: "Resource Allocation" in the manual of ctest, with the variables CTEST_RESOURCE_GROUP_<n> and CTEST_RESOURCE_GROUP_<n>_GPUS.
[[nodiscard]] std::optional<std::string> granted_devices(const environment& variables);

}  // namespace perfspec::detail
