// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies that end the process, do not return, or do what no body should. Their claims are false, or cannot be judged.
#include "work.hpp"

#include <perfspec/catch2.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

int calls = 0;

/// Whether there were more calls than before the measurement.
bool is_late() { return ++calls > 300; }

int slow() { return work(2); }

void claim_within() { PERF_CHECK(latency(slow) < 1us); }

}  // namespace

TEST_CASE("exit") {
    PERF_CHECK(latency([] {
                   if (is_late()) std::exit(0);
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
