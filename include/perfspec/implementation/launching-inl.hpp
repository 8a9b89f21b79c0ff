// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: claims that are judged over processes, and the processes that are started for a claim.

#include <perfspec/run/commands-inl.hpp>
#include <perfspec/run/confirm-inl.hpp>
#include <perfspec/run/earlier_state-inl.hpp>
#include <perfspec/run/find_baseline-inl.hpp>
#include <perfspec/run/launch_pair-inl.hpp>
#include <perfspec/run/serve_claim-inl.hpp>
#include <perfspec/run/stored_claim-inl.hpp>
#include <perfspec/run/take_launches-inl.hpp>
#include <perfspec/run/vanished-inl.hpp>

#include <perfspec/run/judge_counted_builds-inl.hpp>
#include <perfspec/run/judge_fresh-inl.hpp>
#include <perfspec/run/judge_launches-inl.hpp>
#include <perfspec/run/judge_reference-inl.hpp>
#include <perfspec/run/judge_stability-inl.hpp>
#include <perfspec/run/judge_stored-inl.hpp>
#include <perfspec/run/record_baseline-inl.hpp>
