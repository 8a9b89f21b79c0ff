// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: use of deleted function
// expected of clang: call to deleted member function
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { const auto x = perfspec::subject("sort", f).axis("scale", 0.5); }
