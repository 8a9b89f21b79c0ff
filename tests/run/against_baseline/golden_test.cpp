// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/baseline/golden/golden_file.hpp>

namespace perfspec {
namespace {

using namespace testing;

verification found{};

/// A subject of an adapter that compares bits.
subject comparable(const char* name) {
    static constexpr body_functions functions{.run = [](void*, std::uint64_t) {},
                                              .same_output = [](void*, void*) { return found; }};
    subject made(name, functions, 1);
    made.constructed();
    return made;
}

/// PASS, with outputs of these bits.
verification bits(const std::string& hash, const std::string& made_by = "LibTorch 2.13.0") {
    return {verification_code::pass, "output 1 agrees", {}, {"output 1, float32[4]: " + hash}, made_by};
}

// The same subjects every time: other ones would get other keys.
record judged(scripted_run& program) {
    static const subject a = comparable("a"), b = comparable("b");
    return program.evaluate(same_output(a, b));
}

const std::string key = "sorting / same_output(a, b)";
const std::string folder = "/project/baselines";

std::string path_of_golden(scripted_run& program) {
    return golden_store(program.files, {folder, program.context().hardware_key(), "", program.context().suite()})
        .path();
}

void keep_outputs(scripted_run& program, std::vector<std::string> outputs) {
    program.files.put(
        path_of_golden(program),
        render_golden_file({program.context().hardware_key(),
                            "",
                            program.context().suite(),
                            {{key, "LibTorch 2.13.0", "2026-11-01T00:00:00Z", "3f2c1ab", std::move(outputs)}}}));
}

void keep_committed(scripted_run& program, const std::string& hash) {
    keep_outputs(program, {"output 1, float32[4]: " + hash});
}

scripted_run& committed(scripted_run& program) {
    program.variables["PERFSPEC_BASELINE_DIR"] = folder;
    program.files.put_folder(folder);
    return program;
}

}  // namespace

TEST_CASE("same_output holds where the bits are those that were kept", "[run][unit]") {
    scripted_run program;
    keep_committed(committed(program), "01");
    found = bits("01");
    const record r = judged(program);
    CHECK(r.verdict == verdict::holds);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("same_output is violated by other bits than were kept, and says what to do", "[run][unit]") {
    scripted_run program;
    keep_committed(committed(program), "01");
    found = bits("02", "LibTorch 2.14.0");
    const record r = judged(program);
    CHECK(r.verdict == verdict::violated);
    CHECK(r.failed);
    REQUIRE(r.verified);
    CHECK(r.verified->code == verification_code::fail);
    CHECK(
        r.reason ==
        "candidate and reference agree, but their bits differ from the stored outputs: output 1, float32[4]: 02, stored was output 1, "
        "float32[4]: 01 on 2026-11-01 of commit 3f2c1ab by LibTorch 2.13.0, now LibTorch 2.14.0 (" +
            path_of_golden(program) + ")");
    REQUIRE(r.advice.size() == 1);
    CHECK_THAT(r.advice.front(), ContainsSubstring("PERFSPEC_UPDATE_BASELINES=1"));
}

TEST_CASE("same_output is violated by any output that is not as it was kept, and by another number of them",
          "[run][unit]") {
    scripted_run program;
    keep_outputs(committed(program), {"output 1: 01", "output 2: 02"});
    found = {verification_code::pass, "agrees", {}, {"output 1: 01", "output 2: 03"}, ""};
    CHECK_RECORDED(judged(program).reason);
    found.fingerprints = {"output 1: 01"};
    CHECK_THAT(judged(program).reason, ContainsSubstring("from the stored outputs: 1 outputs, but 2 are stored on"));
}

TEST_CASE("same_output does not look for stored bits if outputs FAIL, or without a request", "[run][unit]") {
    scripted_run program;
    keep_committed(committed(program), "01");
    found = bits("02");
    found.code = verification_code::fail;
    CHECK(judged(program).reason == "output 1 agrees");
    found = {verification_code::pass, "agrees", {}};
    CHECK(judged(program).verdict == verdict::holds);
}

TEST_CASE("same_output keeps bits on the first run of a machine, and the next run compares", "[run][unit]") {
    scripted_run program;
    found = bits("01");
    const record first = judged(program);
    CHECK(first.verdict == verdict::skipped);
    CHECK_RECORDED(first.reason);
    CHECK(judged(program).verdict == verdict::holds);
    found = bits("02");
    CHECK(judged(program).verdict == verdict::violated);
}

TEST_CASE("same_output in CI is an error without kept bits where the hardware is known, and skipped elsewhere",
          "[run][unit]") {
    scripted_run program;
    committed(program).variables["PERFSPEC_CI"] = "on";
    found = bits("01");
    const record elsewhere = judged(program);
    CHECK(elsewhere.verdict == verdict::skipped);
    CHECK_THAT(elsewhere.reason, ContainsSubstring("are committed, so there are no golden outputs"));
    program.files.put_folder(folder + "/" + program.context().hardware_key());
    const record known = judged(program);
    CHECK(known.verdict == verdict::error);
    CHECK_RECORDED(known.reason);
    CHECK_FALSE(program.files.has(path_of_golden(program)));
}

TEST_CASE("same_output in CI records the bits of outputs that PASS, and no others", "[run][unit]") {
    scripted_run program;
    committed(program).variables["PERFSPEC_CI"] = "on";
    found = bits("01");
    const record unknown = judged(program);
    REQUIRE(unknown.verified);
    CHECK(unknown.verified->fingerprints == found.fingerprints);
    keep_committed(program, "02");
    found.code = verification_code::fail;  // of the baseline, so that the bits are no golden ones
    CHECK(judged(program).verified->fingerprints.empty());
}

TEST_CASE("the update flag keeps the bits of outputs that PASS", "[run][unit]") {
    scripted_run program;
    committed(program).variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    found = bits("01");
    found.code = verification_code::fail;
    CHECK(judged(program).verdict == verdict::violated);
    CHECK_FALSE(program.files.has(path_of_golden(program)));
    found = bits("01");
    const record r = judged(program);
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.on_request);
    CHECK(r.reason == "the outputs are stored (" + path_of_golden(program) + ")");
    CHECK_THAT(program.files.text(path_of_golden(program)), ContainsSubstring("float32[4]: 01"));
    CHECK_RECORDED(judged(program).reason);
    found = bits("02");
    CHECK_THAT(judged(program).reason, ContainsSubstring("the outputs replace the stored ones on 2026-11-18"));
    CHECK_THAT(program.files.text(path_of_golden(program)), ContainsSubstring("float32[4]: 02"));
}

TEST_CASE("the update flag leaves bits that were kept where only missing ones are recorded", "[run][unit]") {
    scripted_run program;
    committed(program).variables["PERFSPEC_UPDATE_BASELINES"] = "missing";
    keep_committed(program, "01");
    found = bits("02");
    CHECK(judged(program).reason == "this claim has golden outputs, and this run stores only missing ones");
    CHECK_THAT(program.files.text(path_of_golden(program)), ContainsSubstring("float32[4]: 01"));
}

TEST_CASE("same_output is an error where the file of kept bits cannot be read", "[run][unit]") {
    scripted_run program;
    committed(program);
    program.files.put(path_of_golden(program), "no JSON");
    found = bits("01");
    const record r = judged(program);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring(path_of_golden(program) + ":1: "));
}

}  // namespace perfspec
