// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of processes and against_baseline, and of claims over processes.

#include <perfspec/fresh_processes/take_processes-inl.hpp>

#include <perfspec/procedures/contributions-inl.hpp>
#include <perfspec/procedures/process_centers-inl.hpp>

#include <perfspec/against_baseline/baseline_build-inl.hpp>
#include <perfspec/against_baseline/process_pair-inl.hpp>
#include <perfspec/against_baseline/record_baseline-inl.hpp>
#include <perfspec/against_baseline/stored_claim-inl.hpp>
#include <perfspec/against_baseline/stored_processes-inl.hpp>

#include <perfspec/judge/serve_claim-inl.hpp>
