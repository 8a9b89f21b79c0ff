// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// expected: perfspec: an oracle chooses between variants of a model: write oracle(eager, compiled)
#include <perfspec/perfspec.hpp>

#include <perfspec/explain/queries.hpp>

void test(const perfspec::layered_subject& net) { PERF_RECORD(oracle(net)); }
