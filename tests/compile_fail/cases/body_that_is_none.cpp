// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: a subject's body takes no arguments
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { const perfspec::subject x("sort", 42); }
