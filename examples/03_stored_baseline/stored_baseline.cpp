// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Compares a time and a ratio with values that were recorded on this hardware. The first run records a session of
// processes in the build folder and says so; later runs compare with it. `PERFSPEC_UPDATE_BASELINES=1 ctest` writes the
// committed folder instead.

#include <perfspec/catch2.hpp>

#include <cmath>
#include <vector>

namespace {

double norm(const std::vector<double>& v) {
    double sum = 0.0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
}

double careful_norm(const std::vector<double>& v) {
    double norm = 0.0;
    for (const double x : v) norm = std::hypot(norm, x);
    return norm;
}

}  // namespace

TEST_CASE("norms keep their speed", "[perf]") {
    const std::vector<double> v(20'000, 0.5);
    auto plain = perfspec::subject("norm", [&] { return norm(v); });
    auto careful = perfspec::subject("careful_norm", [&] { return careful_norm(v); });

    PERF_CHECK(latency(plain) < 1.5 * baseline());
    PERF_CHECK(speedup(careful, plain) > 0.5 * baseline());
}
