// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch.hpp>
#include <perfspec/libtorch/packages/package.hpp>

#include <ATen/ops/ones.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::detail::mismatch;
using perfspec::detail::package_metadata;
using perfspec::detail::process_facts;

const process_facts here{
    .threads = "2", .cpu_flags = "00ff", .torch = "2.13.0", .device = "cpu", .inputs = "float32[1,8]"};
const package_metadata fitting{{"PERFSPEC_SCHEMA", "1"},           {"PERFSPEC_MODEL", "linear"},
                               {"PERFSPEC_THREADS", "2"},          {"PERFSPEC_CPU_FLAGS", "00ff"},
                               {"PERFSPEC_TORCH", "2.13.0+cpu"},   {"PERFSPEC_DEVICE", "cpu"},
                               {"PERFSPEC_INPUTS", "float32[1,8]"}};

package_metadata with(const char* name, const char* value) {
    auto changed = fitting;
    changed[name] = value;
    return changed;
}

}  // namespace

TEST_CASE("mismatch is empty for the process that a package was compiled for", "[libtorch][unit]") {
    CHECK(mismatch(fitting, here).empty());
    CHECK(mismatch(with("PERFSPEC_TORCH", "2.9.1"), here).empty());  // older, though "9" sorts after "13"
}

TEST_CASE("mismatch names what differs", "[libtorch][unit]") {
    const auto [name, value, reason] = GENERATE(table<const char*, const char*, const char*>({
        {"PERFSPEC_SCHEMA", "", "it does not say what it was compiled for: its metadata has no PERFSPEC_SCHEMA"},
        {"PERFSPEC_SCHEMA", "2", "its PERFSPEC_SCHEMA is 2, but this perfspec reads only 1"},
        {"PERFSPEC_THREADS", "1", "it was compiled for 1 threads, but this process runs 2"},
        {"PERFSPEC_CPU_FLAGS", "abcd", "it was compiled for another CPU (flags abcd, here 00ff)"},
        {"PERFSPEC_TORCH", "2.13.1", "it was compiled by PyTorch 2.13.1, newer than this LibTorch 2.13.0"},
        {"PERFSPEC_TORCH", "3.0.0+cu130", "it was compiled by PyTorch 3.0.0+cu130, newer than this LibTorch 2.13.0"},
        {"PERFSPEC_DEVICE", "cuda", "it was compiled for device cuda, but its inputs are on cpu"},
        {"PERFSPEC_INPUTS", "float32[8,8]", "it was compiled for inputs float32[8,8], but is given float32[1,8]"},
        {"PERFSPEC_INPUTS", "float64[1,8]", "it was compiled for inputs float64[1,8], but is given float32[1,8]"},
    }));
    CHECK(mismatch(with(name, value), here) == reason);
}

TEST_CASE("mismatch minds no threads on a device", "[libtorch][unit]") {
    auto on_cuda = with("PERFSPEC_DEVICE", "cuda");
    on_cuda["PERFSPEC_THREADS"] = "16";
    auto there = here;
    there.device = "cuda";
    CHECK(mismatch(on_cuda, there).empty());
}

TEST_CASE("cpu_flags_hash is FNV-1a of the first processor's sorted flags", "[libtorch][unit]") {
    // FNV-1a 64 of "abc" and of "": the reference vectors of draft-eastlake-fnv-21, appendix C.
    CHECK(perfspec::detail::cpu_flags_hash("processor\t: 0\nflags\t\t: abc\nprocessor\t: 1\nflags\t\t: xyz\n") ==
          "e71fa2190541574b");
    CHECK(perfspec::detail::cpu_flags_hash("flags\t\t:\n") == "cbf29ce484222325");
    CHECK(perfspec::detail::cpu_flags_hash("flags : sse avx fpu") ==
          perfspec::detail::cpu_flags_hash("flags : avx fpu sse\n"));
    CHECK(perfspec::detail::cpu_flags_hash("Features\t: abc") == "e71fa2190541574b");
    CHECK(perfspec::detail::cpu_flags_hash("no such line").empty());
}

