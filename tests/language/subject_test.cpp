// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/subjects/subject.hpp>

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using axes = std::vector<std::pair<std::string, std::string>>;

void run(const subject& x, std::uint64_t n) { x.state().functions->run(x.storage(), n); }

/// Counts living bodies, and their runs.
struct counted {
    int* alive;
    int* runs;

    counted(int& living, int& ran) : alive(&living), runs(&ran) { ++*alive; }
    counted(const counted& other) : alive(other.alive), runs(other.runs) { ++*alive; }
    counted& operator=(const counted&) = delete;
    ~counted() { --*alive; }
    void operator()() { ++*runs; }
};

int calls_of_a_function = 0;
int a_function() { return ++calls_of_a_function; }

struct uncopyable_copy {
    uncopyable_copy() = default;
    uncopyable_copy(const uncopyable_copy&) { throw std::runtime_error("no copies today"); }
    void operator()() {}
};

}  // namespace

TEST_CASE("subject is a handle: copies name one body, and the last one destroys it", "[language][unit]") {
    int alive = 0;
    int runs = 0;
    {
        const counted body(alive, runs);
        subject first("first", body);
        CHECK(alive == 2);
        {
            const subject second =
                first;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
            CHECK(alive == 2);
            CHECK(second.storage() == first.storage());
            CHECK(second.state().id == first.state().id);
            run(second, 3);
        }
        CHECK(alive == 2);
        CHECK(runs == 3);
        subject other("other", [] {});
        first = other;
        CHECK(alive == 1);
        CHECK(first.name() == "other");
        first = *&first;
        CHECK(first.name() == "other");
    }
    CHECK(alive == 0);
}

TEST_CASE("subject has an id that no other has", "[language][unit]") {
    const subject a([] {});
    const subject b([] {});
    CHECK(a.state().id != b.state().id);
}

TEST_CASE("subject takes a bare callable without a name", "[language][unit]") {
    const subject x([] {});
    CHECK(x.name().empty());
    CHECK(subject("sort 1M", [] {}).name() == "sort 1M");
}

TEST_CASE("subject takes functions and pointers to them", "[language][unit]") {
    calls_of_a_function = 0;
    run(subject(a_function), 2);
    run(subject(&a_function), 2);
    run(subject("named", a_function), 2);
    CHECK(calls_of_a_function == 6);
}

TEST_CASE("subject takes what can only be moved, and keeps what it holds", "[language][unit]") {
    auto value = std::make_unique<int>(0);
    const int& seen = *value;
    const subject x("moved", [held = std::move(value)] { return ++*held; });
    run(x, 5);
    CHECK(seen == 5);
}

TEST_CASE("subject lets a body keep its own state", "[language][unit]") {
    int last = 0;
    const subject x("counts", [n = 0, &last]() mutable { last = ++n; });
    run(x, 2);
    run(x, 3);
    CHECK(last == 5);
}

TEST_CASE("subject runs bodies with any type of result", "[language][unit]") {
    struct heavy {
        heavy() = default;
        heavy(heavy&&) = delete;
    };
    int n = 0;
    run(subject("void", [&] { ++n; }), 1);
    run(subject("int", [&] { return ++n; }), 1);
    run(subject("reference", [&]() -> int& { return ++n; }), 1);
    run(subject("unique_ptr", [&] { return std::make_unique<int>(++n); }), 1);
    run(subject("neither copied nor moved", [&] { return ++n, heavy(); }), 1);
    CHECK(n == 5);
}

TEST_CASE("subject leaves nothing behind when its body cannot be copied", "[language][unit]") {
    const uncopyable_copy body;
    CHECK_THROWS_WITH(subject("x", body), "no copies today");  // a leak is seen by the sanitizers
    CHECK_THROWS_WITH(subject(body), "no copies today");
}

TEST_CASE("subject declares work and axes for all its copies", "[language][unit]") {
    subject x("parser", [] {});
    const subject copy = x;
    x.items(10).bytes(4096).flops(2e9).axis("batch", 8).axis("layout", "nchw").unverified();
    CHECK(copy.state().items == 10);
    CHECK(copy.state().bytes == 4096);
    CHECK(copy.state().flops == 2e9);
    CHECK(copy.state().axes == axes{{"batch", "8"}, {"layout", "nchw"}});
    CHECK_FALSE(copy.state().verify);
}

TEST_CASE("subject writes the values of axes as they are read", "[language][unit]") {
    const std::string text = "nhwc";
    subject x([] {});
    x.axis("text", text).axis("size", std::size_t{3}).axis("negative", -2).axis("word", "w");
    CHECK(x.state().axes == axes{{"text", "nhwc"}, {"size", "3"}, {"negative", "-2"}, {"word", "w"}});
}

TEST_CASE("subject keeps the last value of an axis that is given twice", "[language][unit]") {
    subject x([] {});
    x.axis("n", 1).axis("m", 2).axis("n", 3);
    CHECK(x.state().axes == axes{{"n", "3"}, {"m", "2"}});
}

TEST_CASE("subject refuses invalid work", "[language][unit]") {
    const double n = GENERATE(0.0, -1.0, 18446744073709551615.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN());
    subject x("parser", [] {});
    CHECK_THROWS_AS(x.items(n), input_error);
    CHECK_THROWS_AS(x.bytes(n), input_error);
    CHECK_THROWS_AS(x.flops(n), input_error);
}

TEST_CASE("subject says what work it was given, and what to write", "[language][unit]") {
    subject x("parser", [] {});
    CHECK_THROWS_RECORDED(std::exception, x.bytes(0));
}

TEST_CASE("subject of an adapter is destroyed only once it was constructed", "[language][unit]") {
    static int destroyed = 0;
    static constexpr body_functions functions{.destroy = [](void*) noexcept { ++destroyed; }};
    destroyed = 0;
    { const subject never("x", functions, 8); }
    CHECK(destroyed == 0);
    {
        subject x("x", functions, 8);
        x.constructed();
        x.refuse("no such device");
        CHECK(x.state().error_reason == "no such device");
    }
    CHECK(destroyed == 1);
}

TEST_CASE("subject aligns its storage for every ordinary type", "[language][unit]") {
    const subject x([big = static_cast<long double>(1)] { return big; });
    CHECK(reinterpret_cast<std::uintptr_t>(x.storage()) % alignof(std::max_align_t) == 0);
}

TEST_CASE("subject bound to a reference outlives the statement that declares its work", "[language][unit]") {
    int alive = 0, runs = 0;
    const auto& x =
        subject("parser", counted(alive, runs)).items(10).bytes(quantity<dimension::bytes>{4096}).flops(3).load([] {});
    const auto& y = subject("other", counted(alive, runs)).bytes(2).axis("n", 1'000'000).unverified();
    CHECK(alive == 2);
    CHECK(x.state().items == 10);
    CHECK(x.state().bytes == 4096);
    CHECK(y.state().axes == axes{{"n", "1000000"}});
    CHECK_FALSE(y.state().verify);
}

}  // namespace perfspec
