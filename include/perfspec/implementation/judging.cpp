// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of claim, procedures and judge: from a claim to its record, for claims that this process measures.

#include <perfspec/claim/claim_context-inl.hpp>
#include <perfspec/claim/commands-inl.hpp>
#include <perfspec/claim/devices-inl.hpp>
#include <perfspec/claim/estimates-inl.hpp>
#include <perfspec/claim/modules-inl.hpp>
#include <perfspec/claim/notes-inl.hpp>
#include <perfspec/claim/observing-inl.hpp>
#include <perfspec/claim/progress-inl.hpp>
#include <perfspec/claim/readings-inl.hpp>
#include <perfspec/claim/record_of-inl.hpp>
#include <perfspec/claim/stores-inl.hpp>

#include <perfspec/procedures/blocks-inl.hpp>
#include <perfspec/procedures/complexity-inl.hpp>
#include <perfspec/procedures/conclude-inl.hpp>
#include <perfspec/procedures/counts-inl.hpp>
#include <perfspec/procedures/declared-inl.hpp>
#include <perfspec/procedures/exact_values-inl.hpp>
#include <perfspec/procedures/pairs-inl.hpp>
#include <perfspec/procedures/percentile_pairs-inl.hpp>
#include <perfspec/procedures/procedure-inl.hpp>
#include <perfspec/procedures/several-inl.hpp>

#include <perfspec/judge/evaluate-inl.hpp>
#include <perfspec/judge/judge_claim-inl.hpp>
#include <perfspec/judge/outputs-inl.hpp>
#include <perfspec/judge/procedure_for-inl.hpp>
#include <perfspec/judge/subject_reasons-inl.hpp>
#include <perfspec/judge/within-inl.hpp>
