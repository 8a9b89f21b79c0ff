// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// The functions of <perfspec/allocations.hpp> as a program has them; built once more with AddressSanitizer.
#include <perfspec/allocations.hpp>

#include <perfspec/measure/failure.hpp>
#include <perfspec/perfspec.hpp>

#include <support/test.hpp>

#include <cerrno>
#include <cstring>
#include <new>

#include <malloc.h>

// As with malloc: too large a request returns null and does not end the program.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1";
}  // NOLINT(bugprone-reserved-identifier)
#elif defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() {
    return "allocator_may_return_null=1";
}  // NOLINT(bugprone-reserved-identifier)
#endif

namespace perfspec {
namespace {

constexpr auto aligned = std::align_val_t{64};

struct heap_use {
    std::int64_t calls;
    std::int64_t bytes;

    friend bool operator==(const heap_use&, const heap_use&) = default;
};

/// The heap use of a body. Blocks are filled, so that a sanitizer detects one that is too small.
template <class Body> heap_use counted(Body body) {
    detail::heap_counters& heap = *detail::known_heap_counters();
    heap.counting = true;
    const heap_use before{heap.calls, heap.bytes};
    body();
    const heap_use after{heap.calls, heap.bytes};
    heap.counting = false;
    return {after.calls - before.calls, after.bytes - before.bytes};
}

void* filled(void* block, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) static_cast<unsigned char*>(block)[i] = 0xA5;
    clobber_memory();
    return block;
}

bool is_aligned(const void* block) { return reinterpret_cast<std::uintptr_t>(block) % 64 == 0; }

std::vector<int> make_vector() { return std::vector<int>(100); }

}  // namespace

TEST_CASE("every form of operator new counts one call and what it asks for", "[measure][unit]") {
    CHECK(counted([] { ::operator delete(filled(::operator new(24), 24)); }) == heap_use{1, 24});
    CHECK(counted([] { ::operator delete (filled(::operator new(24), 24), std::size_t{24}); }) == heap_use{1, 24});
    CHECK(counted([] { ::operator delete[](filled(::operator new[](25), 25)); }) == heap_use{1, 25});
    CHECK(counted([] { ::operator delete[](filled(::operator new[](25), 25), std::size_t{25}); }) == heap_use{1, 25});
    CHECK(counted([] { ::operator delete(filled(::operator new(26, std::nothrow), 26), std::nothrow); }) ==
          heap_use{1, 26});
    CHECK(counted([] { ::operator delete[](filled(::operator new[](27, std::nothrow), 27), std::nothrow); }) ==
          heap_use{1, 27});
    CHECK(counted([] { ::operator delete(filled(::operator new(28, aligned), 28), aligned); }) == heap_use{1, 28});
    CHECK(counted([] { ::operator delete(filled(::operator new(28, aligned), 28), 28, aligned); }) == heap_use{1, 28});
    CHECK(counted([] { ::operator delete[](filled(::operator new[](29, aligned), 29), aligned); }) == heap_use{1, 29});
    CHECK(counted([] { ::operator delete[](filled(::operator new[](29, aligned), 29), 29, aligned); }) ==
          heap_use{1, 29});
    CHECK(counted([] {
              ::operator delete(filled(::operator new(30, aligned, std::nothrow), 30), aligned, std::nothrow);
          }) == heap_use{1, 30});
    CHECK(counted([] {
              ::operator delete[](filled(::operator new[](31, aligned, std::nothrow), 31), aligned, std::nothrow);
          }) == heap_use{1, 31});
    CHECK(counted([] { ::operator delete(::operator new(0)); }) == heap_use{1, 0});
    CHECK(counted([] { ::operator delete(nullptr); }) == heap_use{0, 0});
}

TEST_CASE("calls of malloc and its family count one and what they ask for, in libraries, too", "[measure][unit]") {
    if (!detail::known_heap_counters()->counts_malloc) SKIP("only operator new counts in this program");
    CHECK(counted([] { std::free(filled(std::malloc(24), 24)); }) == heap_use{1, 24});
    CHECK(counted([] { std::free(filled(std::calloc(5, 5), 25)); }) == heap_use{1, 25});
    CHECK(counted([] { std::free(filled(std::aligned_alloc(64, 128), 128)); }) == heap_use{1, 128});
    CHECK(counted([] { std::free(filled(::memalign(64, 26), 26)); }) == heap_use{1, 26});
    CHECK(counted([] {
              void* block = nullptr;
              CHECK(::posix_memalign(&block, 64, 27) == 0);
              std::free(filled(block, 27));
          }) == heap_use{1, 27});
    CHECK(counted([] {
              void* block = filled(std::realloc(nullptr, 24), 24);
              block = filled(std::realloc(block, 100), 100);
              std::free(block);
          }) == heap_use{2, 124});
    CHECK(counted([] { std::free(::strdup(black_box("seven b"))); }) == heap_use{1, 8});
    CHECK(counted([] { std::free(nullptr); }) == heap_use{0, 0});
}

