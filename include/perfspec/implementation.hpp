// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All bodies of perfspec. Included by exactly one translation unit of a program: through perfspec::catch2_main, or by
// `#define PERFSPEC_IMPLEMENTATION` before <perfspec/catch2.hpp> or <perfspec/perfspec.hpp>.

#include <perfspec/perfspec.hpp>

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
#include <perfspec/stats/detectable_effect.ipp>
#include <perfspec/stats/evidence_interval.ipp>
#include <perfspec/stats/hodges_lehmann.ipp>
#include <perfspec/stats/outlook.ipp>
#include <perfspec/stats/sequential.ipp>
#include <perfspec/stats/signed_rank_evidence.ipp>
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

#include <perfspec/report/console.ipp>
#include <perfspec/report/console_rows.ipp>
#include <perfspec/report/console_summary.ipp>
#include <perfspec/report/console_text.ipp>
#include <perfspec/report/json_lines.ipp>
#include <perfspec/report/json_read.ipp>
#include <perfspec/report/json_write.ipp>
#include <perfspec/report/picture.ipp>
#include <perfspec/report/record.ipp>
#include <perfspec/report/sink.ipp>
#include <perfspec/report/text_width.ipp>
#include <perfspec/report/xla_fields.ipp>

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

#include <perfspec/run/judge_blocks.ipp>
#include <perfspec/run/launch_value.ipp>
#include <perfspec/run/take_launches.ipp>

#include <perfspec/run/judge_launches.ipp>
#include <perfspec/run/record_baseline.ipp>

#include <perfspec/run/judge_stored.ipp>

#include <perfspec/run/evaluate.ipp>

#include <perfspec/run/assertion.ipp>
#include <perfspec/run/host.ipp>
#include <perfspec/run/program.ipp>
