// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: from a claim to its record, where this process measures.

#include <perfspec/run/common.ipp>
#include <perfspec/run/conclude.ipp>
#include <perfspec/run/least_evidence.ipp>

#include <perfspec/run/measuring.ipp>
#include <perfspec/run/naming.ipp>
#include <perfspec/run/notes.ipp>
#include <perfspec/run/observe.ipp>
#include <perfspec/run/sharing.ipp>
#include <perfspec/run/undecided.ipp>
#include <perfspec/run/verify.ipp>

#include <perfspec/run/judge_pairs.ipp>
#include <perfspec/run/launch_interval.ipp>

#include <perfspec/run/judge_blocks.ipp>
#include <perfspec/run/judge_counts.ipp>
#include <perfspec/run/judge_percentiles.ipp>
#include <perfspec/run/judge_value_pairs.ipp>
#include <perfspec/run/judge_within.ipp>
#include <perfspec/run/launch_value.ipp>
#include <perfspec/run/measure_layers.ipp>
#include <perfspec/run/measure_profile.ipp>
#include <perfspec/run/measure_several.ipp>
#include <perfspec/run/write_traces.ipp>

#include <perfspec/run/judge_growth.ipp>

#include <perfspec/run/evaluate.ipp>
#include <perfspec/run/turn.ipp>
