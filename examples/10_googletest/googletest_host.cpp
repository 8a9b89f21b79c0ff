// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// perfspec's host for GoogleTest, and a main: link this file to tests if GoogleTest should report their PERF_…
// assertions.

#include <perfspec/host.hpp>
#include <perfspec/perfspec.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace perfspec;

class googletest_host final : public host, public testing::EmptyTestEventListener {
public:
    test_position position() const override {
        const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
        if (test == nullptr) return {};
        return {.test = name_of(*test), .sections = {}, .pass = pass_, .failed_before = test->result()->Failed()};
    }

    std::vector<std::string> child_arguments(const test_position& where) const override {
        return {test_filter(where), "--gtest_output=", "--gtest_repeat=1", "--gtest_also_run_disabled_tests",
                "--gtest_fail_fast=0"};
    }
    std::string test_filter(const test_position& where) const override { return "--gtest_filter=" + where.test; }

    // A failed PERF_REQUIRE leaves the test by GoogleTest's own exception, which marks the failure as already reported.
    void report(const site& where, std::string_view, const evaluation& found, const std::exception_ptr&) override {
        const std::string text = found.text();
        if (found.verdict == verdict::skipped && !found.on_request) {  // a request not to judge is no reason to skip
            skipped_.push_back(text);
        } else {
            judged_ = true;
        }
        if (found.failed) {
            const bool leaves = where.effect == effect::require;
            const auto kind =
                leaves ? testing::TestPartResult::kFatalFailure : testing::TestPartResult::kNonFatalFailure;
            GTEST_MESSAGE_AT_(where.file, where.line, text.c_str(), kind);
            if (leaves)
                throw testing::AssertionException(testing::TestPartResult(kind, where.file, where.line, text.c_str()));
        } else if (found.verdict != verdict::holds || where.effect == effect::warn || where.effect == effect::measure) {
            std::printf("%s\n", text.c_str());
        }
    }

    void unexpected_exception(const site&) override { throw; }  // GoogleTest reports it
    void measuring_starts(const site& where, std::string_view claim) override {
        trace_.emplace(where.file, where.line, "while measuring " + std::string(claim));
    }
    void measuring_ends() override { trace_.reset(); }

    void OnTestStart(const testing::TestInfo&) override {
        ++pass_;
        judged_ = false;
        skipped_.clear();
    }
    // GoogleTest calls the last listener first at an end. So this still counts for the test, which is shown as skipped.
    void OnTestEnd(const testing::TestInfo& test) override {
        if (judged_ || skipped_.empty()) return;
        GTEST_MESSAGE_AT_(test.file(), test.line(), skipped_.front().c_str(), testing::TestPartResult::kSkip);
    }
    void OnTestProgramEnd(const testing::UnitTest&) override { std::printf("%s", run_summary().c_str()); }

private:
    static std::string name_of(const testing::TestInfo& test) {
        return std::string(test.test_suite_name()) + "." + test.name();
    }

    std::uint64_t pass_{};
    bool judged_{};
    std::vector<std::string> skipped_;
    std::optional<testing::ScopedTrace> trace_;
};

}  // namespace

int main(int argc, char** argv) {
    // A child runs one test, whatever its parent's shard is.
    if (perfspec::in_child()) ::unsetenv("GTEST_TOTAL_SHARDS");
    try {
        perfspec::init(argc, argv);
    } catch (const perfspec::input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return 2;
    }
    testing::InitGoogleTest(&argc, argv);
    auto* reports = new googletest_host;  // GoogleTest deletes its listeners
    testing::UnitTest::GetInstance()->listeners().Append(reports);
    perfspec::install_host(*reports);
    const int failed = RUN_ALL_TESTS();
    return failed != 0 ? failed : perfspec::exit_code();  // 77: nothing was judged
}
