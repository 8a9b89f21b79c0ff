// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Baselines of work on a device belong to its model, never to another GPU, a slice, or an unknown device.
#include "../run/scripted_run.hpp"
#include "../run/stored_program.hpp"

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <support/scripted_gpus.hpp>

#include <catch2/matchers/catch_matchers_vector.hpp>

namespace perfspec {
namespace {

using namespace testing;

const char* const h100 = "NVIDIA H100 80GB HBM3";
const char* const a100 = "NVIDIA A100-SXM4-40GB";

/// A program in CI whose body works on a device of a scripted driver.
struct device_program : stored_program {
    explicit device_program(std::vector<scripted_gpu> all, std::vector<child_end> children = processes_of(1e6, 10))
        : stored_program(std::move(children)), driver(std::move(all)), machine(scripted_gpus::driver()) {
        devices = &machine;
        variables["PERFSPEC_CI"] = "on";
        files.put_folder("/project/baselines");
        sort.state().device = "cuda:0";
    }

    void store_for(const std::string& hardware) {
        baseline_entry entry{.key = key(), .unit = "ns", .direction = better::less, .recorded_on = {}, .processes = {}};
        for (const double value : about(1e6, 10)) entry.processes.push_back(process_in_session(value, 0));
        files.put(
            path_of({"/project/baselines", hardware, "", "sort_test"}),
            render_baseline_file({.hardware = hardware, .variant = {}, .suite = "sort_test", .entries = {entry}}));
    }
    record claim() { return evaluate(latency(sort) < 1.05 * baseline()); }

    scripted_gpus driver;
    gpu_machine machine;
};

}  // namespace

TEST_CASE("a claim on a device is judged against the baseline of its model", "[cuda][unit]") {
    device_program program({{.name = a100}, {.name = h100}});
    program.store_for("nvidia-h100-80gb-hbm3");
    program.sort.state().device = "cuda:1";
    const record r = program.claim();
    CHECK(r.verdict == verdict::holds);
    CHECK(r.hardware_key == "nvidia-h100-80gb-hbm3");
}

TEST_CASE("a baseline of another GPU is not found, and the claim names this GPU and those that have baselines",
          "[cuda][unit]") {
    device_program program({{.name = a100}});
    program.store_for("nvidia-h100-80gb-hbm3");
    const record r = program.claim();
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
}

TEST_CASE("a baseline of a whole GPU is not that of a slice of it, and neither that of another slice", "[cuda][unit]") {
    device_program program({{.name = "NVIDIA H100 80GB HBM3 MIG 1g.10gb", .uuid = 2}});
    program.store_for("nvidia-h100-80gb-hbm3");
    program.store_for("nvidia-h100-80gb-hbm3-mig-2g-20gb");
    const record r = program.claim();
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("no baselines for hardware \"nvidia-h100-80gb-hbm3-mig-1g-10gb\""));
}

TEST_CASE("a claim on the baseline of a device that may be any is skipped, and takes no launch", "[cuda][unit]") {
    device_program program({});
    program.store_for("unknown-cuda");
    const record r = program.claim();
    CHECK(r.verdict == verdict::skipped);
    CHECK_RECORDED(r.reason);
    CHECK(program.launcher.commands().empty());
}

TEST_CASE("a device whose driver does not report its model is not taken for the GPU that /proc names", "[cuda][unit]") {
    device_program program({{.name = h100}});
    program.driver.init_error = 999;  // the device may be a slice of that GPU
    program.files.put("/proc/driver/nvidia/gpus/0000:01:00.0/information",
                      std::string("Model: \t\t ") + h100 + "\nIRQ: 96\n");
    program.store_for("nvidia-h100-80gb-hbm3");
    const record r = program.claim();
    CHECK(r.verdict == verdict::skipped);
    CHECK(r.hardware_key == "unknown-cuda");
}

TEST_CASE("a claim on several devices belongs to all of them", "[cuda][unit]") {
    device_program program({{.name = a100}, {.name = h100}, {.name = a100}});
    const auto on = [&](const char* name, const char* device) {
        subject x = program.takes(name, std::chrono::milliseconds(1));
        x.state().device = device;
        return x;
    };
    const subject first = on("first", "cuda:0"), second = on("second", "cuda:1"), like_first = on("third", "cuda:2");
    const subject here = program.takes("here", std::chrono::milliseconds(1));
    const auto key = [&](const detail::expression& tree) { return program.evaluate(tree).hardware_key; };
    CHECK(key(speedup(first, second) > 0.5) == "nvidia-a100-sxm4-40gb-and-nvidia-h100-80gb-hbm3");
    CHECK(key(latency(first) < 2.0 * latency(like_first)) == "nvidia-a100-sxm4-40gb");
    CHECK(key(speedup(here, first) > 0.5) == program.context().hardware_key() + "-and-nvidia-a100-sxm4-40gb");
    CHECK(key(speedup(here, here) > 0.5) == program.context().hardware_key());
}

TEST_CASE("what is recorded on a device has its facts and the processor", "[cuda][unit]") {
    device_program program({{.name = h100}});
    program.variables["PERFSPEC_UPDATE_BASELINES"] = "1";
    CHECK(program.claim().baseline.value().action == baseline_action::recorded);
    const std::vector<versioned_library> libraries = program.stored().entries.at(0).recorded_on.libraries;
    const auto version = [&](const char* name) {
        const auto found = std::ranges::find(libraries, name, &versioned_library::name);
        return found == libraries.end() ? std::string("none") : found->version;
    };
    CHECK(version("GPU") == h100);
    CHECK(version("GPU memory") == "80.0 GiB");
    CHECK(version("GPU ECC") == "on");
    CHECK(version("GPU compute capability") == "9.0");
    CHECK(version("GPU multiprocessors") == "132");
    CHECK(version("CUDA of the driver") == "13.0");
    CHECK(version("processor") == program.context().hardware_key());
}

TEST_CASE("a baseline of a device with another ECC mode says so", "[cuda][unit]") {
    device_program program({{.name = h100, .ecc = 0}});
    program.store_for("nvidia-h100-80gb-hbm3");
    baseline_file file = program.stored();
    file.entries.at(0).recorded_on.libraries = {{"GPU", h100}, {"GPU ECC", "on"}};
    program.files.put(program.path(), render_baseline_file(file));
    const record r = program.claim();
    REQUIRE(r.verdict == verdict::holds);
    CHECK_THAT(r.baseline.value().differences, Catch::Matchers::VectorContains(std::string("GPU ECC: was on, is off")));
}

}  // namespace perfspec
