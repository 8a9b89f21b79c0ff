# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0

# perfspec_write_file(<path> <text>): does not touch a file that has the text already, so that nothing is compiled again.
# (CMake's own file(CONFIGURE), which does that, came with 3.18.)
function(perfspec_write_file path text)
    set(old "")
    if(EXISTS "${path}")
        file(READ "${path}" old)
    endif()
    if(NOT old STREQUAL text OR NOT EXISTS "${path}")
        file(WRITE "${path}" "${text}")
    endif()
endfunction()
