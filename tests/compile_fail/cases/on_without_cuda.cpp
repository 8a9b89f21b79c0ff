// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: on(stream) takes a cudaStream_t, with #include <perfspec/cuda.hpp>
#include <perfspec/perfspec.hpp>

void f();

void test(void* stream) { static_cast<void>(perfspec::subject("pipeline", f).on(stream)); }
