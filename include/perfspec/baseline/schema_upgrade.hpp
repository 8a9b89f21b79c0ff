// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

namespace perfspec::detail {

struct json_value;

/// Upgrades a file from version `from` to `from + 1`, in place.
struct schema_upgrade {
    unsigned from;
    void (*apply)(json_value& root);
};

/// Upgrades a file of any older version to `current`, step by step; the member `schema_version` stays as it is.
/// Throws json_fault for a version that is missing or newer, or for which there is no step.
void upgrade(json_value& root, std::span<const schema_upgrade> steps, unsigned current);

}  // namespace perfspec::detail
