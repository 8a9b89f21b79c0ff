// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: from a claim to its record, where this process measures.

#include <perfspec/ask/answer-inl.hpp>
#include <perfspec/ask/ask-inl.hpp>
#include <perfspec/ask/cost-inl.hpp>
#include <perfspec/ask/evaluate-inl.hpp>
#include <perfspec/ask/foresee-inl.hpp>
#include <perfspec/ask/idle_options-inl.hpp>
#include <perfspec/ask/procedures-inl.hpp>
#include <perfspec/ask/record_of-inl.hpp>
#include <perfspec/ask/subject_reasons-inl.hpp>
#include <perfspec/ask/turn-inl.hpp>
#include <perfspec/judge/conclude-inl.hpp>
#include <perfspec/judge/least_evidence-inl.hpp>
#include <perfspec/judge/measuring-inl.hpp>
#include <perfspec/judge/notes-inl.hpp>
#include <perfspec/judge/observe-inl.hpp>
#include <perfspec/judge/outputs-inl.hpp>
#include <perfspec/judge/readings-inl.hpp>
#include <perfspec/judge/sharing-inl.hpp>
#include <perfspec/judge/undecided-inl.hpp>

#include <perfspec/judge/blocks-inl.hpp>
#include <perfspec/judge/counts-inl.hpp>
#include <perfspec/judge/growth-inl.hpp>
#include <perfspec/judge/pairs-inl.hpp>
#include <perfspec/judge/percentiles-inl.hpp>
#include <perfspec/judge/several-inl.hpp>
#include <perfspec/judge/value_pairs-inl.hpp>
#include <perfspec/judge/within-inl.hpp>
