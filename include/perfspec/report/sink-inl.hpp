// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/sink.hpp>

#include <perfspec/report/json_lines.hpp>

#include <utility>

namespace perfspec {

jsonl_sink::jsonl_sink(file_system& files, std::string path) : files_(files), path_(std::move(path)) {}

void jsonl_sink::operator()(const record& r) { append(to_json_line(r)); }

void jsonl_sink::started(const record& about) { append(to_started_line(about)); }

void jsonl_sink::append(const std::string& line) {
    try {
        files_.append_line(path_, line);
    } catch (const file_error& e) {
        throw input_error(std::string(e.what()) +
                          "; name a file that can be written, such as --perf-output=results.jsonl");
    }
}

}  // namespace perfspec
