// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// ResNet50's 53 convolutions, compiled against eager: each of the 23 shapes alone, and in place, timed by the profiler
// within the model.
#include "sweep.hpp"

#include <catch2/generators/catch_generators_range.hpp>

#include <array>

namespace {

struct shape {
    int inputs, outputs, kernel, stride, size;
    int times;  // in the model
};

constexpr std::array<shape, 23> shapes{{
    {3, 64, 7, 2, 224, 1},   {64, 256, 1, 1, 56, 4},    {64, 64, 1, 1, 56, 1},    {64, 64, 3, 1, 56, 3},
    {256, 64, 1, 1, 56, 2},  {256, 512, 1, 2, 56, 1},   {256, 128, 1, 1, 56, 1},  {128, 128, 3, 2, 56, 1},
    {128, 512, 1, 1, 28, 4}, {512, 128, 1, 1, 28, 3},   {128, 128, 3, 1, 28, 3},  {512, 1024, 1, 2, 28, 1},
    {512, 256, 1, 1, 28, 1}, {256, 256, 3, 2, 28, 1},   {256, 1024, 1, 1, 14, 6}, {1024, 256, 1, 1, 14, 5},
    {256, 256, 3, 1, 14, 5}, {1024, 2048, 1, 2, 14, 1}, {1024, 512, 1, 1, 14, 1}, {512, 512, 3, 2, 14, 1},
    {512, 2048, 1, 1, 7, 3}, {2048, 512, 1, 1, 7, 2},   {512, 512, 3, 1, 7, 2},
}};

constexpr int convolutions() {
    int all = 0;
    for (const shape& each : shapes) all += each.times;
    return all;
}
static_assert(convolutions() == 53);

/// All shapes; for ctest one.
std::vector<shape> asked_shapes() {
    return kernels::full() ? std::vector<shape>(shapes.begin(), shapes.end()) : std::vector<shape>{shapes[22]};
}

std::string name_of(const shape& s) {
    std::ostringstream name;
    name << s.inputs << "-" << s.outputs << " kernel=" << s.kernel << " stride=" << s.stride << " size=" << s.size;
    return name.str();
}

perfspec::subject convolution(const perfspec::python_subjects& py, const shape& s, const std::string& what,
                              std::string_view axis) {
    return py(what).axis("convolution", name_of(s)).axis("times", s.times).axis("variant", axis);
}

}  // namespace

TEST_CASE("resnet50's convolutions alone, compiled against eager", "[perf][resnet50]") {
    const shape s = GENERATE(from_range(asked_shapes()));
    const std::string variant = GENERATE(from_range(kernels::variants({"default", "channels_last"})));
    const auto py = kernels::subjects_of("resnet50.py", variant);
    kernels::compare_with_eager(convolution(py, s, name_of(s) + " eager", variant),
                                convolution(py, s, name_of(s) + " " + variant, variant), variant, 0.2);
}

TEST_CASE("resnet50's convolutions by the profiler, in place and alone", "[perf][resnet50]") {
    const shape s = GENERATE(from_range(asked_shapes()));
    const std::string where = GENERATE("in place", "profiled alone");
    const std::string variant = GENERATE("eager", "default");
    if (!kernels::full() && (variant != "eager" || where != "in place"))
        return;  // the model takes half a minute to compile
    const auto py = kernels::subjects_of("resnet50.py", where);
    const auto one = convolution(py, s, where + " " + name_of(s) + " " + variant, variant).axis("where", where);
    PERF_MEASURE(metric("ns", less_is_better, one), rounds(15), budget(30s));
}

TEST_CASE("resnet50 as a whole, compiled against eager", "[perf][resnet50]") {
    if (!kernels::full()) SKIP("the model takes half a minute to compile: KERNELS_FULL=1 compares it");
    const std::string variant = GENERATE(from_range(kernels::variants({"default", "channels_last"})));
    const auto py = kernels::subjects_of(
        "resnet50.py", "whole");  // in the other process the model is compiled for its convolutions in place
    kernels::compare_with_eager(py("model eager").axis("variant", variant),
                                py("model " + variant).axis("variant", variant), variant, 0.5);
}
