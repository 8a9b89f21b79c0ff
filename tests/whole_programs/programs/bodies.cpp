// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies that end the process, leave by other ways than returning, or do what no body should. What each claims of
// itself is false, or not to be judged.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int calls = 0;

/// Whether a body has been called so often that its claim is being measured.
bool is_late() { return ++calls > 300; }

int slow() { return work(2); }

void claim_within() { PERF_CHECK(latency(slow) < 1us); }

int fork_and_return() {
    if (is_late() && calls == 301) static_cast<void>(::fork());
    return slow();
}

}  // namespace

TEST_CASE("exit") {
    PERF_CHECK(latency([] {
                   if (is_late()) std::exit(0);
                   return slow();
               }) < 1us);
}
TEST_CASE("quick_exit") {
    PERF_CHECK(latency([] {
                   if (is_late()) std::quick_exit(0);
                   return slow();
               }) < 1us);
}
TEST_CASE("_Exit") {
    PERF_CHECK(latency([] {
                   if (is_late()) std::_Exit(0);
                   return slow();
               }) < 1us);
}
TEST_CASE("_Exit unless") {  // true without WHOLE_SLOWER
    PERF_CHECK(latency([] {
                   if (is_late() && std::getenv("WHOLE_SLOWER") != nullptr) std::_Exit(0);
                   return slow();
               }) < 10ms);
}
TEST_CASE("exit in a fresh process") {
    PERF_CHECK(latency([] {
                   if (perfspec::in_child()) std::exit(0);
                   return slow();
               }) < 1us);
}
TEST_CASE("return before the claim in a fresh process") {
    if (perfspec::in_child()) return;
    PERF_CHECK(latency(slow) < 1us);
}
TEST_CASE("fast in a fresh process") {
    PERF_CHECK(latency([] { return perfspec::in_child() ? 1 : work(20); }) < 50us);
}

TEST_CASE("skip") {
    PERF_CHECK(latency([] {
                   if (is_late()) SKIP("no data");
                   return slow();
               }) < 1us);
}
TEST_CASE("throw") {
    PERF_CHECK(latency([] {
                   if (is_late()) throw 7;
                   return slow();
               }) < 1us);
}
TEST_CASE("check") {
    PERF_CHECK(latency([] {
                   CHECK(calls < 0);
                   return slow();
               }) < 1s);
}
TEST_CASE("assertion in the body") {
    PERF_CHECK(latency([] {
                   claim_within();
                   return slow();
               }) < 1s);
}
TEST_CASE("assertion in a thread") { std::thread(claim_within).join(); }
TEST_CASE("no work") {
    PERF_CHECK(latency([] { return 7; }) < 1us);
}

TEST_CASE("fork") { PERF_CHECK(latency(fork_and_return) < 1us); }
TEST_CASE("closed descriptors") {
    PERF_CHECK(latency([] {
                   if (is_late() && calls == 301) {
                       for (int i = 3; i < 300; ++i) ::close(i);
                       static_cast<void>(::open("/dev/null", O_WRONLY));
                   }
                   return slow();
               }) < 1us);
}
TEST_CASE("throws once and is caught within") {  // true
    PERF_CHECK(latency([] {
                   try {
                       throw std::runtime_error("caught");
                   } catch (const std::runtime_error& e) { return std::string(e.what()).size(); }
               }) < 100ms);
}
TEST_CASE("starts and joins threads") {  // true
    PERF_CHECK(latency([] {
                   int result = 0;
                   std::thread([&] { result = work(1); }).join();
                   return result;
               }) < 1s);
}
TEST_CASE("forks and waits") {  // true
    PERF_CHECK(latency([] {
                   const auto child = ::fork();
                   if (child == 0) std::_Exit(0);
                   int status = 1;
                   ::waitpid(child, &status, 0);
                   return status;
               }) < 1s);
}
