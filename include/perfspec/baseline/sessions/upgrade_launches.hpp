// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace perfspec::detail {

struct json_value;

/// From schema version 1, whose entries list launches one by one, to 2, whose entries list sessions: launches with one "sitting" become a session. Its
/// quantiles and numbers of samples are those of its median launch, its time and commit those of its newest one. Of more sessions than an entry holds the
/// oldest become one. Throws json_fault for a launch that is none of version 1.
void sessions_from_launches(json_value& root);

}  // namespace perfspec::detail
