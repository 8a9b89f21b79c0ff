// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

std::string x86_processor(int number, const std::string& name, const std::string& mhz) {
    return "processor\t: " + std::to_string(number) +
           "\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: " + name +
           "\nstepping\t: 1\nmicrocode\t: 0x1000065\ncpu MHz\t\t: " + mhz + "\nsiblings\t: 2\ncpu cores\t: 2\n\n";
}

std::string arm_processor(int number, const std::string& implementer, const std::string& part) {
    return "processor\t: " + std::to_string(number) +
           "\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: " + implementer +
           "\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: " + part + "\nCPU revision\t: 1\n\n";
}

TEST_CASE("hardware_key is a readable slug of model and processors", "[baseline][unit]") {
    const auto [model, revision, processors, key] = GENERATE(table<std::string, std::string, std::size_t, std::string>({
        {"AMD EPYC 7763 64-Core Processor", "f25m1s1", 4, "amd-epyc-7763-4c"},
        {"AMD EPYC 9B14", "f25m17s1", 2, "amd-epyc-9b14-2c"},
        {"Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", "f6m106s6", 4, "intel-xeon-platinum-8370c-4c"},
        {"Intel(R) Xeon(R) CPU           E5620  @ 2.40GHz", "f6m44s2", 16, "intel-xeon-e5620-16c"},
        {"Intel(R) Xeon(R) CPU E5-2673 v4 @ 2.30GHz", "f6m79s1", 2, "intel-xeon-e5-2673-v4-2c"},
        {"13th Gen Intel(R) Core(TM) i7-1355U", "f6m186s3", 12, "13th-gen-intel-core-i7-1355u-12c"},
        {"Intel(R) Pentium(R) D CPU 3.00GHz", "f15m4s7", 2, "intel-pentium-d-f15m4s7-2c"},
        {"AMD FX(tm)-8350 Eight-Core Processor", "f21m2s0", 8, "amd-fx-8350-8c"},
        {"AMD Ryzen 7 5800H with Radeon Graphics", "f25m80s0", 16, "amd-ryzen-7-5800h-16c"},
        {"Neoverse-N1", "r3p1", 4, "neoverse-n1-r3p1-4c"},
        // virtual machines: the name has the generation at best
        {"AMD EPYC", "f26m2s1", 2, "amd-epyc-f26m2s1-2c"},
        {"Intel(R) Xeon(R) Processor @ 2.80GHz", "f6m85s7", 2, "intel-xeon-f6m85s7-2c"},
        {"Intel Xeon Processor (Skylake, IBRS)", "f6m85s4", 2, "intel-xeon-skylake-ibrs-f6m85s4-2c"},
        {"QEMU Virtual CPU version 2.5+", "f15m107s1", 1, "qemu-virtual-version-2-5-f15m107s1-1c"},
        {"AMD EPYC", "", 2, "amd-epyc-2c"},
        // keys have letters, digits and hyphens only
        {"../\"x\n\U0001F680 7763", "", 1, "x-7763-1c"},
    }));
    CHECK(hardware_key({model, revision, processors}) == key);
}

TEST_CASE("hardware_key says clearly that it does not know", "[baseline][unit]") {
    const auto nothing =
        GENERATE(values<cpu_facts>({{}, {"", "f6m85s7", 2}, {"AMD EPYC 7763", "", 0}, {"CPU", "", 2}}));
    CHECK(hardware_key(nothing).starts_with("unknown-cpu-"));
    CHECK_FALSE(cpu_facts{}.known());
    CHECK(cpu_facts{"AMD EPYC 7763", "", 4}.known());
}

TEST_CASE("parse_cpuinfo reads x86", "[baseline][unit]") {
    const auto text = x86_processor(0, "AMD EPYC", "2596.126") + x86_processor(1, "AMD EPYC", "2596.126");
    CHECK(parse_cpuinfo(text) == cpu_facts{"AMD EPYC", "f26m2s1", 2});
}

TEST_CASE("parse_cpuinfo is the same at every clock rate", "[baseline][unit]") {
    CHECK(parse_cpuinfo(x86_processor(0, "AMD EPYC", "2596.126")) ==
          parse_cpuinfo(x86_processor(0, "AMD EPYC", "3701.555")));
}

