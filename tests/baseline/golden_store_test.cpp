// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/golden_store.hpp>

#include <support/scripted_file_system.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

const baseline_address where{"b", "epyc-4c", "", "vision_test"};
const std::string path = "b/epyc-4c/vision_test.golden";
const golden_outputs alexnet{
    "alexnet / same_output(a, b)", "LibTorch 2.13.0, 2 threads", "2026-11-18T09:12:44Z", "3f2c1ab", {"output 1, float32[4]: 01"}};
const golden_outputs resnet{"resnet \"50\"", "", "", "", {"output 1, bool[2]: 02", "gradient of w, float32[2]: 03"}};

TEST_CASE("render_golden_file sorts by key, and parse_golden_file reads it back", "[baseline][unit]") {
    const std::string text = render_golden_file({resnet, alexnet});
    CHECK(text == R"-({
  "schema_version": 1,
  "golden_outputs": {
    "alexnet / same_output(a, b)": {
      "made_by": "LibTorch 2.13.0, 2 threads",
      "when": "2026-11-18T09:12:44Z",
      "commit": "3f2c1ab",
      "outputs": [
        "output 1, float32[4]: 01"
      ]
    },
    "resnet \"50\"": {
      "made_by": "",
      "when": "",
      "commit": "",
      "outputs": [
        "output 1, bool[2]: 02",
        "gradient of w, float32[2]: 03"
      ]
    }
  }
}
)-");
    CHECK(parse_golden_file(text, path) == std::vector{alexnet, resnet});
}

TEST_CASE("parse_golden_file names the line and what was expected", "[baseline][unit]") {
    struct row {
        const char* text;
        const char* message;
    };
    const auto r = GENERATE(values<row>({
        {"<<<<<<< ours\n{}", "b/x.golden:1: "},
        {"[]", "b/x.golden:1: "},
        {R"({"schema_version": 2, "golden_outputs": {}})", "schema version 2 is of a newer perfspec, expected at most 1"},
        {R"({"schema_version": 1})", "\"golden_outputs\" is missing"},
        {"{\"schema_version\": 1, \"golden_outputs\": {\"k\":\n{\"outputs\": \"o\"}}}",
         "b/x.golden:2: \"outputs\" is \"o\", expected a list"},
        {R"({"schema_version": 1, "golden_outputs": {"k": {"outputs": [1]}}})", "expected text such as"},
        {R"({"schema_version": 1, "golden_outputs": {"k": {"outputs": [], "hash": 1}}})", "\"hash\" is unknown here"},
    }));
    CHECK_THROWS_WITH(parse_golden_file(r.text, "b/x.golden"),
                      ContainsSubstring(r.message) && ContainsSubstring("PERFSPEC_UPDATE_BASELINES=missing"));
}

TEST_CASE("golden_store keeps entries beside the baselines, and finds them", "[baseline][unit]") {
    scripted_file_system files;
    golden_store store(files, where);
    CHECK(store.path() == path);
    CHECK(store.find(alexnet.key).outcome == lookup_outcome::no_hardware);
    files.put_folder("b/epyc-4c");
    CHECK(store.find(alexnet.key).outcome == lookup_outcome::no_file);
    store.keep(resnet);
    CHECK(store.find(alexnet.key).outcome == lookup_outcome::no_entry);
    store.keep(alexnet);
    CHECK(store.find(resnet.key).kept == resnet);
    golden_outputs changed = resnet;
    changed.outputs = {"output 1, bool[2]: ff"};
    store.keep(changed);
    CHECK(store.find(resnet.key).kept == changed);
    CHECK(store.find(alexnet.key).kept == alexnet);
}

TEST_CASE("golden_store reads again under the lock what another process kept", "[baseline][unit]") {
    scripted_file_system files;
    golden_store store(files, where);
    files.before_lock = [&] { files.put(path, render_golden_file({alexnet})); };
    store.keep(resnet);
    CHECK(parse_golden_file(files.text(path), path) == std::vector{alexnet, resnet});
}

TEST_CASE("golden_store leaves a file alone that it cannot read", "[baseline][unit]") {
    scripted_file_system files;
    golden_store store(files, where);
    files.put(path, "no JSON");
    CHECK(store.find("k").outcome == lookup_outcome::corrupt);
    CHECK_THROWS_AS(store.keep(alexnet), input_error);
    CHECK(files.text(path) == "no JSON");
    files.refuse_reading(path, read_outcome::unreadable, "Permission denied");
    CHECK(store.find("k").outcome == lookup_outcome::unreadable);
    CHECK_THROWS_WITH(store.keep(alexnet), ContainsSubstring("Permission denied"));
}

TEST_CASE("golden_store says what to mend where it cannot write", "[baseline][unit]") {
    scripted_file_system files;
    files.refuse_writes_below("b");
    CHECK_THROWS_AS(golden_store(files, where).keep(alexnet), unwritable_baselines);
}

}  // namespace
}  // namespace perfspec
