// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/python/subject_worker.hpp>

#include <string>

namespace perfspec::detail {

/// What is behind a subject that a worker runs.
struct worker_body {
    subject_worker* worker;
    std::string name;
};

}  // namespace perfspec::detail
