// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <catch2/catch_config.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include <perfspec/catch2/host-inl.hpp>
#include <perfspec/catch2/test_spec.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/session/program.hpp>
#include <perfspec/session/session.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace perfspec::detail {

/// Reports the position in the run to the host, and prints the summary at the end.
class position_listener final : public Catch::EventListenerBase {
public:
    using EventListenerBase::EventListenerBase;

    // Where main is not perfspec's, this is the last place to stop the run.
    void testRunStarting(const Catch::TestRunInfo&) override {
        if (this_session().doctor_asked()) std::exit(print_doctor());
        if (!this_session().child()) require_options();
    }
    void testCaseStarting(const Catch::TestCaseInfo& test) override {
        the_catch2_host().enter_test_case(test.name, test.lineInfo.file + (":" + std::to_string(test.lineInfo.line)));
    }
    // Catch2 accepts assertions only while a test case runs. For other assertions, as in a main or another
    // listener, the host is uninstalled.
    void testCasePartialStarting(const Catch::TestCaseInfo&, std::uint64_t) override {
        the_catch2_host().enter_pass();
        before_ = &current_host();
        install_host(the_catch2_host());
    }
    void testCasePartialEnded(const Catch::TestCaseStats&, std::uint64_t) override {
        the_catch2_host().leave_pass();
        install_host(*before_);
    }
    void sectionStarting(const Catch::SectionInfo& section) override { the_catch2_host().enter_section(section.name); }
    void sectionEnded(const Catch::SectionStats&) override { the_catch2_host().leave_section(); }
    void assertionEnded(const Catch::AssertionStats& stats) override {
        if (!stats.assertionResult.isOk()) the_catch2_host().assertion_failed_here();
    }
    void testRunEnded(const Catch::TestRunStats& stats) override {
        // Test cases, not single assertions: the tags [!mayfail] and [!shouldfail] change what a failed assertion
        // means.
        if (stats.totals.testCases.failed != 0) the_catch2_host().test_failed();
        // Standard output belongs to the reporter that writes there. Only the console reporter's output stays
        // readable with other text in it.
        std::FILE* const to = only_console_reports() ? stdout : stderr;
        std::string text = this_session().summary(colour_on(to));
        // This line is for SKIP_REGULAR_EXPRESSION, where Catch2's own main gives the exit code. It is never printed
        // with a failure: that property would hide the failure.
        if (stats.totals.testCases.failed == 0 && this_session().exit_code(0) != 0)
            text += "perfspec: skipped, because no performance assertion was judged\n";
        if (!text.empty()) std::fputs(text.c_str(), to);
    }

private:
    /// Stops the run at once for a bad variable or a device that is not there, and not only at the first assertion.
    static void require_options() {
        try {
            require_settings();
        } catch (const input_error& e) {
            std::fprintf(stderr, "perfspec: %s\n", e.what());
            std::exit(2);
        }
    }
    /// The colour that Catch2's options set, else that of the terminal and the environment.
    [[nodiscard]] console_colour colour_on(std::FILE* to) const {
        const Catch::ColourMode told = m_config->defaultColourMode();
        if (told == Catch::ColourMode::None) return console_colour::never;
        if (told == Catch::ColourMode::ANSI) return console_colour::always;
        return colour_for(is_terminal(to), this_session().system().variables);
    }
    [[nodiscard]] bool only_console_reports() const {
        const auto* config = dynamic_cast<const Catch::Config*>(m_config);
        if (config == nullptr) return false;
        for (const auto& reporter : config->getProcessedReporterSpecs()) {
            if (reporter.outputFilename.empty() && reporter.name != "console") return false;
        }
        return true;
    }

    host* before_{};
};

CATCH_REGISTER_LISTENER(position_listener)

}  // namespace perfspec::detail
