// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "work.hpp"

int sanitized_work(int units);

int sanitized_work(int units) { return work(units) + (units << 1); }
