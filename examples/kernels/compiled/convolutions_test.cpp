// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// One convolution by kernel, stride and padding, and chains of convolutions by length: compiled against eager.
#include "sweep.hpp"

#include <catch2/generators/catch_generators_range.hpp>

namespace {

const std::vector<std::string> variants{"default",      "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs",
                                        "aot_inductor", "channels_last"};

struct cell {
    long kernel, stride, padding;
};

/// All 18 of the ablation; for ctest one.
std::vector<cell> cells() {
    std::vector<cell> all;
    for (const long kernel : {1, 3, 5})
        for (const long stride : {1, 2})
            for (const long padding : {1, 2, 3}) all.push_back({kernel, stride, padding});
    return kernels::full() ? all : std::vector<cell>{{3, 1, 1}};
}

perfspec::subject convolution(const perfspec::python_subjects& py, cell at, std::string_view variant,
                              std::string_view axis) {
    std::ostringstream name;
    name << "kernel=" << at.kernel << " stride=" << at.stride << " padding=" << at.padding << " " << variant;
    return py(name.str())
        .axis("kernel", at.kernel)
        .axis("stride", at.stride)
        .axis("padding", at.padding)
        .axis("variant", axis);
}

std::vector<long> lengths() {
    return kernels::full() ? std::vector<long>{1, 2, 4, 8, 16, 32, 64} : std::vector<long>{2};
}

perfspec::subject chain(const perfspec::python_subjects& py, long length, std::string_view block,
                        std::string_view variant, std::string_view axis) {
    std::ostringstream name;
    name << "length=" << length << " " << block << " " << variant;
    return py(name.str()).axis("block", block).axis("length", length).axis("variant", axis);
}

}  // namespace

TEST_CASE("cells of the convolution ablation, compiled against eager", "[perf][convolution]") {
    const cell at = GENERATE(from_range(cells()));
    const std::string variant = GENERATE(from_range(kernels::variants(variants)));
    const auto py = kernels::subjects_of("convolutions.py", variant);
    kernels::compare_with_eager(convolution(py, at, "eager", variant), convolution(py, at, variant, variant), variant,
                                0.2);
}

TEST_CASE("chains of convolutions by length, compiled against eager", "[perf][blocks]") {
    const std::string block = GENERATE("conv", "conv_relu");
    const long length = GENERATE(from_range(lengths()));
    const std::string variant = GENERATE(from_range(kernels::variants({"default", "channels_last"})));
    if (!kernels::full() && block == "conv") return;  // one graph is enough for ctest
    const auto py = kernels::subjects_of("convolutions.py", variant);
    kernels::compare_with_eager(chain(py, length, block, "eager", variant), chain(py, length, block, variant, variant),
                                variant, 0.2);
}
