// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>
#include <perfspec/session/site.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// Where in the tests an assertion is being evaluated.
struct test_position {
    std::string test;                   ///< name of the test case; empty outside a test framework
    std::vector<std::string> sections;  ///< outermost first, without the test case itself
    std::uint64_t pass{};               ///< another number each time the test case's body runs again (sections, generators)
    bool failed_before{};               ///< a functional assertion has failed earlier in this pass
    std::string declared_at{};          ///< where the test case stands, "sort_test.cpp:12"; empty where the framework does not tell
    bool generated{};                   ///< the framework comes here again only for another value of a generator
    bool asserted_before{};             ///< a functional assertion has passed earlier in this process
};

/// The test framework that assertions report to. For framework authors; `catch2/` holds one, `plain_host` stands in without any.
class host {
public:
    virtual ~host() = default;

    [[nodiscard]] virtual test_position position() const = 0;

    /// Arguments with which this program, started again, reaches `where`, reporting nothing to anybody.
    [[nodiscard]] virtual std::vector<std::string> child_arguments(const test_position& where) const = 0;

    /// The filter with which a person runs that test case alone.
    [[nodiscard]] virtual std::string test_filter(const test_position& where) const = 0;

    /// Reports a record; for a failed PERF_REQUIRE, leaves the test case by the framework's own way (an exception).
    /// `thrown`: what a body threw, where that is why the record is invalid; the framework may know its own exceptions.
    virtual void report(const site& where, std::string_view claim, const record& result, const std::exception_ptr& thrown) = 0;

    /// An assertion that the option `only` leaves out: it passes, without a word.
    virtual void leave_out(const site&, std::string_view) {}

    /// Called inside catch (...): something was thrown while a claim was built, or by `report`.
    virtual void unexpected_exception(const site& where) = 0;

    /// Bodies run between these two, so that a crash can be told to belong to this assertion.
    virtual void measuring_starts(const site& where, std::string_view claim) = 0;
    virtual void measuring_ends() = 0;
};

/// Reports on the standard error; a failed PERF_REQUIRE throws `assertion_failed`, and any other failure ends the program with 42, unless the
/// program asks for its exit code after it.
class plain_host : public host {
public:
    [[nodiscard]] test_position position() const override { return {}; }
    [[nodiscard]] std::vector<std::string> child_arguments(const test_position&) const override { return {}; }
    [[nodiscard]] std::string test_filter(const test_position&) const override { return {}; }
    void report(const site& where, std::string_view claim, const record& result, const std::exception_ptr& thrown) override;
    void unexpected_exception(const site& where) override;
    void measuring_starts(const site&, std::string_view) override {}
    void measuring_ends() override {}
};

/// A failed PERF_REQUIRE where no test framework is in use.
struct assertion_failed : std::exception {
    explicit assertion_failed(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
    std::string text_;
};

/// The host in use; `plain_host` until another is installed.
[[nodiscard]] host& current_host() noexcept;
void install_host(host& h) noexcept;

}  // namespace perfspec
