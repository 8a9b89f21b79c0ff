// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/evaluation.hpp>
#include <perfspec/session/host.hpp>

#include <catch2/catch_config.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/interfaces/catch_interfaces_config.hpp>
#include <catch2/internal/catch_assertion_handler.hpp>
#include <catch2/internal/catch_context.hpp>
#include <catch2/internal/catch_decomposer.hpp>
#include <catch2/internal/catch_test_failure_exception.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// A Catch2 test specification that matches exactly the test case with this name. It escapes `\`, `,`, `[`, `]`, `"`
/// and a leading `~` or `-`. A leading "exclude:" cannot be escaped, and becomes a wildcard.
[[nodiscard]] inline std::string test_spec_for(std::string_view test_case) {
    constexpr std::string_view exclude = "exclude:";
    if (test_case.starts_with(exclude)) { return "*" + test_spec_for(test_case.substr(1)); }
    std::string spec;
    for (const char c : test_case) {
        const bool special = c == '\\' || c == ',' || c == '[' || c == ']' || c == '"';
        const bool leading = spec.empty() && (c == '~' || c == '-');
        if (special || leading) spec += '\\';
        spec += c;
    }
    return spec;
}

/// Catch2 arguments that run one test case along one path of sections with one seed, and report nothing. A build
/// without the test case accepts them, too.
[[nodiscard]] inline std::vector<std::string> quiet_arguments(std::string_view test_case,
                                                              const std::vector<std::string>& sections,
                                                              unsigned rng_seed) {
    // Without this reporter's own file, the parent's report (JUnit, console) would be written twice.
    std::vector<std::string> arguments{test_spec_for(test_case), "--reporter",
                                       "compact::out=/dev/null", "--rng-seed",
                                       std::to_string(rng_seed), "--allow-running-no-tests"};
    // One argument, because a name may begin with a dash. Catch2 compares with the trimmed name.
    for (const std::string& section : sections)
        arguments.push_back("--section=" + std::string(detail::trimmed(section)));
    return arguments;
}

namespace detail {

/// perfspec's report, in the place of an expression's expansion by Catch2.
struct report_expression final : Catch::ITransientExpression {
    std::string text;
    report_expression(bool holds, std::string t) : ITransientExpression(false, holds), text(std::move(t)) {}
    void streamReconstructedExpression(std::ostream& os) const override { os << text; }
};

inline Catch::ResultDisposition::Flags disposition_of(effect e) {
    return e == effect::require ? Catch::ResultDisposition::Normal : Catch::ResultDisposition::ContinueOnFailure;
}

/// Whether this run writes a JUnit file.
inline bool writes_junit() {
    const auto* config = dynamic_cast<const Catch::Config*>(Catch::getCurrentContext().getConfig());
    return config != nullptr && std::ranges::any_of(config->getProcessedReporterSpecs(),
                                                    [](const auto& spec) { return spec.name == "junit"; });
}

inline Catch::SourceLineInfo place_of(const site& where) { return {where.file, static_cast<std::size_t>(where.line)}; }

}  // namespace detail

/// Reports to Catch2 like Catch2's own assertions. The listener updates the position in the run.
class catch2_host final : public host {
public:
    [[nodiscard]] test_position position() const override {
        return {test_, sections_, pass_, failed_before_, declared_at_, is_generated(), asserted_before()};
    }

    [[nodiscard]] std::vector<std::string> child_arguments(const test_position& where) const override {
        return quiet_arguments(where.test, where.sections, Catch::getCurrentContext().getConfig()->rngSeed());
    }

    [[nodiscard]] std::string test_filter(const test_position& where) const override {
        return test_spec_for(where.test);
    }

    void report(const site& where, std::string_view claim, const evaluation& outcome,
                const std::exception_ptr& thrown) override {
        const record& result = detail::record_of(outcome);
        asserted_before_ = asserted_before();
        reported_ = true;
        if (thrown) return report_thrown(where, claim, result, thrown);
        const bool warns = is_worth_a_warning(where, result);
        conclude(where, claim, !result.failed, result.failed ? without_place(result) : passing_text(result, warns));
        // After the pass, because Catch2's console prints no claim before the first assertion.
        if (warns) warn(where, claim, result);
    }

    void leave_out(const site& where, std::string_view claim) override {
        conclude(where, claim, true, "left out by only");
    }

    void unexpected_exception(const site& where) override {
        measuring_.reset();
        try {
            throw;
        } catch (const Catch::TestFailureException&) { throw; } catch (const Catch::TestSkipException&) {
            throw;
        } catch (...) { conclude_by_exception(where, where.arguments); }
    }

    void measuring_starts(const site& where, std::string_view claim) override {
        const std::string text = std::string("while measuring ") + where.macro + "( " + std::string(claim) + " ) at " +
                                 where.file + ":" + std::to_string(where.line);
        measuring_.emplace(Catch::MessageBuilder("INFO", detail::place_of(where), Catch::ResultWas::Info) << text);
    }
    void measuring_ends() override {
        // Catch2 keeps a message that ends while an exception is in flight, so this is called again after the catch.
        if (std::uncaught_exceptions() == 0) measuring_.reset();
    }

