// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: from a claim to its record, on what the other units do.

#include <perfspec/perfspec.hpp>

#include <perfspec/run/link_check.ipp>

#include <perfspec/run/departures.ipp>
#include <perfspec/run/provenance.ipp>
#include <perfspec/run/surroundings.ipp>

#include <perfspec/run/session.ipp>

#include <perfspec/run/common.ipp>

#include <perfspec/run/not_judged.ipp>

#include <perfspec/run/commands.ipp>
#include <perfspec/run/confirm.ipp>
#include <perfspec/run/measuring.ipp>
#include <perfspec/run/naming.ipp>
#include <perfspec/run/undecided.ipp>
#include <perfspec/run/verify.ipp>

#include <perfspec/run/judge_pairs.ipp>
#include <perfspec/run/launch_interval.ipp>

#include <perfspec/run/judge_blocks.ipp>
#include <perfspec/run/judge_counts.ipp>
#include <perfspec/run/judge_percentiles.ipp>
#include <perfspec/run/judge_value_pairs.ipp>
#include <perfspec/run/launch_value.ipp>
#include <perfspec/run/measure_several.ipp>
#include <perfspec/run/take_launches.ipp>

#include <perfspec/run/judge_launches.ipp>

#include <perfspec/run/judge_fresh.ipp>
#include <perfspec/run/judge_growth.ipp>
#include <perfspec/run/judge_stability.ipp>
#include <perfspec/run/record_baseline.ipp>

#include <perfspec/run/judge_stored.ipp>
#include <perfspec/run/launch_pair.ipp>

#include <perfspec/run/judge_reference.ipp>

#include <perfspec/run/judge_counted_builds.ipp>
#include <perfspec/run/serve_claim.ipp>
#include <perfspec/run/vanished.ipp>

#include <perfspec/run/evaluate.ipp>

#include <perfspec/run/machine_findings.ipp>

#include <perfspec/run/doctor.ipp>

#include <perfspec/run/assertion.ipp>
#include <perfspec/run/host.ipp>
#include <perfspec/run/program.ipp>
