// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "counted_process.hpp"
#include "two_builds.hpp"

namespace perfspec::testing {

/// Two builds, whose processes have these values in turn; negative: one that varies within its process, of that size.
struct exact_builds : two_builds {
    exact_builds(const std::string& query, const std::string& unit, const std::vector<double>& of_head,
                 const std::vector<double>& of_baseline) {
        key = "sorting / " + query;
        script_values(head, unit, of_head);
        script_values(baseline, unit, of_baseline);
    }

private:
    static void script_values(scripted_build& b, const std::string& unit, const std::vector<double>& values) {
        b.hello.unit = unit;
        b.instead = [values, next = std::size_t{0}](const std::string& request) mutable -> worker_reply {
            if (word_of(request) != "measure") return {};
            const double value = values[next++ % values.size()];
            return {
                parse_answer(counted(std::abs(value), value < 0 ? runs_differ::yes : runs_differ::no)).payload.value()};
        };
    }
};

}  // namespace perfspec::testing