TEST_CASE("this_process describes inputs as export.py does", "[libtorch][unit]") {
    const auto facts =
        perfspec::detail::this_process({at::ones({1, 3, 2, 2}), at::ones({7}, at::kBFloat16), at::ones({}, at::kLong)});
    CHECK(facts.inputs == "float32[1,3,2,2];bfloat16[7];int64[]");
    CHECK(perfspec::detail::this_process(at::ones({1, 3, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast)).inputs ==
          "float32[1,3,2,2](0,1,6,3)");
    CHECK(facts.device == "cpu");
    CHECK(facts.cpu_flags.size() == 16);
}

TEST_CASE("export_command repeats the export for this process", "[libtorch][unit]") {
    auto batch = here;
    batch.inputs = "float32[8,3,224,224]";
    CHECK_THAT(
        perfspec::detail::export_command("build/a.pt2", fitting, batch),
        StartsWith("python3 /") &&
            EndsWith(
                "/libtorch/export/export.py --models models.py --model linear --batch 8 --threads 2 --device cpu --output build/a.pt2"));
    CHECK_THAT(perfspec::detail::export_command("a.pt2", with("PERFSPEC_MODELS", "/project/models.py"), batch),
               ContainsSubstring("--models /project/models.py --model linear"));
    CHECK_THAT(perfspec::detail::export_command("build/a.pt2", with("PERFSPEC_KERNEL_PROFILING", "1"), batch),
               ContainsSubstring("--device cpu --kernel-profiling --output build/a.pt2"));
    CHECK_THAT(perfspec::detail::export_command("build/resnet50.pt2", {}, here),
               ContainsSubstring("--model resnet50 --batch 1"));
}

TEST_CASE("export_command has the options that a package was compiled with, and the Python where that is still there",
          "[libtorch][unit]") {
    CHECK_THAT(
        perfspec::detail::export_command("a.pt2", with("PERFSPEC_OPTIONS", "--mode unfrozen --dtype bfloat16"), here),
        ContainsSubstring("--model linear --mode unfrozen --dtype bfloat16 --batch 1 "));
    const std::string python = (std::filesystem::temp_directory_path() / "perfspec_python_that_exports").string();
    const auto by_python = with("PERFSPEC_PYTHON", python.c_str());
    CHECK_THAT(perfspec::detail::export_command("a.pt2", by_python, here), StartsWith("python3 /"));
    std::ofstream(python) << "";
    CHECK_THAT(perfspec::detail::export_command("a.pt2", by_python, here), StartsWith(python + " /"));
    std::filesystem::remove(python);
}

TEST_CASE("export_command describes a package of another script, for the inputs that it is given", "[libtorch][unit]") {
    CHECK_THAT(perfspec::detail::export_command("raw.pt2", {{"AOTI_DEVICE_KEY", "cpu"}}, here),
               ContainsSubstring("/export.py --describe raw.pt2 --inputs \"float32[1,8]\" --threads 2 --device cpu"));
}

TEST_CASE("mismatch lets sizes vary within their ranges, and nothing else", "[libtorch][unit]") {
    const auto fits = [](const char* wanted, const char* given) {
        auto there = here;
        there.inputs = given;
        return mismatch(with("PERFSPEC_INPUTS", wanted), there).empty();
    };
    CHECK(fits("int64[1..8,2..16];float32[1..8]", "int64[8,2];float32[1]"));
    CHECK_FALSE(fits("int64[1..8,2..16]", "int64[9,2]"));
    CHECK_FALSE(fits("int64[1..8,2..16]", "int64[0,2]"));
    CHECK_FALSE(fits("int64[1..8,2..16]", "int64[8,2,1]"));
    CHECK_FALSE(fits("int64[1..8,2..16]", "int64[8]"));
    CHECK_FALSE(fits("int64[1..8]", "int32[8]"));
    CHECK_FALSE(fits("int64[1..8]", "int64[8];int64[8]"));
    CHECK_FALSE(fits("int64[1..8];int64[1..8]", "int64[8]"));
    CHECK(fits("float32[1,3,4,4](0,1,12,3)", "float32[1,3,4,4](0,1,12,3)"));
    CHECK_FALSE(fits("float32[1,3,4,4](0,1,12,3)", "float32[1,3,4,4]"));
    CHECK_FALSE(fits("float32[1,3,4,4]", "float32[1,3,4,4](0,1,12,3)"));
    CHECK(fits("float32[1..8,3,4,4](48,1,12,3)", "float32[1,3,4,4](0,1,12,3)"));
    CHECK(fits("float32[1..8,3,4,4](0,1,12,3)", "float32[8,3,4,4](48,1,12,3)"));
    CHECK_FALSE(fits("float32[1..8,3,4,4](48,1,12,3)", "float32[8,3,4,4](96,1,12,3)"));
    CHECK_FALSE(fits("float32[1..8,3,4,4](48,1,12,3)", "float32[8,3,4,4](0,1,12,3)"));
    CHECK_FALSE(fits("float32[1..8,3,4,4](48,1,12,3)", "float32[1,3,4,4](0,16,1,4)"));
    CHECK_FALSE(fits("float32[1..8,3,4,4](48,1,12,3)", "float32[1,3,4,4]"));
    CHECK(fits("float32[]", "float32[]"));
    CHECK_FALSE(fits("float32[]", "float32[1]"));
}

TEST_CASE("announces_kernels only of a package that says so", "[libtorch][unit]") {
    CHECK(perfspec::detail::announces_kernels(with("PERFSPEC_KERNEL_PROFILING", "1")));
    CHECK_FALSE(perfspec::detail::announces_kernels(with("PERFSPEC_KERNEL_PROFILING", "0")));
    CHECK_FALSE(perfspec::detail::announces_kernels(fitting));  // of an older export.py
}

TEST_CASE("compilation_beside is nothing without the file that export.py writes", "[libtorch][unit]") {
    CHECK(perfspec::detail::compilation_beside("no/such.pt2").ns == 0.0);
    CHECK(perfspec::detail::compilation_beside("no/such.pt2").fault.empty());
}

TEST_CASE("compilation_beside is nothing where the file is of another package", "[libtorch][unit]") {
    const std::string path = (std::filesystem::temp_directory_path() / "perfspec_of_another.pt2").string();
    std::ofstream(path) << "12345";
    std::ofstream(path + ".json") << R"({"compile_seconds": 2.5, "package_bytes": 5})";
    CHECK(perfspec::detail::compilation_beside(path).ns == 2.5e9);
    std::ofstream(path) << "123456";
    const auto found = perfspec::detail::compilation_beside(path);
    CHECK(found.ns == 0.0);
    CHECK_THAT(found.fault,
               ContainsSubstring(path + ".json:1: \"package_bytes\" is not the size of the package beside it"));
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".json");
}

