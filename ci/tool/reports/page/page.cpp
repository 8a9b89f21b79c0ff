// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "page.hpp"

#include "page_text.hpp"

namespace perfspec::tool {
namespace {

/// The same JSON, in which nothing can end a script element or begin a comment.
std::string for_script(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<') safe += "\\u003c";
        else safe += c;
    }
    return safe;
}

}  // namespace

std::string page_with(std::string_view json) {
    constexpr std::string_view place = "@data@";
    std::string page(page_text());
    page.replace(page.find(place), place.size(), for_script(json));
    return page;
}

}  // namespace perfspec::tool
