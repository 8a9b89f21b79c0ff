// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/baseline/fingerprint/linked_library.hpp>

#include <support/scripted_environment.hpp>
#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

#include <cfenv>

namespace perfspec {
namespace {

scripted_file_system linux_files() {
    scripted_file_system files;
    files.put("/proc/meminfo", "MemTotal:        8123456 kB\nMemFree: 12 kB\n");
    files.put("/etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    files.put("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    files.put("/proc/self/status", "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n");
    files.put("/proc/self/cgroup", "0::/a/b\n");
    files.put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    return files;
}

TEST_CASE("read_fingerprint reads what Linux tells", "[baseline][unit]") {
    auto files = linux_files();
    files.put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    const build_facts build{"-O2", {{"libtorch", "2.13.0"}, {"cuda", "12.4"}}};
    const fingerprint expected{
        "8 GiB", "Debian GNU/Linux 12 (bookworm)",          "6.1.0-18-amd64", "", "-O2", "performance", "",
        "0-3",   {{"cuda", "12.4"}, {"libtorch", "2.13.0"}}};
    CHECK(read_fingerprint(files, build) == expected);
}

TEST_CASE("read_fingerprint leaves unreported facts empty", "[baseline][unit]") {
    CHECK(read_fingerprint(scripted_file_system(), {}) == fingerprint{});
}

TEST_CASE("read_fingerprint rounds memory, of which kernels keep a little", "[baseline][unit]") {
    auto files = linux_files();
    files.put("/proc/meminfo", "MemTotal:        8388608 kB\n");
    CHECK(read_fingerprint(files, {}).memory == "8 GiB");
    files.put("/proc/meminfo", "MemTotal:       33554432 kB\n");
    CHECK(read_fingerprint(files, {}).memory == "32 GiB");
    files.put("/proc/meminfo", "MemTotal:         244736 kB\n");
    CHECK(read_fingerprint(files, {}).memory == "1 GiB");
}

TEST_CASE("read_fingerprint gives the tightest quota of the control groups", "[baseline][unit]") {
    auto files = linux_files();
    files.put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    CHECK(read_fingerprint(files, {}).processors == "0-3, quota 1.5");
    files.put("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    CHECK(read_fingerprint(files, {}).processors == "0-3, quota 0.5");
    files.put("/sys/fs/cgroup/a/b/cpu.max", "25000 100000\n");
    CHECK(read_fingerprint(files, {}).processors == "0-3, quota 0.25");
}

TEST_CASE("read_fingerprint distinguishes containers", "[baseline][unit]") {
    auto files = linux_files();
    files.put("/run/.containerenv", "");
    CHECK(read_fingerprint(files, {}).container == "podman");
    files.put("/.dockerenv", "");
    CHECK(read_fingerprint(files, {}).container == "docker");
    files.put_folder("/var/run/secrets/kubernetes.io");
    CHECK(read_fingerprint(files, {}).container == "kubernetes");
}

TEST_CASE("describe_difference names each field that changed, in order", "[baseline][unit]") {
    fingerprint then;
    then.kernel = "6.1.0";
    then.compiler = "g++ 12.2.0";
    then.libraries = {{"cuda", "12.4"}, {"libtorch", "2.12.0"}};
    fingerprint now = then;
    CHECK(describe_difference(then, now).empty());

    now.kernel = "6.8.0";
    now.container = "docker";
    now.libraries = {{"libtorch", "2.13.0"}, {"openblas", "0.3.21"}};
    const std::vector<std::string> expected{"kernel: was 6.1.0, is 6.8.0", "container: was unknown, is docker",
                                            "cuda: was 12.4, is none", "libtorch: was 2.12.0, is 2.13.0",
                                            "openblas: was none, is 0.3.21"};
    CHECK(describe_difference(then, now) == expected);
}

TEST_CASE("describe_difference names the flags that differ", "[baseline][unit]") {
    fingerprint then;
    fingerprint now;
    then.flags = "-O2 -mavx2 -DNDEBUG";
    now.flags = "-O3 -DNDEBUG -DCHECKS=1";
    CHECK(describe_difference(then, now) == std::vector<std::string>{"flags: was -O2 -mavx2, is -O3 -DCHECKS=1"});
    now.flags = "-O2 -mavx2 -DNDEBUG -flto";
    CHECK(describe_difference(then, now) == std::vector<std::string>{"flags: added -flto"});
}

TEST_CASE("describe_difference ignores flags and libraries that one side lacks", "[baseline][unit]") {
    const fingerprint older;
    fingerprint newer;
    newer.flags = "-O3";
    newer.libraries = {{"glibc", "2.36"}};
    CHECK(describe_difference(older, newer).empty());
    CHECK(describe_difference(newer, older).empty());
}

}  // namespace

TEST_CASE("significant_flags keeps what changes the code", "[baseline][unit]") {
    struct row {
        detail::compile_options given;
        std::string flags;
    };
    const auto r = GENERATE(values<row>({
        {{}, ""},
        {{.flags = "-O2 -g -DNDEBUG"}, "-O2 -DNDEBUG"},
        {{.flags = " -Wall -pipe -std=c++20 -I/usr/include "}, ""},
        {{.flags = "-O2", .options = "-Wall;-O3;-march=x86-64-v2;-march=native"}, "-O3 -march=native -march=x86-64-v2"},
        {{.options = "-ffast-math;-fno-fast-math;-mavx2;-mno-avx2"}, "-ffast-math -fno-fast-math -mavx2 -mno-avx2"},
        {{.options = "SHELL:-mtune=generic -funroll-loops;-fdiagnostics-color=always;-fmessage-length=0"},
         "-funroll-loops -mtune=generic"},
        {{.options = "-ffile-prefix-map=/opt/x=."}, ""},
        {{.flags = "-O2", .link_time = true}, "-O2 -flto"},
        {{.flags = "-flto=auto", .link_time = true}, "-flto -flto=auto"},
        {{.definitions = "ZETA;-DALPHA=1;ALPHA=1;PERFSPEC_COMMIT=\"3f2c1ab\""}, "-DALPHA=1 -DZETA"},
        {{.definitions = "DATA=\"/opt/x/data\""}, ""},
        {{.flags = "-DTEXT=1", .definitions = "NAME=\"e (f)\""}, "-DNAME=\"e (f)\" -DTEXT=1"},
    }));
    CAPTURE(r.given.flags, r.given.options, r.given.definitions);
    CHECK(detail::significant_flags(r.given) == r.flags);
}

namespace {

const register_library made_up{"made up", [] { return std::string("1.2"); }};
const register_library of_device{"of a device", [] { return std::string("3.4"); }, library_use::on_device};
const register_library absent{"absent", [] { return std::string(); }};

/// The version of a library, or "none".
std::string version(const std::vector<versioned_library>& libraries, const std::string& name) {
    const auto found = std::ranges::find(libraries, name, &versioned_library::name);
    return found == libraries.end() ? "none" : found->version;
}

const testing::scripted_environment none{};

}  // namespace

TEST_CASE("linked_libraries has those that adapters registered, and the language's", "[baseline][unit]") {
    const auto found = linked_libraries(library_use::always, none);
    CHECK(version(found, "made up") == "1.2");
    CHECK(version(found, "absent") == "none");
    CHECK(version(found, "of a device") == "none");
#if defined(__GLIBCXX__)
    CHECK(version(found, "libstdc++").starts_with(std::to_string(_GLIBCXX_RELEASE)));
#endif
#if defined(__GLIBC__)
    CHECK(version(found, "glibc").starts_with("2."));
#endif
}

TEST_CASE("linked_libraries has the processor's modes of numbers", "[baseline][unit]") {
    CHECK(version(linked_libraries(library_use::always, none), "floating point") == "none");
    std::fesetround(FE_UPWARD);
    const auto found = linked_libraries(library_use::always, none);
    std::fesetround(FE_TONEAREST);
    CHECK(version(found, "floating point") == "rounds in one direction");
}

TEST_CASE("linked_libraries has the settings of the allocator", "[baseline][unit]") {
    CHECK(version(linked_libraries(library_use::always, none), "MALLOC_CONF") == "none");
    const testing::scripted_environment set{{"MALLOC_CONF", "narenas:1"}, {"LD_PRELOAD", "/opt/libx.so"}};
    CHECK(version(linked_libraries(library_use::always, set), "MALLOC_CONF") == "narenas:1");
    CHECK(version(linked_libraries(library_use::always, set), "LD_PRELOAD") == "libx.so");
}

TEST_CASE("linked_libraries of a claim on a device has those that matter there", "[baseline][unit]") {
    const auto found = linked_libraries(library_use::on_device, none);
    CHECK(version(found, "made up") == "1.2");
    CHECK(version(found, "of a device") == "3.4");
}

}  // namespace perfspec
