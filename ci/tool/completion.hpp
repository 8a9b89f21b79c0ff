// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace perfspec::tool {

/// A script for bash, zsh or fish that completes the app's commands and options, and else file names.
[[nodiscard]] std::string completion_script(const CLI::App& app, std::string_view shell);

}  // namespace perfspec::tool
