// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: the program around claims: what it stands on, its session, its host, its doctor.

#include <perfspec/perfspec.hpp>

#include <perfspec/run/link_check-inl.hpp>

#include <perfspec/run/provenance-inl.hpp>
#include <perfspec/run/surroundings-inl.hpp>

#include <perfspec/run/axis_census-inl.hpp>
#include <perfspec/run/key_census-inl.hpp>
#include <perfspec/run/session-inl.hpp>

#include <perfspec/run/not_judged-inl.hpp>
#include <perfspec/run/process_end-inl.hpp>

#include <perfspec/run/machine_findings-inl.hpp>

#include <perfspec/run/doctor-inl.hpp>

#include <perfspec/run/assertion-inl.hpp>
#include <perfspec/run/host-inl.hpp>
#include <perfspec/run/program-inl.hpp>
