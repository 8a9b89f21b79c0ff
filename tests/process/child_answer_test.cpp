// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/process/child.hpp>

#include "support/scripted_launcher.hpp"

#include <support/test.hpp>

#include <csignal>

using namespace perfspec;
using perfspec::testing::answered;
using perfspec::testing::scripted_launcher;

namespace {

std::string fault_of(const std::string& result) {
    const auto answer = parse_answer({child_outcome::exited, 0, result, {}, 0});
    return answer.payload ? "accepted: " + *answer.payload : answer.fault;
}

}  // namespace

TEST_CASE("frame_answer states version, length and checksum",
          "[process][unit]") {  // FNV-1a test vectors of its authors (64 bits)
    CHECK(frame_answer("") == "perfspec-answer 3 0 cbf29ce484222325\n\n");
    CHECK(frame_answer("a") == "perfspec-answer 3 1 af63dc4c8601ec8c\na\n");
    CHECK(frame_answer("foobar") == "perfspec-answer 3 6 85944171f73967e8\nfoobar\n");
}

TEST_CASE("parse_answer gives back any payload", "[process][unit]") {
    const auto payload =
        GENERATE(as<std::string>(), "", "{\"median\":1.5}", "line\nend\n", "perfspec-answer 3 0 cbf29ce484222325\n\n",
                 std::string("\0\xff\x01", 3), std::string(100000, 'p'));
    const auto answer = parse_answer(answered(payload));
    CHECK(answer.payload == payload);
    CHECK(answer.fault.empty());
}

TEST_CASE("parse_answer refuses everything but one whole answer", "[process][unit]") {
    const auto whole = frame_answer("foobar");
    const std::string no_answer = " instead of an answer: code under test writes to a descriptor that it did not open";
    const std::string in_pipe = "the child's result pipe holds ";
    const auto [result, fault] = GENERATE_COPY(table<std::string, std::string>({
        {"hello", in_pipe + "\"hello\"" + no_answer},
        {"hello\n" + whole, in_pipe + "\"hello\\nperfspec-answer 3 6 85944171f73967e8\\nfoobar\\n\"" + no_answer},
        {"perfspec-answer 3 6", in_pipe + "\"perfspec-answer 3 6\"" + no_answer},
        {"perfspec-answer 3 6\nfoobar\n", in_pipe + "\"perfspec-answer 3 6\\nfoobar\\n\"" + no_answer},
        {"perfspec-answer 3 -6 85944171f73967e8\nfoobar\n",
         in_pipe + "\"perfspec-answer 3 -6 85944171f73967e8\\nfoobar\\n\"" + no_answer},
        {"perfspec-answer 3 6 xyz\nfoobar\n", in_pipe + "\"perfspec-answer 3 6 xyz\\nfoobar\\n\"" + no_answer},
        {"perfspec-answer 4 6 85944171f73967e8\nfoobar\n",
         "the child answers in version 4 and this program reads version 3: build both with one version of perfspec"},
        {whole.substr(0, whole.size() - 1), "the child's answer is cut: 6 of 6 bytes and no end arrived"},
        {whole.substr(0, whole.size() - 3), "the child's answer is cut: 4 of 6 bytes and no end arrived"},
        {"perfspec-answer 3 6 85944171f73967e8\nfooBar\n",
         "the child's answer is damaged: its checksum differs, so code under test wrote into it"},
        {"perfspec-answer 3 6 85944171f73967e8\nfoobarX",
         "the child's answer is damaged: its checksum differs, so code under test wrote into it"},
        {"perfspec-answer 3 18446744073709551615 85944171f73967e8\nfoobar\n",
         "the child's answer is cut: 7 of 18446744073709551615 bytes and no end arrived"},
        {whole + "bye",
         "the child's result pipe holds \"bye\" after the answer: code under test writes to a descriptor that it did not open"},
    }));
    CHECK(fault_of(result) == fault);
}

