// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of judge: from a claim to its record, for claims that this process measures.

#include <perfspec/judge/claim_context-inl.hpp>
#include <perfspec/judge/conclude-inl.hpp>
#include <perfspec/judge/evaluate-inl.hpp>
#include <perfspec/judge/judge_claim-inl.hpp>
#include <perfspec/judge/measuring-inl.hpp>
#include <perfspec/judge/observing-inl.hpp>
#include <perfspec/judge/procedure-inl.hpp>
#include <perfspec/judge/procedures/outputs-inl.hpp>
#include <perfspec/judge/readings-inl.hpp>
#include <perfspec/judge/record_of-inl.hpp>
#include <perfspec/judge/subject_reasons-inl.hpp>

#include <perfspec/judge/procedures/blocks-inl.hpp>
#include <perfspec/judge/procedures/counts-inl.hpp>
#include <perfspec/judge/procedures/growth-inl.hpp>
#include <perfspec/judge/procedures/pairs-inl.hpp>
#include <perfspec/judge/procedures/percentile_pairs-inl.hpp>
#include <perfspec/judge/procedures/several-inl.hpp>
#include <perfspec/judge/procedures/within-inl.hpp>
