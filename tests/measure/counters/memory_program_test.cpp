// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <run/start_program.hpp>
#include <support/scripted_memory.hpp>
#include <support/test.hpp>

#include <csignal>

#include <pthread.h>
#include <sys/mman.h>

namespace perfspec {
namespace {

using namespace testing;

enum class heap_variables : std::uint8_t { given, left_out };

/// The peak in MiB, after `runs` runs of the body in the process.
double peak_of(const std::string& what, std::size_t bytes, int runs, heap_variables given = heap_variables::given) {
    skip_unless_judged();
    std::map<std::string, std::string> variables;
    if (given == heap_variables::given)
        for (const auto& [name, value] : steady_heap_variables) variables[name] = value;
    const ended_program e =
        start_program(PERFSPEC_MEMORY_PROGRAM, {what, std::to_string(bytes), std::to_string(runs)}, variables);
    if (e.code == 77) SKIP("this system does not reset the peak of memory");
    INFO(e.text());
    REQUIRE(e.code == 0);
    return std::strtod(e.out.c_str(), nullptr) / (1 << 20);
}

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

}  // namespace

TEST_CASE("peak memory is what the body needs, however often it ran before, for blocks of every size",
          "[measure][unit]") {
    const std::size_t bytes =
        GENERATE(values<std::size_t>({100, kibibyte, 8 * kibibyte, 64 * kibibyte, 128 * kibibyte, 256 * kibibyte,
                                      mebibyte, 8 * mebibyte, 16 * mebibyte, 32 * mebibyte, 64 * mebibyte}));
    CAPTURE(bytes);
    // malloc's own and the pointers; a block that is mapped takes a page for them
    const double heads = (bytes < 128 * kibibyte ? 32.0 : 4096.0) / static_cast<double>(bytes) * 64;
    for (const int runs : {0, 1, 3}) {
        CAPTURE(runs);
        const double peak = peak_of("blocks", bytes, runs);
        CHECK(peak > 63.0);
        CHECK(peak < 66.0 + heads);
    }
}

TEST_CASE("peak memory does not hold what the heap of an earlier run kept", "[measure][unit]") {
    for (const int runs : {0, 1, 3}) {
        const double peak = peak_of("hole", 0, runs);
        CAPTURE(runs, peak);
        CHECK(peak > 29.0);
        CHECK(peak < 32.0);
    }
}

#if defined(__GLIBC__)
TEST_CASE("glibc's heap needs more the second time where its thresholds move", "[measure][unit]") {
    skip_unless_judged();  // a sanitizer has a heap of its own
    CHECK(peak_of("hole", 0, 0, heap_variables::left_out) < 32.0);
    CHECK(peak_of("hole", 0, 3, heap_variables::left_out) > 45.0);
}
#endif

TEST_CASE("reading a file moves no threshold of glibc's heap", "[measure][unit]") {
    skip_unless_judged();
    const ended_program e = start_program(PERFSPEC_MEMORY_PROGRAM, {"threshold", "0", "0"}, {});
    CHECK(e.out == "1\n");  // after a freed block of 128 KiB it would be 0
}

TEST_CASE("peak memory sees a stack that an earlier run filled", "[measure][unit]") {
    for (const int runs : {0, 3}) {
        const double peak = peak_of("stack", 4 * mebibyte, runs);
        CAPTURE(runs, peak);
        CHECK(peak > 3.9);
        CHECK(peak < 5.0);
    }
}

#if defined(__GLIBC__)
namespace {

/// Gives free memory back in a handler on this stack.
void* give_back_on_stack(void* stack) {
    const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = mebibyte};
    ::sigaltstack(&other, nullptr);
    struct sigaction on_it {};
    on_it.sa_handler = [](int) { static_cast<void>(process_memory().give_back_free()); };
    on_it.sa_flags = SA_ONSTACK;
    ::sigaction(SIGUSR1, &on_it, nullptr);
    static_cast<void>(std::raise(SIGUSR1));
    return nullptr;
}

}  // namespace

TEST_CASE("stack pages are dropped only on the stack of a thread", "[measure][unit]") {
    // From below: the stack of a thread, other data, and the stack that it uses meanwhile.
    void* const all = ::mmap(nullptr, 3 * mebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(all != MAP_FAILED);
    char* const between = static_cast<char*>(all) + mebibyte;
    *between = 'x';
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    REQUIRE(::pthread_attr_setstack(&attributes, all, mebibyte) == 0);
    pthread_t thread{};
    REQUIRE(::pthread_create(&thread, &attributes, give_back_on_stack, between + mebibyte) == 0);
    ::pthread_join(thread, nullptr);
    ::pthread_attr_destroy(&attributes);
    CHECK(*between == 'x');
    ::munmap(all, 3 * mebibyte);
}
#endif

namespace {

std::int64_t peak_of(scripted_memory& memory, std::int64_t grows_to) {
    peak_memory_counter counter(memory);
    CHECK(counter.begin().empty());
    const subject body("body", [&] {
        memory.grow_to(grows_to);
        memory.now = 1000;  // given back
    });
    return take_sample(body, 1, warm_call::no, counter).elapsed_ns;
}

}  // namespace

TEST_CASE("peak memory is how far a body exceeds the level before it", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    CHECK(peak_of(memory, 4000) == 3000);  // the process was larger before, and that does not count
    CHECK(peak_of(memory, 9000) == 8000);
    CHECK(peak_of(memory, 500) == 0);
}

TEST_CASE("free memory is given back before the level is taken", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    memory.now = 3000;
    memory.free = 2000;
    CHECK(peak_of(memory, 3000) == 2000);  // what the body used anew was resident before
}

TEST_CASE("peak memory of an allocator that does not give back free memory says so", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    peak_memory_counter counter(memory);
    memory.gives_back = GENERATE(true, false);
    CHECK(counter.caveat().empty());
    static_cast<void>(counter.now());
    if (memory.gives_back) CHECK(counter.caveat().empty());
    else CHECK_THAT(counter.caveat(), StartsWith("this program's malloc is not glibc's"));
}

TEST_CASE("peak memory of a system that does not reset the peak is reported only above it", "[measure][unit]") {
    scripted_memory memory(peak_reset::refused);
    CHECK(peak_of(memory, 6000) == 5000);
    CHECK_THROWS_RECORDED(measurement_failure, peak_of(memory, 4000));
}

TEST_CASE("peak memory of a system that reports nothing is not counted", "[measure][unit]") {
    scripted_memory memory(peak_reset::works);
    memory.now = {};
    CHECK_THAT(peak_memory_counter(memory).begin(), StartsWith("this system does not report the memory of a process"));
}

}  // namespace perfspec
