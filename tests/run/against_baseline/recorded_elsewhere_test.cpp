// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Baselines of another build, of other libraries, or of another device.
#include "../scripted_run.hpp"
#include "../stored_program.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/scripted_device_machine.hpp>

namespace perfspec {
namespace {

using namespace testing;
using texts = std::vector<std::string>;

/// The reported differences of a claim on sort from the recording.
texts differences(stored_program& program, const fingerprint& recorded_on, const written& how = {}) {
    program.recorded_on = recorded_on;
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline(), {}, how);
    REQUIRE(r.verdict == verdict::holds);
    return r.baseline.value().differences;
}

const register_library of_device{"runtime of a device", [] { return std::string("3.4"); }, library_use::on_device};

fingerprint here(stored_program& program, library_use use = library_use::always) {
    return program.context().machine(use);
}

}  // namespace

TEST_CASE("a baseline that was recorded with other flags says so", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.context().set_compile_flags("-O3 -DNDEBUG");
    fingerprint then = here(program);
    then.flags = "-O2 -DNDEBUG";
    CHECK(differences(program, then) == texts{"flags: was -O2, is -O3"});
}

TEST_CASE("a command names the folder of baselines so that it works in any folder", "[run][unit]") {
    stored_program program(processes_of(2e6, 10));
    program.variables["PERFSPEC_BASELINE_DIR"] = "ours/./baselines";
    program.store(program.key(), about(1e6, 10), "ns", "/project/ours/baselines");
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    REQUIRE(r.verdict == verdict::violated);
    REQUIRE(r.commands.size() == 2);
    CHECK_RECORDED(r.commands[1].second);
}

TEST_CASE("a baseline that a claim in another file recorded says so", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.source = "map_test.cpp:3";
    const texts reported = differences(program, here(program));
    REQUIRE(reported.size() == 1);
    CHECK_THAT(reported[0], StartsWith("source: was map_test.cpp:3, is "));
}

TEST_CASE("a baseline of another program is not compared with, and one of a moved test or a renamed program is",
          "[run][unit]") {
    const auto [source, verdict] = GENERATE(table<std::string, perfspec::verdict>({
        {"map_test.cpp:3 in map_test", verdict::error},
        {"map_test.cpp:3 in sort_test", verdict::holds},
        {"sort_test.cpp:3 in map_test", verdict::holds},
        {"map_test.cpp:3", verdict::holds},
    }));
    stored_program program(processes_of(1e6, 10));
    program.source = source;
    program.store(program.key(), about(1e6, 10));
    const record r = program.evaluate(latency(program.sort) < 1.05 * baseline());
    CHECK(r.verdict == verdict);
    CHECK((r.verdict != verdict::error || r.reason.starts_with("two programs use this key: ")));
}

TEST_CASE("a build that does not report its flags is known by the macros of the file that asserts", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    fingerprint then = here(program);
    then.flags = "__OPTIMIZE__";
    CHECK(differences(program, then, {.flags = "__OPTIMIZE__ __AVX2__"}) == texts{"flags: added __AVX2__"});
}

TEST_CASE("the compiler is that of the file that asserts", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    fingerprint then = here(program);
    then.compiler = "g++ 12.2.0";
    CHECK(differences(program, then, {.compiler = {"clang", 14, 0, 6}}) ==
          texts{"compiler: was g++ 12.2.0, is clang 14.0.6"});
}

TEST_CASE("a baseline that was recorded with other libraries says so", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    fingerprint then = here(program);
    REQUIRE_FALSE(then.libraries.empty());
    const versioned_library now = then.libraries.front();
    then.libraries.front().version = "0.1";
    CHECK(differences(program, then) == texts{now.name + ": was 0.1, is " + now.version});
}

TEST_CASE("a baseline of a subject in another process says if that process had another library", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.sort.state().remote = "the worker of models.py";
    program.sort.state().remote_facts = [](void*, detail::remote_lookup) {
        return std::vector<std::pair<std::string, std::string>>{{"torch", "2.13.0"}, {"threads", "2"}};
    };
    fingerprint then = here(program);
    then.libraries.push_back({"threads of the worker of models.py", "2"});
    then.libraries.push_back({"torch of the worker of models.py", "2.9.1"});
    std::ranges::sort(then.libraries, {}, &versioned_library::name);
    CHECK(differences(program, then) == texts{"torch of the worker of models.py: was 2.9.1, is 2.13.0"});
}

TEST_CASE("a baseline of a subject on a device is that of the device, and says if its driver was another one",
          "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    scripted_device_machine machine;
    program.devices = &machine;
    fingerprint then = here(program, library_use::on_device);
    then.libraries.push_back({"driver", "0.9"});
    then.libraries.push_back({"processor", program.context().hardware_key()});
    std::ranges::sort(then.libraries, {}, &versioned_library::name);
    program.sort.state().device = "cuda:0";
    CHECK(differences(program, then) == texts{"driver: was 0.9, is 1.0"});
    CHECK(program.path() == "/project/baselines/made-up/sort_test.json");
}

TEST_CASE("a baseline of an older perfspec, without flags and libraries, is not said to differ", "[run][unit]") {
    stored_program program(processes_of(1e6, 2));
    program.context().set_compile_flags("-O3");
    fingerprint then = here(program);
    then.flags.clear();
    then.libraries.clear();
    CHECK(differences(program, then).empty());
}

TEST_CASE("what is recorded has the flags and libraries", "[run][unit]") {
    stored_program program(processes_of(1e6, 10));
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    program.files.put_folder("/project/baselines");
    program.context().set_compile_flags("-O3 -DNDEBUG");
    CHECK(program.evaluate(latency(program.sort) < 1.05 * baseline()).baseline.value().action ==
          baseline_action::recorded);
    const fingerprint recorded = program.stored().entries.at(0).recorded_on;
    CHECK(recorded.flags == "-O3 -DNDEBUG");
    CHECK(recorded.libraries == here(program).libraries);
    CHECK_FALSE(recorded.libraries.empty());
}

}  // namespace perfspec
