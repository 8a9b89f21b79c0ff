// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "support/damaged_text.hpp"
#include "support/scripted_environment.hpp"

#include <perfspec/process/child.hpp>
#include <perfspec/process/child_request.hpp>
#include <perfspec/process/workers/worker.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>

namespace perfspec {
namespace {

using testing::parse_damaged;
using testing::scripted_environment;

std::string text_of(const child_request& request) { return child_environment({}, request).back().second; }

TEST_CASE("a damaged request of a child is read or refused", "[process][unit]") {
    child_request good{.address = {"sort / latency(x)", 2}, .seed = 42, .plan = "budget=1s;cap=2s"};
    good.abandoned_claims = {{"sort / speedup(a, b)", 0}};
    const auto seen = parse_damaged(text_of(good), [](const std::string& text) {
        return text_of(read_child_request(scripted_environment{{"PERFSPEC_CHILD", text}}).value());
    });
    CHECK(seen.fault == "");
    CHECK(seen.refused > 1000);
    CHECK(seen.accepted > 20);
}

TEST_CASE("a damaged message of a worker is a message or none", "[process][unit]") {
    const std::string good = "prepared call=1500 untimed=20 iterations=8 note=a%20b%25";
    const auto seen = parse_damaged(good, [&](const std::string& line) {
        const auto message = parse_worker_message(line);
        return message ? to_text(*message) : good;
    });
    CHECK(seen.fault == "");
    CHECK(seen.accepted == 3000);
}

TEST_CASE("a damaged answer of a child is none, or says the same", "[process][unit]") {
    const std::string payload = R"({"schema_version":1,"type":"result","key":"a"})";
    const std::string good = frame_answer(payload);
    const auto answer_in = [](const std::string& bytes) {
        return parse_answer({.how = child_outcome::exited, .result = bytes}).payload;
    };
    CHECK(answer_in(good) == payload);
    std::size_t wrong = 0;
    const auto seen = parse_damaged(good, [&](const std::string& bytes) {
        wrong += answer_in(bytes).value_or(payload) != payload ? 1 : 0;
        return good;
    });
    CHECK(seen.fault == "");
    CHECK(wrong == 0);
}

}  // namespace
}  // namespace perfspec
