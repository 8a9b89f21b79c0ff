// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of report and run: from a claim to its record, on what implementation/measuring.ipp does.

#include <perfspec/perfspec.hpp>

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
#include <perfspec/run/judge_percentiles.ipp>
#include <perfspec/run/launch_value.ipp>
#include <perfspec/run/take_launches.ipp>

#include <perfspec/run/judge_launches.ipp>
#include <perfspec/run/record_baseline.ipp>

#include <perfspec/run/judge_stored.ipp>

#include <perfspec/run/evaluate.ipp>

#include <perfspec/run/machine_findings.ipp>

#include <perfspec/run/doctor.ipp>

#include <perfspec/run/assertion.ipp>
#include <perfspec/run/host.ipp>
#include <perfspec/run/program.ipp>
