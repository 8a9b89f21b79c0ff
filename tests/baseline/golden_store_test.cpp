// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/golden/golden_file.hpp>

#include <support/scripted_file_system.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

const baseline_address where{"b", "epyc-4c", "", "vision_test"};
const std::string path = "b/epyc-4c/vision_test.golden";
const golden_outputs alexnet{"alexnet / same_output(a, b)",
                             "LibTorch 2.13.0, 2 threads",
                             "2026-11-18T09:12:44Z",
                             "3f2c1ab",
                             {"output 1, float32[4]: 01"}};

std::string fault_of(const std::string& text) {
    return testing::message_of<input_error>([&] { static_cast<void>(parse_golden_file(text, "b/x.golden")); });
}
/// The file of the address above.
golden_file file_of(std::vector<golden_outputs> entries) {
    return {where.hardware, where.variant, where.suite, std::move(entries)};
}
const golden_outputs resnet{"resnet \"50\"", "", "", "", {"output 1, bool[2]: 02", "gradient of w, float32[2]: 03"}};

TEST_CASE("parse_golden_file reads what render_golden_file writes", "[baseline][unit]") {
    const std::string text = render_golden_file(file_of({alexnet, resnet}));
    CHECK_RECORDED(text);
    CHECK(parse_golden_file(text, path) == file_of({alexnet, resnet}));
    CHECK_RECORDED(render_golden_file(file_of({})));
}

TEST_CASE("parse_golden_file names the line and what was expected", "[baseline][unit]") {
    std::string faults;
    for (const char* const text : {"<<<<<<< ours\n{}", "[]", R"({"schema_version": 2, "golden_outputs": {}})",
                                   R"({"schema_version": 1, "golden_outputs": {}})",
                                   R"({"schema_version": 1, "hardware": "h", "build_variant": "", "suite": "s"})"})
        faults += fault_of(text) + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("parse_golden_file refuses an entry that holds no outputs", "[baseline][unit]") {
    const std::string head =
        R"({"schema_version": 1, "hardware": "h", "build_variant": "", "suite": "s", "golden_outputs": {"k":)";
    std::string faults;
    for (const char* const entry : {"{\"outputs\": \"o\"}", R"({"outputs": [1]})", R"({"outputs": []})",
                                    R"({"made_by": "x"})", R"({"outputs": ["o"], "hash": 1})"})
        faults += fault_of(head + "\n" + entry + "}}") + "\n";
    CHECK_RECORDED(faults);
}

TEST_CASE("output_difference names the first output whose bits differ", "[baseline][unit]") {
    const auto with = [](std::vector<std::string> outputs) {
        golden_outputs changed = resnet;
        changed.outputs = std::move(outputs);
        return changed;
    };
    CHECK(output_difference(resnet, resnet).empty());
    CHECK_RECORDED(output_difference(resnet, with({"output 1, bool[2]: 02", "gradient of w, float32[2]: 04"})));
    CHECK(output_difference(resnet, with({"output 1, bool[2]: 02"})) == "1 outputs, but 2 are stored");
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
    CHECK(store.find(resnet.key).entry == resnet);
    golden_outputs changed = resnet;
    changed.outputs = {"output 1, bool[2]: ff"};
    store.keep(changed);
    CHECK(store.find(resnet.key).entry == changed);
    CHECK(store.find(alexnet.key).entry == alexnet);
}

TEST_CASE("golden_store reads again under the lock what another process kept", "[baseline][unit]") {
    scripted_file_system files;
    golden_store store(files, where);
    files.before_lock = [&] { files.put(path, render_golden_file(file_of({alexnet}))); };
    store.keep(resnet);
    CHECK(parse_golden_file(files.text(path), path) == file_of({alexnet, resnet}));
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

TEST_CASE("golden_store refuses a file that was copied from other hardware, and outputs that cannot be read back",
          "[baseline][unit]") {
    scripted_file_system files;
    golden_store store(files, where);
    files.put(path, render_golden_file({"other-8c", "", "vision_test", {alexnet}}));
    const auto foreign = store.find(alexnet.key);
    CHECK(foreign.outcome == lookup_outcome::corrupt);
    CHECK_THAT(foreign.reason, ContainsSubstring("\"hardware\" is \"other-8c\", expected \"epyc-4c\""));
    CHECK_THROWS_AS(store.keep(resnet), input_error);
    files.put(path, render_golden_file(file_of({alexnet})));
    golden_outputs broken = resnet;
    broken.made_by = "\xff";
    CHECK_THROWS_WITH(store.keep(broken), ContainsSubstring("its text is not UTF-8"));
    CHECK(store.load().file == file_of({alexnet}));
}

TEST_CASE("golden_store says what to mend where it cannot write", "[baseline][unit]") {
    scripted_file_system files;
    files.refuse_writes_below("b");
    CHECK_THROWS_AS(golden_store(files, where).keep(alexnet), unwritable_baselines);
}

}  // namespace
}  // namespace perfspec
