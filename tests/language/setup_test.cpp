// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/subjects/subject.hpp>

#include <perfspec/language/subjects/subject_state.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

void prepare(const subject& x, std::uint64_t n) { x.state().functions->prepare(x.storage(), n); }
void run(const subject& x, std::uint64_t n) { x.state().functions->run(x.storage(), n); }
void discard(const subject& x) { x.state().functions->discard(x.storage()); }

/// An input that counts its living instances.
struct input {
    static inline int alive = 0;
    int value;

    explicit input(int v) : value(v) { ++alive; }
    input(const input& other) : value(other.value) { ++alive; }
    input& operator=(const input&) = default;
    ~input() { --alive; }
};

}  // namespace

TEST_CASE("setup makes an input for each iteration, before the run", "[language][unit]") {
    int made = 0;
    std::vector<int> seen;
    const subject x("fresh", setup([&] { return input(++made); }), [&](input& i) { seen.push_back(i.value); });
    prepare(x, 3);
    CHECK(made == 3);
    CHECK(input::alive == 3);
    CHECK(seen.empty());
    run(x, 3);
    CHECK(seen == std::vector<int>{1, 2, 3});
    CHECK(made == 3);
    discard(x);
    CHECK(input::alive == 0);
}

TEST_CASE("setup prepares again for each sample", "[language][unit]") {
    int made = 0;
    std::vector<int> seen;
    const subject x("fresh", setup([&] { return ++made; }), [&](int& i) { seen.push_back(i); });
    prepare(x, 2);
    run(x, 2);
    discard(x);
    prepare(x, 1);
    run(x, 1);
    CHECK(seen == std::vector<int>{1, 2, 3});
}

TEST_CASE("setup gives a body that may consume its input", "[language][unit]") {
    std::vector<std::unique_ptr<int>> taken;
    const subject x("consumes", setup([] { return std::make_unique<int>(7); }),
                    [&](auto& p) { taken.push_back(std::move(p)); });
    prepare(x, 2);
    run(x, 2);
    discard(x);
    REQUIRE(taken.size() == 2);
    CHECK(*taken[1] == 7);
}

TEST_CASE("setup gives inputs of every kind", "[language][unit]") {
    int runs = 0;
    const subject truth("bool", setup([] { return true; }), [&](auto& b) { runs += static_cast<int>(b); });
    prepare(truth, 2);
    run(truth, 2);
    const std::vector<int> original{3, 1, 2};
    const subject copied("a copy of a const", setup([&]() -> const std::vector<int>& { return original; }),
                         [&](auto& v) {
                             v.clear();
                             return ++runs;
                         });
    prepare(copied, 2);
    run(copied, 2);
    CHECK(original.size() == 3);
    CHECK(runs == 4);
}

TEST_CASE("setup drops what it had made when making throws", "[language][unit]") {
    int made = 0;
    const auto make = [&] {
        if (++made == 3) throw std::runtime_error("no third input");
        return input(made);
    };
    {
        const subject x("throws", setup(make), [](input&) {});
        CHECK_THROWS_AS(prepare(x, 5), std::runtime_error);
        discard(x);
        CHECK(input::alive == 0);
        made = 0;
        CHECK_THROWS_AS(prepare(x, 5), std::runtime_error);
    }
    CHECK(input::alive == 0);  // even without a discard
}

TEST_CASE("setup takes its maker and its body by value", "[language][unit]") {
    const auto x = [] {
        int offset = 40;
        const auto make = [offset] { return offset; };
        const auto body = [offset](int& i) { i += offset; };
        return subject("outlives its parts", setup(make), body);
    }();
    prepare(x, 1);
    run(x, 1);
    discard(x);
    CHECK(x.name() == "outlives its parts");
}

}  // namespace perfspec
