# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Every header compiles alone: the target all_verify_interface_header_sets, in perfspec's own tree. Bodies (-inl.hpp) are left out: ci/lint.d/alone
# compiles each of these alone. What stands first in a file is read after nothing else, so whoever compiles that file has compiled its first
# header alone as well. So only headers that nothing else begins with are compiled here.

# perfspec_first_include(<variable> <file>): the header of ours that the file begins with, as a path; empty where its first line of code is another one.
function(perfspec_first_include variable file)
    file(STRINGS "${file}" first REGEX "^([^/#]|#[^p])" LIMIT_COUNT 1 ENCODING UTF-8)  # no comment, and no #pragma once
    set(found "")
    if(first MATCHES "^#include <(perfspec/[^>]+)>")
        set(found "${perfspec_include_dir}/${CMAKE_MATCH_1}")
    endif()
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# perfspec_find_first_read(<variable> <file>…): what these files and their first headers begin with. A circle that no file leads into is not in it.
function(perfspec_find_first_read variable)
    set(begun "")
    foreach(file IN LISTS ARGN)
        perfspec_first_include(first "${file}")
        set(first_of_${file} "${first}")
        list(APPEND begun "${first}")
    endforeach()
    set(found "")
    foreach(file IN LISTS ARGN)
        if(NOT file IN_LIST begun)
            while(first_of_${file} AND NOT first_of_${file} IN_LIST found)
                set(file "${first_of_${file}}")
                list(APPEND found "${file}")
            endwhile()
        endif()
    endforeach()
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE perfspec_headers_and_bodies CONFIGURE_DEPENDS "${perfspec_include_dir}/perfspec/*.hpp")
list(FILTER perfspec_headers_and_bodies EXCLUDE REGEX "/perfspec/(libtorch|cuda)/.*-inl\\.hpp$")  # nobody compiles these alone
perfspec_find_first_read(perfspec_first_read ${perfspec_headers_and_bodies})
# All of the core once more takes a compiler minutes. Examples 06 and tests/catch2/foreign_main_program.cpp compile these two, with nothing before the
# bodies but the same headers.
list(APPEND perfspec_first_read "${perfspec_include_dir}/perfspec/implementation.hpp" "${perfspec_include_dir}/perfspec/catch2/implementation.hpp")

# perfspec_verify_headers(<target> <regular expression of what stands after include/perfspec/>)
function(perfspec_verify_headers target which)
    set(headers ${perfspec_headers_and_bodies})
    list(FILTER headers INCLUDE REGEX "/include/perfspec/${which}")
    list(FILTER headers EXCLUDE REGEX "-inl\\.hpp$")
    list(REMOVE_ITEM headers ${perfspec_first_read})
    if(target STREQUAL perfspec_catch2)
        # Bodies that only those two compile as optimised as a program that takes all of perfspec into one of its files.
        list(APPEND headers "${perfspec_include_dir}/perfspec/catch2/catch2-inl.hpp")
    endif()
    add_library(${target}_headers INTERFACE)
    target_link_libraries(${target}_headers INTERFACE ${target})
    target_sources(${target}_headers INTERFACE FILE_SET HEADERS BASE_DIRS "${perfspec_include_dir}" FILES ${headers})
    set_target_properties(${target}_headers PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

foreach(target IN ITEMS catch2 explain python libtorch cuda)
    if(TARGET perfspec_${target})
        perfspec_verify_headers(perfspec_${target} "${target}[./]")
    endif()
endforeach()
file(GLOB perfspec_folders LIST_DIRECTORIES true RELATIVE "${perfspec_include_dir}/perfspec" CONFIGURE_DEPENDS "${perfspec_include_dir}/perfspec/*")
list(FILTER perfspec_folders EXCLUDE REGEX "^(catch2|explain|python|libtorch|cuda)|-inl\\.hpp$")
list(JOIN perfspec_folders "|" perfspec_folders)
perfspec_verify_headers(perfspec_core "(${perfspec_folders})")
