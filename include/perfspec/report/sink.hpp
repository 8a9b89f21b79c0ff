// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/report/record.hpp>

#include <concepts>
#include <string>

namespace perfspec {

/// A rendering of records: a function that takes one record. It decides nothing. Its constructor takes the place where
/// it writes.
///
///     struct counting_sink { int& n; void operator()(const perfspec::record&) { ++n; } };
template <class T>
concept Sink = std::invocable<T&, const record&>;

/// Appends each record to a file of JSON lines. Parallel processes may share the file, because each line is one write.
/// Throws input_error, which names the file, if it cannot be written.
class jsonl_sink {
public:
    jsonl_sink(file_system& files, std::string path);

    void operator()(const record& r);
    /// Writes the line that precedes a measurement, so a crash leaves a trace.
    void started(const record& about);

private:
    void append(const std::string& line);

    file_system& files_;
    std::string path_;
};

static_assert(Sink<jsonl_sink>);

}  // namespace perfspec
