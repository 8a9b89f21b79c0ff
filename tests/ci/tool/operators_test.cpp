// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

const part_library library{"LibTorch 2.13.0",
                           {{"aten", {"add", "conv2d", "mm", "relu"}}, {"mine", {"op"}}, {"prim", {"a", "b"}}}};

/// A profile in which each of these ran.
record profile_of(const std::string& subject, const std::vector<std::string>& operators) {
    record r;
    r.suite = "vision";
    r.test = "where the time goes";
    r.query = "profile(" + subject + ")";
    r.metric = "profile";
    r.names = {subject};
    r.key = r.test + " / " + r.query;
    r.verdict = verdict::measured;
    r.subjects.resize(1);
    r.subjects[0].subject = subject;
    for (const std::string& name : operators) {
        r.parts.push_back({name, "self", dimension::time, {1e6, 1e6, 1e6, 0.0}, 0.5, {}});
        r.parts.push_back({name, "calls", dimension::count, {1, 1, 1, 0.0}, 0.0, {}});
    }
    r.parts.push_back({"end to end", "self", dimension::time, {2e6, 2e6, 2e6, 0.0}, 1.0, {}});
    r.known_parts = library;
    return r;
}

std::string report(const std::vector<record>& records, std::vector<std::string> options = {}) {
    scripted_tool tool;
    tool.put_records("r.jsonl", records);
    options.insert(options.begin(), {"report", "r.jsonl", "--quiet"});
    const auto end = tool.run(options);
    CHECK(end.code == 0);
    return end.out;
}

record with_axes(record r, std::vector<std::pair<std::string, std::string>> axes) {
    r.axes = std::move(axes);
    return r;
}

}  // namespace

TEST_CASE("report counts the operators that profiles ran, against all that there are", "[ci][unit]") {
    CHECK_RECORDED(report({profile_of("net", {"aten::mm", "aten::relu"}),
                           profile_of("other", {"aten::mm", "mine::op", "AddmmBackward0"})}));
}

TEST_CASE("report counts an operator of a profile by shape once", "[ci][unit]") {
    CHECK_RECORDED(report({profile_of(
        "net, by_shape", {"aten::conv2d [8,3,32,32] [16,3,3,3]", "aten::conv2d [8,16,32,32] [16,16,3,3]"})}));
}

TEST_CASE("report counts no operators where nothing was profiled", "[ci][unit]") {
    record no_profile = profile_of("net", {"aten::mm"});
    no_profile.query = "layers(net)";
    no_profile.metric = "layers";
    no_profile.names = {"net"};
    CHECK_THAT(report({no_profile}, {"--operators"}), !ContainsSubstring("operators:") && !ContainsSubstring("aten"));
}

TEST_CASE("report says so if results do not list the library's operators", "[ci][unit]") {
    record r = profile_of("net", {"add", "mul"});
    r.known_parts.reset();
    CHECK_THAT(report({r}),
               EndsWith("operators: 2 in 1 model; the results do not list all operators of the libraries\n"));
}

TEST_CASE("report takes operators together that the processes of a suite know", "[ci][unit]") {
    record loaded = profile_of("net", {"more::op"});
    loaded.known_parts->namespaces.push_back({"more", {"op", "other"}});
    CHECK_RECORDED(report({loaded, profile_of("net", {"aten::mm"})}));
}

TEST_CASE("report --operators names the models and modes that ran each operator", "[ci][unit]") {
    const std::vector<record> records{
        with_axes(profile_of("eager", {"aten::mm", "aten::add"}), {{"model", "resnet50"}, {"test", "eval"}}),
        with_axes(profile_of("eager", {"aten::mm"}), {{"model", "resnet50"}, {"test", "train"}}),
        profile_of("net", {"aten::mm"})};
    CHECK_RECORDED(report(records, {"--operators"}));
    CHECK_RECORDED(report(records, {"--operators", "--markdown", "-"}));
}

}  // namespace perfspec
