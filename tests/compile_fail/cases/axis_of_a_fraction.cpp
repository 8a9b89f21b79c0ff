// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: the value of an axis is a whole number or a text, such as std::to_string(x)
#include <perfspec/perfspec.hpp>

void f();
void g();

void test() { const auto x = perfspec::subject("sort", f).axis("scale", 0.5); }
