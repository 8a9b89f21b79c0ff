// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: claims that are judged over processes, and the processes that are started for a claim.

#include <perfspec/run/commands.ipp>
#include <perfspec/run/confirm.ipp>
#include <perfspec/run/earlier_state.ipp>
#include <perfspec/run/take_launches.ipp>

#include <perfspec/run/judge_launches.ipp>

#include <perfspec/run/judge_fresh.ipp>
#include <perfspec/run/judge_stability.ipp>
#include <perfspec/run/record_baseline.ipp>

#include <perfspec/run/judge_stored.ipp>
#include <perfspec/run/launch_pair.ipp>

#include <perfspec/run/judge_reference.ipp>

#include <perfspec/run/foresee.ipp>
#include <perfspec/run/judge_counted_builds.ipp>
#include <perfspec/run/serve_claim.ipp>
#include <perfspec/run/vanished.ipp>
