// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <cmath>

bool looks_finite(double x);
bool looks_finite(double x) { return std::isfinite(x); }
