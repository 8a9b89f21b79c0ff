// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All bodies of a program on Catch2. Included by exactly one translation unit, through PERFSPEC_IMPLEMENTATION.

#include <perfspec/implementation.hpp>

#include <perfspec/catch2/catch2-inl.hpp>
