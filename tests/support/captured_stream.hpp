// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <string>

namespace perfspec::testing {

/// A stream, such as the console of a run, and its text.
class captured_stream {
public:
    captured_stream() : file_(std::tmpfile()) {}
    captured_stream(const captured_stream&) = delete;
    captured_stream& operator=(const captured_stream&) = delete;
    ~captured_stream() { std::fclose(file_); }

    [[nodiscard]] std::FILE* file() const { return file_; }

    /// All that was written so far.
    [[nodiscard]] std::string text() const {
        std::string read(static_cast<std::size_t>(std::ftell(file_)), '\0');
        std::rewind(file_);
        read.resize(std::fread(read.data(), 1, read.size(), file_));
        return read;
    }

private:
    std::FILE* file_;
};

}  // namespace perfspec::testing
