// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All function bodies of perfspec. Exactly one translation unit of a program includes this header: it writes `#define
// PERFSPEC_IMPLEMENTATION` before <perfspec/catch2.hpp> or <perfspec/perfspec.hpp>. perfspec::catch2_main compiles the
// parts of this header as separate files instead.

#include <perfspec/perfspec.hpp>

#include <perfspec/implementation/measuring-inl.hpp>

#include <perfspec/implementation/evidence-inl.hpp>

#include <perfspec/implementation/reporting-inl.hpp>

#include <perfspec/implementation/launching-inl.hpp>

#include <perfspec/implementation/judging-inl.hpp>

#include <perfspec/implementation/program-inl.hpp>
