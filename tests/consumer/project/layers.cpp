// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/catch2.hpp>
#include <perfspec/explain.hpp>

#include <vector>

namespace {

std::vector<double> numbers(1000, 1.0);

void scale() {
    for (double& n : numbers) n *= 1.0000001;
}
void shift() {
    for (double& n : numbers) n += 0.5;
}

}  // namespace

TEST_CASE("the layers of a model are recorded", "[perf]") {
    const perfspec::subject whole("model", [] { scale(), shift(); });
    const perfspec::subject first("scale", scale);
    const perfspec::subject second("shift", shift);
    PERF_MEASURE(layers(perfspec::layered_subject(whole, {first, whole}, {first, second})));
}
