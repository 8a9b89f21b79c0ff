// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: claims over processes, and the processes that are started for a claim.

#include <perfspec/ask/commands-inl.hpp>
#include <perfspec/launch/contributions-inl.hpp>
#include <perfspec/launch/fresh_process-inl.hpp>
#include <perfspec/launch/launch_centres-inl.hpp>
#include <perfspec/launch/launch_pair-inl.hpp>
#include <perfspec/launch/serve_claim-inl.hpp>
#include <perfspec/launch/take_launches-inl.hpp>
#include <perfspec/stored/find_baseline-inl.hpp>
#include <perfspec/stored/golden-inl.hpp>
#include <perfspec/stored/stored_claim-inl.hpp>
#include <perfspec/stored/vanished-inl.hpp>

#include <perfspec/launch/fresh_values-inl.hpp>
#include <perfspec/stored/counted_builds-inl.hpp>
#include <perfspec/stored/record_baseline-inl.hpp>
#include <perfspec/stored/reference_build-inl.hpp>
#include <perfspec/stored/stored_launches-inl.hpp>
