# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Puts the parts of the page into page.html, and writes that as an array of bytes: cmake -D OUTPUT=page_text.cpp -P embed.cmake
set(page "")
file(READ "${CMAKE_CURRENT_LIST_DIR}/page.html" page)
file(GLOB parts RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/*.css" "${CMAKE_CURRENT_LIST_DIR}/*.js" "${CMAKE_CURRENT_LIST_DIR}/third_party/*.js")
foreach(part IN LISTS parts)
    file(READ "${CMAKE_CURRENT_LIST_DIR}/${part}" text)
    get_filename_component(name "${part}" NAME)
    string(REPLACE "@${name}@" "${text}" page "${page}")
endforeach()
file(WRITE "${OUTPUT}.html" "${page}")
file(READ "${OUTPUT}.html" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"tool/reports/page/page_text.hpp\"

namespace perfspec::tool {

std::string_view page_text() noexcept {
    static constexpr char text[] = {${bytes}};
    return {text, sizeof text};
}

}  // namespace perfspec::tool
")
