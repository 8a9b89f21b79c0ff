# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# The library's targets:
#   perfspec::catch2_main        for test programs: headers, compiled bodies, the host for Catch2, and a main unless they have one
#   perfspec::perfspec           the same without a test framework, and without a main
#   perfspec::callgrind, ::explain, ::python, ::libtorch, ::cuda   counts by Valgrind, explanations of models, and the adapters
#   perfspec::core, ::catch2     headers and the bodies' dependencies, for a program that compiles the bodies (PERFSPEC_IMPLEMENTATION)
#   perfspec::headers, ::gpu     parts of the others
include("${CMAKE_CURRENT_LIST_DIR}/PerfspecAdapters.cmake")

add_library(perfspec_headers INTERFACE)
add_library(perfspec::headers ALIAS perfspec_headers)
target_include_directories(perfspec_headers INTERFACE "$<BUILD_INTERFACE:${perfspec_include_dir}>" "$<INSTALL_INTERFACE:include>")
target_compile_features(perfspec_headers INTERFACE cxx_std_20)
target_link_libraries(perfspec_headers INTERFACE Threads::Threads ${CMAKE_DL_LIBS})  # the driver of a GPU is loaded while a program runs

# Users need no compiled fmt. Where perfspec itself is developed there may be one: without it, each file that formats spends seconds on compiling fmt.
set(perfspec_fmt fmt::fmt-header-only)
if(perfspec_is_top_level AND TARGET fmt::fmt AND NOT PERFSPEC_INSTALL AND NOT perfspec_with_torch)
    set(perfspec_fmt fmt::fmt)
endif()
add_library(perfspec_core INTERFACE)
add_library(perfspec::core ALIAS perfspec_core)
target_link_libraries(perfspec_core INTERFACE perfspec::headers ${perfspec_fmt} nlohmann_json::nlohmann_json)

add_library(perfspec_catch2 INTERFACE)
add_library(perfspec::catch2 ALIAS perfspec_catch2)
target_link_libraries(perfspec_catch2 INTERFACE perfspec::core Catch2::Catch2)

perfspec_add_catch2_main("${perfspec_include_dir}")
perfspec_add_explain("${perfspec_include_dir}")
perfspec_add_callgrind("${perfspec_include_dir}")
perfspec_add_python("${perfspec_include_dir}")
perfspec_add_gpu("${perfspec_include_dir}")
if(perfspec_with_torch)
    perfspec_add_libtorch("${perfspec_include_dir}")
endif()
if(perfspec_with_cuda)
    perfspec_add_cuda("${perfspec_include_dir}")
endif()

foreach(target IN ITEMS headers core catch2 catch2_main callgrind explain python gpu)
    set_target_properties(perfspec_${target} PROPERTIES EXPORT_NAME ${target})
endforeach()
set_target_properties(perfspec_perfspec PROPERTIES EXPORT_NAME perfspec OUTPUT_NAME perfspec)
