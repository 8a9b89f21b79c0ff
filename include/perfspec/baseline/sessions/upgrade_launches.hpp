// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec::detail {

struct json_value;

/// Upgrades from schema version 1, where an entry lists single launches, to 2, where it lists sessions. Launches with
/// one "sitting" become a session. Its quantiles and numbers of samples are those of its median launch; its time and
/// commit are those of its newest launch. Where there are more sessions than an entry holds, the oldest become one.
/// Throws json_fault for a launch that is not one of version 1.
void sessions_from_launches(json_value& root);

}  // namespace perfspec::detail