TEST_CASE("blocks of the aligned functions are aligned, and their errors are those of the C library",
          "[measure][unit]") {
    for (std::size_t alignment : {std::size_t{1}, std::size_t{8}, std::size_t{64}, std::size_t{4096}}) {
        void* block = ::memalign(alignment, 24);
        CHECK(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
        std::free(block);
    }
    void* block = nullptr;
    CHECK(::posix_memalign(&block, black_box(std::size_t{3}), 24) == EINVAL);
    CHECK(block == nullptr);
}

TEST_CASE("allocations of other threads count, and are distinguished", "[measure][unit]") {
    if (!detail::known_heap_counters()->counts_malloc) SKIP("only operator new counts in this program");
    counter& calls = process_counters().of({detail::metrics::allocations});
    REQUIRE(calls.begin().empty());
    ::operator delete(::operator new(24));
    CHECK(detail::known_heap_counters()->calls_of_others == 0);
    std::thread([] { ::operator delete(::operator new(24)); }).join();
    CHECK(detail::known_heap_counters()->calls_of_others > 0);
    calls.end();
}

TEST_CASE("a program in which malloc does not count has no counts", "[measure][unit]") {
    counter& calls = process_counters().of({detail::metrics::allocations});
    const bool counts = detail::known_heap_counters()->counts_malloc;
    if (counts) CHECK(calls.begin().empty());
    else CHECK_THROWS_AS(calls.begin(), measurement_failure);
    calls.end();
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__OPTIMIZE__)
    CHECK(counts);
#endif
}

TEST_CASE("aligned blocks are aligned", "[measure][unit]") {
    for (int i = 0; i < 16; ++i) {
        void* block = ::operator new(24, aligned);
        CHECK(is_aligned(block));
        ::operator delete(block, aligned);
    }
}

TEST_CASE("a block too large for the system throws, or is null", "[measure][unit]") {
    const auto too_much = black_box(std::numeric_limits<std::size_t>::max() / 2);
    CHECK_THROWS_AS(::operator delete(::operator new(too_much)), std::bad_alloc);
    CHECK(::operator new(too_much, std::nothrow) == nullptr);
    CHECK_THROWS_AS(::operator delete(::operator new(too_much, aligned), aligned), std::bad_alloc);
    CHECK(::operator new[](too_much, aligned, std::nothrow) == nullptr);
}

TEST_CASE("the new handler is called until it has no memory", "[measure][unit]") {
    static int calls;
    calls = 0;
    std::set_new_handler([] {
        if (++calls == 3) std::set_new_handler(nullptr);
    });
    CHECK(::operator new(black_box(std::numeric_limits<std::size_t>::max() / 2), std::nothrow) == nullptr);
    CHECK(calls == 3);
}

TEST_CASE("threads that the body starts are counted, and nothing outside of a count", "[measure][unit]") {
    const auto begin_thread = [] { std::thread([] { do_not_optimize(make_vector()); }).join(); };
    begin_thread();  // the C library keeps what the first thread needs
    const auto in_thread = counted(begin_thread);
    CHECK(in_thread.calls == 2);  // the thread's own state, and the vector
    const std::int64_t before = process_counters().of({detail::metrics::allocations}).now();
    do_not_optimize(make_vector());
    CHECK(process_counters().of({detail::metrics::allocations}).now() == before);
}

TEST_CASE("claims on allocations are judged by what the program does", "[measure][unit]") {
    if (PERFSPEC_DETAIL_BUILD_KIND != build_kind::optimized) SKIP("this build is skipped");
    std::vector<int> kept(100);
    CHECK(evaluate(allocations(subject("vector", make_vector)) == 1).verdict == verdict::holds);
    CHECK(evaluate(allocated_bytes(subject("vector", make_vector)) == bytes(400)).verdict == verdict::holds);
    CHECK(evaluate(allocations(subject("sum", [&] { return kept.front() + kept.back(); })) == 0).verdict ==
          verdict::holds);
    CHECK(evaluate(allocations(subject("fresh", setup([] { return std::string(100, 'x'); }),
                                       [](std::string& s) { s.clear(); })) == 0)
              .verdict == verdict::holds);  // inputs are not the body's
    CHECK(evaluate(allocations(subject("vector", make_vector)) < 1, confirm::off).verdict == verdict::violated);
}

}  // namespace perfspec
