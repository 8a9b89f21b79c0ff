// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "scripted_simulator.hpp"

#include <perfspec/quantity/quantity.hpp>

#include <run/exact_builds.hpp>

namespace perfspec {

using namespace testing;

TEST_CASE("counts of both builds are compared exactly, where five process pairs agree", "[callgrind][unit]") {
    struct row {
        std::vector<double> head;
        verdict found;
        bool exact;
    };
    const auto r = GENERATE(values<row>({{{1000}, verdict::holds, true},
                                         {{1002}, verdict::violated, true},
                                         {{1000, 1000, 1000, 1000, 1002, 1000}, verdict::holds, false}}));
    exact_builds program("simulated_instructions(sort)", "count", r.head, {1000});
    const scripted_count by(program.files);
    const record found = program.evaluate(by.simulated_instructions(program.sort) < 1.001 * baseline(),
                                          {budget(std::chrono::seconds(1))});
    CHECK(found.verdict == r.found);
    CHECK(found.evidence.exact == r.exact);
    if (r.exact) CHECK(found.evidence.processes == 5);
}

TEST_CASE("counts that differ between processes are not equal to those of another build", "[callgrind][unit]") {
    exact_builds program("simulated_instructions(sort)", "count", {800, 802}, {1000});
    const scripted_count by(program.files);
    CHECK(program.evaluate(by.simulated_instructions(program.sort) == baseline()).verdict == verdict::undecided);
}

}  // namespace perfspec
