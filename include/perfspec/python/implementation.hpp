// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The bodies of <perfspec/python.hpp>.

#include <perfspec/python/subject_worker-inl.hpp>
#include <perfspec/python/worker_script-inl.hpp>
#include <perfspec/python/worker_subjects-inl.hpp>
