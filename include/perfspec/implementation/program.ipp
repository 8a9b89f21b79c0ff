// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of run: the program around claims: what it stands on, its session, its host, its doctor.

#include <perfspec/perfspec.hpp>

#include <perfspec/run/link_check.ipp>

#include <perfspec/run/provenance.ipp>
#include <perfspec/run/surroundings.ipp>

#include <perfspec/run/axis_census.ipp>
#include <perfspec/run/key_census.ipp>
#include <perfspec/run/session.ipp>

#include <perfspec/run/not_judged.ipp>
#include <perfspec/run/process_end.ipp>

#include <perfspec/run/machine_findings.ipp>

#include <perfspec/run/doctor.ipp>

#include <perfspec/run/assertion.ipp>
#include <perfspec/run/host.ipp>
#include <perfspec/run/program.ipp>
