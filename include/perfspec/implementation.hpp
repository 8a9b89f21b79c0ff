// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All bodies of perfspec. Included by exactly one translation unit of a program: through `#define PERFSPEC_IMPLEMENTATION` before
// <perfspec/catch2.hpp> or <perfspec/perfspec.hpp>. perfspec::catch2_main compiles its parts side by side instead.

#include <perfspec/perfspec.hpp>

#include <perfspec/implementation/measuring.ipp>

#include <perfspec/implementation/evidence.ipp>

#include <perfspec/implementation/reporting.ipp>

#include <perfspec/implementation/launching.ipp>

#include <perfspec/implementation/judging.ipp>

#include <perfspec/implementation/program.ipp>