    void enter_test_case(std::string name, std::string declared_at) {
        test_ = std::move(name);
        declared_at_ = std::move(declared_at);
        printed_reasons_.clear();
        ended_at_.clear();
        passed_.clear();
        has_generator_ = false;
    }
    void enter_pass() {
        ++pass_;
        failed_before_ = false;
        sections_.clear();
        deepest_.clear();
        depth_ = 0;
    }
    /// Two passes end at the same place only if a generator has another value.
    void leave_pass() {
        if (!ended_at_.insert(deepest_).second) has_generator_ = true;
        for (; !deepest_.empty(); deepest_.pop_back()) passed_.insert(deepest_);
        passed_.insert(deepest_);
    }
    /// Catch2 calls the test case itself the first section.
    void enter_section(std::string name) {
        if (depth_++ == 0) return;
        sections_.push_back(std::move(name));
        if (sections_.size() > deepest_.size()) deepest_ = sections_;
    }
    void leave_section() {
        if (--depth_ != 0 && !sections_.empty()) sections_.pop_back();
    }
    void note_failed_assertion() { failed_before_ = true; }
    void test_failed() { any_failure_ = true; }
    /// Whether a test case of the run failed.
    [[nodiscard]] bool any_failure() const noexcept { return any_failure_; }

private:
    /// Whether only another value of a generator reaches this place again.
    [[nodiscard]] bool is_generated() const {
        return ended_at_.contains(sections_) || (has_generator_ && passed_.contains(sections_));
    }

    // Catch2's reporters keep the address until the end of the run: the claim is part of a string literal.
    static Catch::StringRef expression_of(std::string_view claim) { return {claim.data(), claim.size()}; }

    // Catch2 knows only whether the last assertion passed, which is useful before perfspec's first assertion.
    [[nodiscard]] bool asserted_before() const {
        return asserted_before_ || (!reported_ && Catch::getResultCapture().lastAssertionPassed());
    }

    static void conclude(const site& where, std::string_view claim, bool passes, const std::string& text) {
        Catch::AssertionHandler handler(where.macro, detail::place_of(where), expression_of(claim),
                                        detail::disposition_of(where.effect));
        handler.handleExpr(detail::report_expression(passes, text));
        handler.complete();
    }

    static void conclude_by_exception(const site& where, std::string_view claim) {
        Catch::AssertionHandler handler(where.macro, detail::place_of(where), expression_of(claim),
                                        detail::disposition_of(where.effect));
        handler.handleUnexpectedInflightException();
        handler.complete();
    }

    // Catch2 prints place and claim itself, and breaks commands.
    static std::string without_place(const record& result) {
        return render_console(result, {.commands = console_commands::left_out, .place = console_place::left_out});
    }

    /// Whether a warning follows the pass. Each reason for not judging is printed once per test case.
    bool is_worth_a_warning(const site& where, const record& result) {
        if (result.failed || (!detail::deserves_a_word(result) && where.effect != effect::warn)) return false;
        return result.verdict != verdict::skipped || result.forecast || printed_reasons_.insert(result.reason).second;
    }

    /// The text below Catch2's word PASSED with -s. A warning that follows has the evidence.
    static std::string passing_text(const record& result, bool warns) {
        const bool has_verdict = result.verdict != verdict::undecided && result.verdict != verdict::skipped;
        std::string text = detail::headline(result, {.place = console_place::left_out});
        if (!has_verdict && !detail::is_waived(result) && detail::done_instead(result).empty())
            text += detail::skips_test(result) ? ", which skips the test" : ", which fails no test";
        if (warns) return text + ": see the warning";
        return result.verdict == verdict::skipped ? text + ": " + detail::single_line(result.reason)
                                                  : without_place(result);
    }

    // A warning is printed also without -s, but only the pass before it is an assertion.
    void warn(const site& where, std::string_view claim, const record& result) {
        Catch::AssertionHandler handler(where.macro, detail::place_of(where), expression_of(claim),
                                        Catch::ResultDisposition::ContinueOnFailure);
        handler.handleMessage(Catch::ResultWas::Warning, without_place(result));
        handler.complete();
        if (detail::writes_junit()) print_for_junit(result);
    }

    // JUnit files hold no warnings. They hold the text that a test case writes to std::cout, but not that of C's stdio.
    static void print_for_junit(const record& result) {
        const std::string text = render_console(result, {});
        const std::string first_line = text.substr(0, text.find('\n'));
        const std::string detail_text = result.reason.empty() ? change_text(result) : result.reason;
        std::cout << first_line << (first_line.ends_with(detail_text) ? "" : "  " + detail_text) << '\n';
    }

    static void report_thrown(const site& where, std::string_view claim, record result,
                              const std::exception_ptr& thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Catch::TestFailureException&) {  // Catch2 has reported a REQUIRE inside the body
            result.reason = "an assertion inside the body failed";
        } catch (const Catch::TestSkipException&) {
            // Catch2 has reported a SKIP, too. A claim without a verdict must not pass.
            result.reason = "the body called SKIP, so nothing was judged: call SKIP before the assertion";
        } catch (...) {
            if (result.failed) return conclude_by_exception(where, claim);
        }
        conclude(where, claim, !result.failed, without_place(result));
    }

    std::string test_;
    std::string declared_at_;
    std::vector<std::string> sections_;
    std::vector<std::string> deepest_;             ///< sections of this pass
    std::set<std::vector<std::string>> ended_at_;  ///< the deepest sections of earlier passes of the test case
    std::set<std::vector<std::string>> passed_;    ///< the sections of earlier passes
    bool has_generator_{};
    std::uint64_t pass_{};
    int depth_{};
    bool failed_before_{};
    bool asserted_before_{};
    bool reported_{};
    bool any_failure_{};
    std::set<std::string> printed_reasons_;
    std::optional<Catch::ScopedMessage> measuring_;
};

/// Never destroyed: the host may hold a message of Catch2, whose statics may end before ours.
[[nodiscard]] inline catch2_host& the_catch2_host() {
    static auto* const host = new catch2_host;
    return *host;
}

}  // namespace perfspec::inline v0_2
