// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>
#include <perfspec/report/record.hpp>

#include <string>

namespace perfspec::tool {

/// The web pages with the sources of a run.
struct source_pages {
    std::string prefix{};  ///< a page's address before "<path>#L<line>": "https://github.com/owner/project/blob/3f2c1ab/";
                           ///< empty where there are no pages
    std::string folder{};  ///< the folder of the sources in that run, removed from paths in results: "/builds/project"
};

/// Reads the pages from the variables of GitHub Actions or GitLab's CI.
[[nodiscard]] source_pages pages_of_ci(const environment& variables);

/// The place of a claim, below the folder of the sources: "tests/sort_test.cpp:12". Empty where the record has none.
[[nodiscard]] std::string place_text(const record& r, const source_pages& pages);

/// The address of the page with that line; empty where there is none.
[[nodiscard]] std::string place_address(const record& r, const source_pages& pages);

}  // namespace perfspec::tool
