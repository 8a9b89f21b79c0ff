// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>

#include <perfspec/catch2.hpp>

TEST_CASE("two products") {
    const at::Tensor x = at::ones({64, 64});
    auto twice = perfspec::subject("twice", [&] { return at::mm(at::mm(x, x), x); });
    PERF_CHECK(latency(twice) < 1ns, confirm::off);
}
