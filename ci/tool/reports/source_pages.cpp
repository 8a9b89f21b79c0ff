// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "source_pages.hpp"

#include <perfspec/report/annotation.hpp>

#include <fmt/format.h>

#include <string_view>

namespace perfspec::tool {

source_pages pages_of_ci(const environment& variables) {
    const auto value = [&](const char* name) { return variables.get(name).value_or(""); };
    if (const std::string project = value("CI_PROJECT_URL"), commit = value("CI_COMMIT_SHA"); !project.empty() && !commit.empty())
        return {project + "/-/blob/" + commit + "/", value("CI_PROJECT_DIR")};
    const std::string server = value("GITHUB_SERVER_URL");
    const std::string repository = value("GITHUB_REPOSITORY");
    const std::string commit = value("GITHUB_SHA");
    const bool is_known = !server.empty() && !repository.empty() && !commit.empty();
    return {is_known ? server + "/" + repository + "/blob/" + commit + "/" : std::string{}, value("GITHUB_WORKSPACE")};
}

std::string place_text(const record& r, const source_pages& pages) {
    return r.file.empty() ? std::string{} : fmt::format("{}:{}", detail::below(pages.folder, r.file), r.line);
}

std::string place_address(const record& r, const source_pages& pages) {
    const std::string_view path = detail::below(pages.folder, r.file);
    if (pages.prefix.empty() || path.empty() || path.starts_with('/')) return {};
    return fmt::format("{}{}#L{}", pages.prefix, detail::percent_encoded(path, "%?# ()<>\"\\|"), r.line);
}

}  // namespace perfspec::tool
