// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// expected: perfspec: with -ffast-math, infinite numbers look finite
#undef __FINITE_MATH_ONLY__
#define __FINITE_MATH_ONLY__ 1  // as the compiler does
#include <perfspec/implementation.hpp>
