// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// All bodies of a program on Catch2. Exactly one translation unit includes this file, through PERFSPEC_IMPLEMENTATION.

#include <perfspec/implementation.hpp>

#include <perfspec/catch2/catch2-inl.hpp>
