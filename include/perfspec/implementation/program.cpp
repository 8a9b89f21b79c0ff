// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of run: the program around claims: its surroundings, its session, its host, its doctor.

#include <perfspec/perfspec.hpp>

#include <perfspec/session/system_access-inl.hpp>

#include <perfspec/session/session-inl.hpp>

#include <perfspec/session/build_kind-inl.hpp>
#include <perfspec/session/host-inl.hpp>

#include <perfspec/doctor/doctor-inl.hpp>

#include <perfspec/session/program-inl.hpp>