TEST_CASE("parse_cpuinfo reads Arm", "[baseline][unit]") {
    const auto [text, facts] = GENERATE(table<std::string, cpu_facts>({
        {arm_processor(0, "0x41", "0xd0c") + arm_processor(1, "0x41", "0xd0c"), {"Neoverse-N1", "r3p1", 2}},
        // big and little cores in either order
        {arm_processor(0, "0x41", "0xd05") + arm_processor(1, "0x41", "0xd0b"),
         {"Cortex-A55 + Cortex-A76", "r3p1 r3p1", 2}},
        {arm_processor(0, "0x41", "0xd0b") + arm_processor(1, "0x41", "0xd05"),
         {"Cortex-A55 + Cortex-A76", "r3p1 r3p1", 2}},
        {arm_processor(0, "0x77", "0xabc"), {"Arm implementer 77 part abc", "r3p1", 1}},
    }));
    CHECK(parse_cpuinfo(text) == facts);
}

TEST_CASE("hardware_key names big and little cores", "[baseline][unit]") {
    CHECK(hardware_key({"Cortex-A55 + Cortex-A76", "r1p0 r3p1", 8}) == "cortex-a55-cortex-a76-r1p0-r3p1-8c");
}

TEST_CASE("parse_cpuinfo of anything else knows nothing", "[baseline][unit]") {
    const auto text =
        GENERATE(values<std::string>({"", "\n\n", "processor", ":::", std::string("\0\xff:\n", 4), "processor : 0\n"}));
    CHECK_FALSE(parse_cpuinfo(text).known());
}

TEST_CASE("read_cpu_facts reads /proc/cpuinfo", "[baseline][unit]") {
    scripted_file_system files;
    CHECK(read_cpu_facts(files) == cpu_facts{});
    files.put("/proc/cpuinfo", x86_processor(0, "AMD EPYC 7763 64-Core Processor", "2445.4"));
    CHECK(hardware_key(read_cpu_facts(files)) == "amd-epyc-7763-1c");
}

TEST_CASE("device_hardware_key is a slug of the model", "[baseline][unit]") {
    CHECK(device_hardware_key("NVIDIA H100 80GB HBM3") == "nvidia-h100-80gb-hbm3");
    CHECK(device_hardware_key("NVIDIA GeForce RTX 4090") == "nvidia-geforce-rtx-4090");
    CHECK(device_hardware_key("") == "unknown-device");
}

}  // namespace

namespace {

TEST_CASE("path_component turns any name into one file name", "[baseline][unit]") {
    const auto [name, component] = GENERATE(table<std::string, std::string>({
        {"vision_test", "vision_test"},
        {"amd-epyc-7763-4c", "amd-epyc-7763-4c"},
        {"g++-13,torch=2.13.0", "g++-13,torch=2.13.0"},
        {"", "%empty"},
        {".", "%2E"},
        {"..", "%2E."},
        {"../x", "%2E.%2Fx"},
        {"/etc/passwd", "%2Fetc%2Fpasswd"},
        {"-rf", "%2Drf"},
        {"a b", "a%20b"},
        {"a\"b'c", "a%22b%27c"},
        {"a\nb", "a%0Ab"},
        {std::string("a\0b", 3), "a%00b"},
        {"\U0001F680", "%F0%9F%9A%80"},
        {"100%", "100%25"},
        {"x.json", "x%2Ejson"},
        {".json", "%2Ejson"},
        {"x.golden", "x%2Egolden"},
        {"\\..\\x", "%5C..%5Cx"},
    }));
    CHECK(path_component(name) == component);
}

TEST_CASE("path_component keeps long names apart and short", "[baseline][unit]") {
    const std::string stem(300, 'x');
    CHECK(path_component(std::string(120, 'x')) == std::string(120, 'x'));
    CHECK(path_component(stem + 'a').size() == 118);
    CHECK(path_component(stem + 'a') != path_component(stem + 'b'));
    std::string escapes;
    for (int i = 0; i < 33; ++i) escapes += "%2F";  // a cut at 100 bytes would leave half an escape
    CHECK(path_component(std::string(200, '/')).starts_with(escapes + "%~"));
}

TEST_CASE("path_component gives the hash of Fowler, Noll and Vo", "[baseline][unit]") {
    // FNV-1a of 121 times "a", computed apart: hash = (hash ^ byte) * 0x100000001b3 from 0xcbf29ce484222325.
    const std::string kept(100, 'a');
    CHECK(path_component(std::string(121, 'a')) == kept + "%~EA8A536AA68D0114");
}

TEST_CASE("path_component gives different names different components", "[baseline][unit]") {
    std::set<std::string> components;
    std::size_t names = 0;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b, ++names)
            components.insert(path_component(std::string{static_cast<char>(a), static_cast<char>(b)}));
        components.insert(path_component(std::string(1, static_cast<char>(a))));
        ++names;
    }
    CHECK(components.size() == names);
    for (const auto& c : components) {
        INFO(c);
        CHECK(c.find_first_of(std::string("/\0", 2)) == std::string::npos);
        CHECK(c.front() != '.');
    }
}

}  // namespace

}  // namespace perfspec
