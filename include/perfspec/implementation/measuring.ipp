// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of the stages from quantity to baseline: everything up to evidence and stored launches.

#include <perfspec/quantity/format.ipp>
#include <perfspec/quantity/parse.ipp>

#include <perfspec/language/verification.ipp>

#include <perfspec/language/describe.ipp>
#include <perfspec/language/expression.ipp>
#include <perfspec/language/queries.ipp>
#include <perfspec/language/sentence.ipp>
#include <perfspec/language/subject.ipp>

#include <perfspec/plan/environment.ipp>
#include <perfspec/plan/nearest.ipp>
#include <perfspec/plan/option_table.ipp>
#include <perfspec/plan/option_text.ipp>
#include <perfspec/plan/plan_text.ipp>
#include <perfspec/plan/resolve.ipp>

#include <perfspec/measure/block_source.ipp>
#include <perfspec/measure/calibration.ipp>
#include <perfspec/measure/clock.ipp>
#include <perfspec/measure/coin.ipp>
#include <perfspec/measure/disturbance.ipp>
#include <perfspec/measure/launch_sample.ipp>
#include <perfspec/measure/machine_lock.ipp>
#include <perfspec/measure/measuring_settings.ipp>
#include <perfspec/measure/median.ipp>
#include <perfspec/measure/optimised_away.ipp>
#include <perfspec/measure/pair_source.ipp>
#include <perfspec/measure/sample.ipp>
#include <perfspec/measure/seed.ipp>
#include <perfspec/measure/sleeper.ipp>

#include <perfspec/process/child.ipp>
#include <perfspec/process/child_request.ipp>
#include <perfspec/process/claim_address.ipp>
#include <perfspec/process/launcher.ipp>
#include <perfspec/process/pipes.ipp>
#include <perfspec/process/posix_launcher.ipp>
#include <perfspec/process/printable.ipp>
#include <perfspec/process/program_start.ipp>
#include <perfspec/process/spawn.ipp>
#include <perfspec/process/under_debugger.ipp>
#include <perfspec/process/variables.ipp>

#include <perfspec/stats/checks.ipp>
#include <perfspec/stats/counts.ipp>
#include <perfspec/stats/detectable_effect.ipp>
#include <perfspec/stats/evidence_interval.ipp>
#include <perfspec/stats/growth.ipp>
#include <perfspec/stats/hodges_lehmann.ipp>
#include <perfspec/stats/outlook.ipp>
#include <perfspec/stats/p_value.ipp>
#include <perfspec/stats/percentile.ipp>
#include <perfspec/stats/percentile_evidence.ipp>
#include <perfspec/stats/percentile_sequential.ipp>
#include <perfspec/stats/sequential.ipp>
#include <perfspec/stats/signed_rank_evidence.ipp>
#include <perfspec/stats/smallest_effect.ipp>
#include <perfspec/stats/stored_rank_test.ipp>
#include <perfspec/stats/summary.ipp>

#include <perfspec/baseline/baseline_file.ipp>
#include <perfspec/baseline/baseline_store.ipp>
#include <perfspec/baseline/file_system.ipp>
#include <perfspec/baseline/fingerprint.ipp>
#include <perfspec/baseline/hardware_key.ipp>
#include <perfspec/baseline/json_tree.ipp>
#include <perfspec/baseline/locate.ipp>
#include <perfspec/baseline/path_component.ipp>
#include <perfspec/baseline/rounding.ipp>
#include <perfspec/baseline/stored_launch.ipp>
#include <perfspec/baseline/update_rule.ipp>
