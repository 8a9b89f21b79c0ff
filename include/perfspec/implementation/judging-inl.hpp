// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: from a claim to its record, where this process measures.

#include <perfspec/run/answer-inl.hpp>
#include <perfspec/run/ask-inl.hpp>
#include <perfspec/run/conclude-inl.hpp>
#include <perfspec/run/cost-inl.hpp>
#include <perfspec/run/evaluate-inl.hpp>
#include <perfspec/run/foresee-inl.hpp>
#include <perfspec/run/idle_options-inl.hpp>
#include <perfspec/run/launch_interval-inl.hpp>
#include <perfspec/run/least_evidence-inl.hpp>
#include <perfspec/run/measuring-inl.hpp>
#include <perfspec/run/notes-inl.hpp>
#include <perfspec/run/observe-inl.hpp>
#include <perfspec/run/procedures-inl.hpp>
#include <perfspec/run/readings-inl.hpp>
#include <perfspec/run/record_of-inl.hpp>
#include <perfspec/run/sharing-inl.hpp>
#include <perfspec/run/subject_reasons-inl.hpp>
#include <perfspec/run/turn-inl.hpp>
#include <perfspec/run/undecided-inl.hpp>
#include <perfspec/run/verify-inl.hpp>

#include <perfspec/run/judge_blocks-inl.hpp>
#include <perfspec/run/judge_counts-inl.hpp>
#include <perfspec/run/judge_growth-inl.hpp>
#include <perfspec/run/judge_pairs-inl.hpp>
#include <perfspec/run/judge_percentiles-inl.hpp>
#include <perfspec/run/judge_value_pairs-inl.hpp>
#include <perfspec/run/judge_within-inl.hpp>
#include <perfspec/run/launch_value-inl.hpp>
#include <perfspec/run/measure_layers-inl.hpp>
#include <perfspec/run/measure_profile-inl.hpp>
#include <perfspec/run/measure_several-inl.hpp>
#include <perfspec/run/write_traces-inl.hpp>
