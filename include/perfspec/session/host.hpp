// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/evaluation.hpp>
#include <perfspec/session/build_kind.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// The effect of a failed claim on the test.
enum class effect : std::uint8_t { require, check, warn, measure };

/// The place of an assertion, and what only its macro knows. It has static storage duration.
struct site : detail::compiled_file {
    const char* macro;
    const char* arguments;  ///< the text of the macro's arguments
    const char* file;
    int line;
    perfspec::effect effect;

    // A constructor, because the assertion macro may be in another macro's argument, where braces do not hide commas.
    constexpr site(const char* m, const char* a, const char* f, int l, perfspec::effect e, build_kind b,
                   const char* file_flags = "", detail::compiler_version c = {})
        : compiled_file{b, file_flags, c}, macro(m), arguments(a), file(f), line(l), effect(e) {}
};

/// The place in the tests where an assertion is evaluated.
struct test_position {
    std::string test;                   ///< name of the test case; empty outside a test framework
    std::vector<std::string> sections;  ///< outermost first, without the test case itself
    std::uint64_t pass{};               ///< changes each time the test case's body runs again (sections, generators)
    bool failed_before{};               ///< a functional assertion has failed earlier in this pass
    std::string declared_at{};  ///< place of the test case, "sort_test.cpp:12"; empty if the framework does not know it
    bool generated{};           ///< only another value of a generator reaches this place again
    bool asserted_before{};     ///< a functional assertion has passed earlier in this process
};

namespace detail {

/// How tests write what advice names.
struct advice_words {
    std::string unverified{".unverified()"};  ///< of a subject whose outputs are not compared
    std::string fresh_input{"subject(name, setup(make), body)"};
    std::string in_setup{"in setup(make)"};  ///< where the input of a call is made
    std::string before_value{"("};           ///< of an option: budget(3s)
    std::string after_value{")"};
    std::string before_word{"::"};  ///< of an option that is one of a few words: confirm::off
    std::string after_word{};

    [[nodiscard]] std::string option(std::string_view name, const std::string& value) const {
        return std::string(name) + before_value + value + after_value;
    }
    [[nodiscard]] std::string choice(std::string_view name, const std::string& word) const {
        return std::string(name) + before_word + word + after_word;
    }
};

}  // namespace detail

/// The test framework that assertions report to, for authors of frameworks; `catch2/` has one. Without a host,
/// assertions report to standard error.
class host {
public:
    virtual ~host() = default;

    [[nodiscard]] virtual test_position position() const = 0;

    /// Arguments with which this program, started again, reaches `where` without printing reports.
    [[nodiscard]] virtual std::vector<std::string> child_arguments(const test_position& where) const = 0;

    /// The filter for that test case alone, for users.
    [[nodiscard]] virtual std::string test_filter(const test_position& where) const = 0;

    /// The command for that test case alone; empty: ctest's, or this program with that filter.
    [[nodiscard]] virtual std::string command(const test_position&) const { return {}; }

    /// For tests in another language.
    [[nodiscard]] virtual detail::advice_words words() const { return {}; }

    /// Reports a result. For a failed PERF_REQUIRE, leaves the test case in the framework's own way (an exception).
    /// `thrown`: the exception of a body, if that made the claim an error; the framework may recognize its own
    /// exceptions.
    virtual void report(const site& where, std::string_view claim, const evaluation& found,
                        const std::exception_ptr& thrown) = 0;

    /// Called for an assertion that the option `only` leaves out: it passes without a report.
    virtual void leave_out(const site&, std::string_view) {}

    /// Called inside catch (...): the exception is from building a claim, or from `report`.
    virtual void unexpected_exception(const site& where) = 0;

    /// Called before and after bodies run, so the host can name the assertion of a crash. If a claim ends by an
    /// exception, `measuring_ends` is called again once it is caught.
    virtual void measuring_starts(const site& where, std::string_view claim) = 0;
    virtual void measuring_ends() = 0;
};

/// Thrown by a failed PERF_REQUIRE if no test framework is in use.
struct assertion_failed : std::exception {
    explicit assertion_failed(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
    std::string text_;
};

/// Makes assertions report to this host, which must live as long as they do.
void install_host(host& h) noexcept;

namespace detail {

/// Reports to standard error. A failed PERF_REQUIRE throws `assertion_failed`. After any other failure the program ends
/// with 42, unless it calls `exit_code` later.
class plain_host : public host {
public:
    [[nodiscard]] test_position position() const override { return {}; }
    [[nodiscard]] std::vector<std::string> child_arguments(const test_position&) const override { return {}; }
    [[nodiscard]] std::string test_filter(const test_position&) const override { return {}; }
    void report(const site& where, std::string_view claim, const evaluation& found,
                const std::exception_ptr& thrown) override;
    void unexpected_exception(const site& where) override;
    void measuring_starts(const site&, std::string_view) override {}
    void measuring_ends() override {}
};

/// The host in use. It is a `plain_host` until another is installed.
[[nodiscard]] host& current_host() noexcept;

/// The exit code of a program with a failure.
inline constexpr int failure_code = 42;

/// "PERF_CHECK( latency(x) < 3ms ) at sort_test.cpp:12".
[[nodiscard]] std::string assertion_text(const site& where, std::string_view claim);

/// Marks a claim as open while this object lives. A process that calls exit or quick_exit meanwhile prints the claim
/// and ends with 42, but not a process that a body forks, or a child of perfspec.
class open_claim {
public:
    open_claim(const site& where, std::string_view claim);
    open_claim(const open_claim&) = delete;
    open_claim& operator=(const open_claim&) = delete;
    ~open_claim();

private:
    std::string before_;  ///< the claim of another session around this one
};

/// Notes a failed assertion outside of test frameworks. The process then ends with 42, unless it calls `exit_code`
/// later.
void note_failure_of_no_test(const site& where, std::string_view claim);

/// Forgets the failures so far, because the program read its exit code.
void forget_failures() noexcept;

}  // namespace detail
}  // namespace perfspec::inline v0_2