TEST_CASE("compilation_beside names a file with an impossible time of compilation", "[libtorch][unit]") {
    const auto [written, fault] = GENERATE(values<std::pair<const char*, const char*>>({
        {"1e308", "\"compile_seconds\" is 1e+308, expected a number above 0 and at most 10000000, such as 12.5"},
        {"-1", "\"compile_seconds\" is -1, expected"},
        {"0", "\"compile_seconds\" is 0, expected"},
        {"\"2.5\"", "\"compile_seconds\" is \"2.5\", expected"},
        {"null", "\"compile_seconds\" is \"null\", expected"},
        {"NaN", "export the package again, or remove the file"},
        {"1e400", "export the package again, or remove the file"},
    }));
    const std::string path = (std::filesystem::temp_directory_path() / "perfspec_of_no_time.pt2").string();
    std::ofstream(path) << "12345";
    std::ofstream(path + ".json") << "{\"compile_seconds\": " << written << ", \"package_bytes\": 5}";
    const auto found = perfspec::detail::compilation_beside(path);
    CHECK(found.ns == 0.0);
    CHECK_THAT(found.fault, ContainsSubstring(path + ".json:1: ") && ContainsSubstring(fault));
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".json");
}

TEST_CASE("a file that the build could not make lacks what the build lacked, even with an older file in its place",
          "[libtorch][unit]") {
    const auto folder = std::filesystem::temp_directory_path() / "perfspec_not_exported";
    std::filesystem::create_directories(folder);
    for (const std::string name : {"model.pt2", "model.pt"}) {
        const std::string file = (folder / name).string();
        std::ofstream(file + ".unavailable") << "there is no Python at /usr/bin/python3\n";
        const perfspec::subject made =
            name == "model.pt" ? perfspec::subject(perfspec::torchscript("traced", file, {at::ones({1, 8})}))
                               : perfspec::aot_inductor("compiled", file, {at::ones({1, 8})});
        CHECK(made.state().skip_reason == "the build did not make " + file +
                                              ": there is no Python at /usr/bin/python3 (" + file +
                                              ".unavailable says so)");
    }
    std::filesystem::remove_all(folder);
    CHECK(perfspec::detail::why_not_exported((folder / "model.pt2").string()).empty());
}

TEST_CASE("read_package_metadata names a fault of the file", "[libtorch][unit]") {
    const auto [name, content, fault] = GENERATE(table<const char*, const char*, const char*>({
        {"missing.pt2", nullptr, "there is no such file"},
        {"empty.pt2", "", "it is not an AOTInductor package, or only a part of one (0 bytes)"},
        {"text.pt2", "weights", "it is not an AOTInductor package, or only a part of one (7 bytes)"},
    }));
    const auto file = std::filesystem::temp_directory_path() / ("perfspec_package_test_" + std::string{name});
    std::filesystem::remove(file);
    if (content != nullptr) std::ofstream{file} << content;
    CHECK(perfspec::detail::read_package_metadata(file.string()).fault == fault);
    std::filesystem::remove(file);
}
