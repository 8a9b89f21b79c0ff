// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// perfspec's host for doctest, and a main: link this file to tests if doctest should report their PERF_… assertions.

#include <perfspec/host.hpp>
#include <perfspec/perfspec.hpp>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

namespace {

using namespace perfspec;

test_position position_now;  // written by the listener, read by the host

class doctest_host final : public host {
public:
    test_position position() const override { return position_now; }

    // Without the subcases: the claim's key shows which one is meant.
    std::vector<std::string> child_arguments(const test_position& where) const override {
        return {test_filter(where), "--no-skip", "--no-breaks"};
    }
    // The name of the test case. Commas are escaped, because they separate names; an asterisk also matches itself.
    std::string test_filter(const test_position& where) const override {
        std::string filter = "--test-case=";
        for (const char c : where.test) filter += c == ',' || c == '\\' ? std::string{'\\', c} : std::string{c};
        return filter;
    }

    // A failed PERF_REQUIRE leaves the test case as doctest's own REQUIRE does. A claim skipped becomes a message:
    // doctest cannot skip.
    void report(const site& where, std::string_view, const evaluation& found, const std::exception_ptr&) override {
        const doctest::String text = found.text().c_str();
        if (found.failed && where.effect == effect::require) {
            ADD_FAIL_AT(where.file, where.line, text);
        } else if (found.failed) {
            ADD_FAIL_CHECK_AT(where.file, where.line, text);
        } else if (found.verdict != verdict::holds || where.effect == effect::warn || where.effect == effect::measure) {
            ADD_MESSAGE_AT(where.file, where.line, text);
        }
    }

    void unexpected_exception(const site&) override { throw; }  // doctest reports it, or recognizes its own
    void measuring_starts(const site&, std::string_view) override {}
    void measuring_ends() override {}
};

/// Keeps `position_now` up to date for the host.
struct position_listener final : doctest::IReporter {
    explicit position_listener(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData& test) override {
        position_now.test = test.m_name;
        test_case_reenter(test);
    }
    void test_case_reenter(const doctest::TestCaseData&) override {
        ++position_now.pass;
        position_now.sections.clear();
        position_now.failed_before = false;
    }
    void subcase_start(const doctest::SubcaseSignature& section) override {
        position_now.sections.emplace_back(section.m_name.c_str());
    }
    void subcase_end() override { position_now.sections.pop_back(); }
    void log_assert(const doctest::AssertData& data) override {
        const bool warns = (data.m_at & doctest::assertType::is_warn) != 0;
        position_now.failed_before |= data.m_failed && !warns;
    }
    void log_message(const doctest::MessageData& data) override {
        position_now.failed_before |= data.m_severity != doctest::assertType::is_warn;
    }
    void test_case_end(const doctest::CurrentTestCaseStats&) override {
        position_now = {.test = {}, .sections = {}, .pass = position_now.pass};
    }
    void test_run_end(const doctest::TestRunStats&) override { std::printf("%s", run_summary().c_str()); }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("perfspec", 1, position_listener);

}  // namespace

int main(int argc, char** argv) {
    try {
        perfspec::init(argc, argv);
    } catch (const perfspec::input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return 2;
    }
    static doctest_host reports;
    perfspec::install_host(reports);
    doctest::Context context(argc, argv);
    const int failed = context.run();
    return failed != 0 || context.shouldExit() ? failed : perfspec::exit_code();  // 77: nothing was judged
}
