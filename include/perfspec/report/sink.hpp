// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/report/record.hpp>

#include <concepts>
#include <string>

namespace perfspec {

/// A rendering of records: one function over one record. It decides nothing, and where it writes is a parameter of its constructor.
///
///     struct counting_sink { int& n; void operator()(const perfspec::record&) { ++n; } };
template <class T>
concept Sink = std::invocable<T&, const record&>;

/// Appends each record to a file of JSON lines; parallel processes may share the file, because each line is one write.
/// throws input_error, naming the file, where it cannot be written.
class jsonl_sink {
public:
    jsonl_sink(file_system& files, std::string path);

    void operator()(const record& r);
    /// The line that precedes a measurement, so that a crash leaves a trace.
    void started(const record& about);

private:
    void append(const std::string& line);

    file_system& files_;
    std::string path_;
};

static_assert(Sink<jsonl_sink>);

}  // namespace perfspec
