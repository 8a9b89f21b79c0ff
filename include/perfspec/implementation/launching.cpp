// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of judge: claims over processes, and the processes that are started for a claim.

#include <perfspec/judge/against_baseline/stored_claim-inl.hpp>
#include <perfspec/judge/processes/contributions-inl.hpp>
#include <perfspec/judge/processes/launch_centres-inl.hpp>
#include <perfspec/judge/processes/launch_pair-inl.hpp>
#include <perfspec/judge/processes/serve_claim-inl.hpp>
#include <perfspec/judge/processes/take_launches-inl.hpp>

#include <perfspec/judge/against_baseline/record_baseline-inl.hpp>
#include <perfspec/judge/against_baseline/reference_build-inl.hpp>
#include <perfspec/judge/against_baseline/stored_launches-inl.hpp>
