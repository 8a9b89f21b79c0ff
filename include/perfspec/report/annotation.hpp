// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/sink.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace perfspec {
namespace detail {

/// The text with these characters as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text, std::string_view characters);

/// The path from that folder on, where it lies below it.
[[nodiscard]] std::string_view below(std::string_view folder, std::string_view path);

}  // namespace detail

/// The record as a workflow command of GitHub Actions, which shows it at the claim's line: `::error file=sort_test.cpp,line=12,title=…::…` for what
/// fails the test, `::warning …` for what was undecided, not judged, or is only warned of. Without a line break at its end; empty for what holds,
/// was recorded, or was not judged on request.
///
/// workspace  the checkout ($GITHUB_WORKSPACE): files below it are named from there on, as GitHub finds them
[[nodiscard]] std::string render_annotation(const record& r, std::string_view workspace);

/// Writes the annotations of records to a stream. Of the standard streams the error stream: it is no report that a framework writes, and runners
/// read both.
class annotation_sink {
public:
    annotation_sink(std::FILE* to, std::string workspace);

    void operator()(const record& r);

private:
    std::FILE* to_;
    std::string workspace_;
};

static_assert(Sink<annotation_sink>);

}  // namespace perfspec
