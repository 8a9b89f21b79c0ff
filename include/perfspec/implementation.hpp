// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All bodies of perfspec. Included by exactly one translation unit of a program: through `#define PERFSPEC_IMPLEMENTATION` before
// <perfspec/catch2.hpp> or <perfspec/perfspec.hpp>. perfspec::catch2_main compiles its parts side by side instead.

#include <perfspec/perfspec.hpp>

#include <perfspec/implementation/measuring-inl.hpp>

#include <perfspec/implementation/evidence-inl.hpp>

#include <perfspec/implementation/reporting-inl.hpp>

#include <perfspec/implementation/launching-inl.hpp>

#include <perfspec/implementation/judging-inl.hpp>

#include <perfspec/implementation/program-inl.hpp>
