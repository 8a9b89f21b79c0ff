// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/report/console/part_table.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using lines = std::vector<std::string>;

part_value time_of(const char* part, const char* method, double ns, double share = 0.0, const char* mark = "") {
    return {part, method, dimension::time, {ns, ns, ns, 0.0}, share, mark};
}

std::vector<std::string> shown(const std::vector<part_value>& parts) { return detail::part_table(parts); }

}  // namespace

TEST_CASE("part_table has a row a part and a column a method, aligned", "[report][unit]") {
    std::vector<part_value> parts{time_of("conv1", "timer", 1.2e6, 0.4), time_of("conv1", "subtraction", 1.1e6, 0.37),
                                  time_of("fc", "timer", 2e3, 0.001),
                                  time_of("fc", "subtraction", -1e4, -0.003, "unresolved"),
                                  time_of("end to end", "timer", 3e6, 1.0)};
    parts[3].value.low = -1.5e4;
    parts[3].value.high = 5e3;
    CHECK_RECORDED(shown(parts));
}

TEST_CASE("part_table calls the time of compiling by its name, and not by that of results", "[report][unit]") {
    CHECK_RECORDED(shown({time_of(detail::compilation_part, "compilation", 37.34e9)})[1]);
}

TEST_CASE("part_table leaves out an error interval", "[report][unit]") {
    std::vector<part_value> parts{time_of("conv1", "timer", 1e6)};
    parts[0].value.low = -std::numeric_limits<double>::infinity();
    CHECK(shown(parts)[1] == "    conv1   1.000 ms");
}

TEST_CASE("part_table cuts a long part, unless it would then look like another", "[report][unit]") {
    const std::string long_name = "void at::native::vectorized_elementwise_kernel<4, at::native::";
    const std::string first = long_name + "Add>", second = long_name + "Mul>", other = std::string(60, 'x');
    const auto lines = shown({time_of(first.c_str(), "self", 2e6), time_of(second.c_str(), "self", 1e6),
                              time_of(other.c_str(), "self", 1e6)});
    REQUIRE(lines.size() == 4);
    CHECK(lines[1] == "    " + first + "   2.000 ms");
    CHECK(lines[2] == "    " + second + "   1.000 ms");
    CHECK(lines[3].starts_with("    " + std::string(35, 'x') + ".. "));
}

TEST_CASE("part_table cuts long parts shorter where a line would be too long for a terminal", "[report][unit]") {
    const std::string longest = "autograd::engine::evaluate_function: ConvolutionBackward0";
    const auto lines =
        shown({time_of("aten::convolution_backward", "step", 59.32e6),
               time_of("aten::convolution_backward", "more than the baseline", 52.35e6, 0.75, "19 calls, was 2"),
               time_of(longest.c_str(), "step", 765.8e3),
               time_of(longest.c_str(), "more than the baseline", 737.1e3, 0.011, "19 calls, was 2")});
    CHECK_RECORDED(lines);
}

TEST_CASE("part_table cuts a part with shapes later", "[report][unit]") {
    const std::string shaped = "aten::mkldnn_convolution [8,64,56,56] [64,64,3,3] [64]";
    const std::string longer = shaped + " [8,64,56,56] [8,64,56,56] [8,64,56,56]";
    const auto lines = shown({time_of(shaped.c_str(), "self", 2e6), time_of(longer.c_str(), "self", 1e6)});
    CHECK(lines.at(1).starts_with("    " + shaped + "  "));
    CHECK(lines.at(2).starts_with("    " + longer.substr(0, 78) + ".. "));
}

TEST_CASE("part_table counts what is small in a long table", "[report][unit]") {
    std::vector<part_value> parts;
    for (int i = 0; i < 40; ++i)
        parts.push_back(time_of(("op" + std::to_string(i)).c_str(), "self", 1e3, i < 3 ? 0.3 : 0.002));
    parts.push_back(time_of("sum", "self", 1e6, 1.0));
    const auto lines = shown(parts);
    REQUIRE(lines.size() == 6);  // the head, three operators, the sum, the remark
    CHECK(lines[5] == "    and 37 more, each below 0.5 %, in the JSON lines");
    parts.resize(25);
    CHECK(shown(parts).size() == 26);
}

TEST_CASE("part_table of nothing is nothing", "[report][unit]") { CHECK(shown({}).empty()); }

TEST_CASE("part_table keeps what a terminal would obey in one line", "[report][unit]") {
    CHECK(shown({time_of("a\nb", "self", 1.0)}).size() == 2);
}

}  // namespace perfspec
