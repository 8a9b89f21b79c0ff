// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// For validate_schema.py: prints a baseline file, or with the argument "golden" a file of golden outputs. For each file
// that is named it prints "read", or the reason of refusal in one line. The name's end says which kind it is.

#include "entries.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

perfspec::baseline_file every_member() {
    using namespace perfspec;
    baseline_file file{"amd-epyc-7763-4c", "gcc-13", "vision_test", {}};
    using enum dimension;
    for (const auto unit : {time, ratio, count, bytes, item_rate, byte_rate, flop_rate}) {
        auto entry =
            entry_of("case / section \"" + std::string(base_unit(unit)) + "\" \U0001F680", {1.42, 1.43, 1e300, 1e-300});
        entry.unit = base_unit(unit);
        entry.direction = unit == time ? better::less : better::more;
        entry.recorded_on = {"memory",    "os",         "kernel",
                             "compiler",  "flags",      "governor",
                             "container", "processors", {{"cuda", "12.4"}, {"libtorch", "2.13.0"}}};
        entry.processes[0].run = "17";
        if (unit == time)
            entry.profile = part_profile{"2 threads", {{"aten::conv2d", 523000, 9}, {"relu", 1.5, 4.5}}, 1200};
        file.insert_or_replace(entry);
    }
    auto users = entry_of("case / tokens", {-3, 0});
    users.unit = "tokens/s";
    users.recorded_on = {};
    users.processes[0].commit.clear();
    users.processes[0].recording_session.clear();
    file.insert_or_replace(users);
    return file;
}

perfspec::golden_file golden_outputs() {
    return {"amd-epyc-7763-4c",
            "gcc-13",
            "vision_test",
            {{"case / same_output(a, b) \U0001F680",
              "LibTorch 2.13.0, 2 threads",
              "2026-11-18T09:12:44Z",
              "3f2c1ab",
              {"output 1, bool[2]: 01", "x"}},
             {"plain", {}, {}, {}, {"output 1, float32[]: 02"}}}};
}

std::string verdict_on(const std::string& path) {
    const auto read = perfspec::posix_file_system().read(path, perfspec::baseline_file::max_bytes);
    if (read.outcome != perfspec::read_outcome::complete) return read.reason;
    try {
        if (path.ends_with(".golden")) (void)perfspec::parse_golden_file(read.text, path);
        else (void)perfspec::parse_baseline_file(read.text, path);
        return "read";
    } catch (const perfspec::input_error& error) {
        std::string reason = error.what();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        return reason;
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 1) std::fputs(perfspec::render_baseline_file(every_member()).c_str(), stdout);
    if (count == 2 && arguments[1] == std::string("golden")) {
        std::fputs(perfspec::render_golden_file(golden_outputs()).c_str(), stdout);
        return 0;
    }
    for (int i = 1; i < count; ++i) std::puts(verdict_on(arguments[i]).c_str());
}