TEST_CASE("take_answer takes one answer after the other from what arrives", "[process][unit]") {
    const std::string first = frame_answer("hello key=a");
    std::string bytes;
    for (const char byte : first.substr(0, first.size() - 1)) {
        bytes += byte;
        REQUIRE_FALSE(take_answer(bytes));
    }
    bytes += "\n" + frame_answer("") + "perfspec-ans";
    CHECK(take_answer(bytes).value().payload == "hello key=a");
    CHECK(take_answer(bytes).value().payload == "");
    CHECK_FALSE(take_answer(bytes));
    CHECK(bytes == "perfspec-ans");
}

TEST_CASE("take_answer finds a fault as soon as bytes can become no answer", "[process][unit]") {
    struct row {
        std::string bytes, fault;
    };
    const std::string no_answer = " instead of an answer: code under test writes to a descriptor that it did not open";
    const auto r = GENERATE_COPY(values<row>({
        {"perfspec-x", "the child's result pipe holds \"perfspec-x\"" + no_answer},
        {std::string("perfspec-answer ") + std::string(64, '2'),
         "the child's result pipe holds \"perfspec-answer " + std::string(64, '2') + "\"" + no_answer},
        {"perfspec-answer 4 6 85944171f73967e8\n",
         "the child answers in version 4 and this program reads version 3: build both with one version of perfspec"},
        {"perfspec-answer 3 67108865 85944171f73967e8\n", "the child announces an answer of more than 64 MiB"},
        {"perfspec-answer 3 6 85944171f73967e8\nfooBar\n",
         "the child's answer is damaged: its checksum differs, so code under test wrote into it"},
    }));
    std::string bytes = r.bytes;
    const auto found = take_answer(bytes);
    REQUIRE(found);
    CHECK_FALSE(found->payload);
    CHECK(found->fault == r.fault);
}

TEST_CASE("parse_answer shows the beginning of long garbage", "[process][unit]") {
    const std::string shown(119, 'g');
    CHECK(fault_of(shown + "ü" + std::string(1000, 'g')) ==
          "the child's result pipe holds \"" + shown +
              "…\" instead of an answer: code under test writes to a descriptor that it did not open");
}

TEST_CASE("parse_answer takes no answer from a child that did not end well", "[process][unit]") {
    const auto [how, code, fault] = GENERATE(table<child_outcome, int, std::string>({
        {child_outcome::exited, 1, "there is no answer: the child ended with exit code 1; it printed nothing"},
        {child_outcome::signalled, SIGKILL,
         "there is no answer: the child was ended by signal 9 (Killed), as by a system that is out of memory; it printed nothing"},
        {child_outcome::timed_out, 0,
         "there is no answer: the child took too long and was stopped after 1.5 s; it printed nothing"},
    }));
    const auto answer = parse_answer({how, code, frame_answer("evidence"), {}, 1.5});
    CHECK_FALSE(answer.payload);
    CHECK(answer.fault == fault);
}

TEST_CASE("describe shows last words as text", "[process][unit]") {
    CHECK(describe({child_outcome::exited, 1, {}, "\n first\n\x1b[31mred\xff ünï 🦉\r\n", 0}) ==
          "the child ended with exit code 1; its last words: \"first\n\\x1b[31mred\\xff ünï 🦉\"");
}

TEST_CASE("scripted_launcher hands out its ends and remembers the commands", "[process][unit]") {
    scripted_launcher launcher({answered("first"), {child_outcome::exited, 3, {}, {}, 0}});
    const auto command = [](std::string name) { return child_command{std::move(name), {}, {}, {}, {}}; };
    CHECK(parse_answer(launcher.run(command("a"))).payload == "first");
    CHECK(launcher.run(command("b")).code == 3);
    CHECK_THROWS_AS(launcher.run(command("c")), std::logic_error);
    REQUIRE(launcher.commands().size() == 3);
    CHECK(launcher.commands()[1].executable == "b");
}
