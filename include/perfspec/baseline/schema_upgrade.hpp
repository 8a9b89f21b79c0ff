// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

namespace perfspec::detail {

struct json_value;

/// Makes a file of version `from` one of version `from + 1`, in place.
struct schema_upgrade {
    unsigned from;
    void (*apply)(json_value& root);
};

/// Brings a file of any version that was ever written to `current`, one step after the other; `schema_version` stays as it stands.
/// Throws json_fault for a version that is missing, newer, or that no step knows.
void upgrade(json_value& root, std::span<const schema_upgrade> steps, unsigned current);

}  // namespace perfspec::detail
