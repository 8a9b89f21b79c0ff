// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All function bodies of perfspec. Exactly one translation unit of a program includes this header: it writes `#define
// PERFSPEC_IMPLEMENTATION` before <perfspec/catch2.hpp> or <perfspec/perfspec.hpp>. perfspec::catch2_main compiles the
// parts separately.

#if __FINITE_MATH_ONLY__
#    error \
        "perfspec: with -ffast-math, infinite numbers look finite: also give -fno-finite-math-only to the file that defines PERFSPEC_IMPLEMENTATION, or link perfspec::catch2_main"
#endif

#include <perfspec/perfspec.hpp>

#include <perfspec/implementation/measuring.cpp>

#include <perfspec/implementation/evidence.cpp>

#include <perfspec/implementation/reporting.cpp>

#include <perfspec/implementation/processes.cpp>

#include <perfspec/implementation/judging.cpp>

#include <perfspec/implementation/program.cpp>
