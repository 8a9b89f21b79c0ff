// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of the program around claims: its system, session, host and doctor.

#include <perfspec/perfspec.hpp>

#include <perfspec/session/system_access-inl.hpp>

#include <perfspec/session/key_census-inl.hpp>
#include <perfspec/session/session-inl.hpp>

#include <perfspec/session/build_kind-inl.hpp>
#include <perfspec/session/host-inl.hpp>

#include <perfspec/doctor/doctor-inl.hpp>

#include <perfspec/program/program-inl.hpp>
