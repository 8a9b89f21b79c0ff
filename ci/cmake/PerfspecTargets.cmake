# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# The library's targets. Headers are globbed, because a stage is nothing but its files; each header file set is verified alone (the target
# all_verify_interface_header_sets), bodies (-inl.hpp) are not: ci/lint.d/alone compiles
# each alone, and implementation/*.cpp, or the unit that includes perfspec/implementation.hpp, all of them once.
include("${CMAKE_CURRENT_LIST_DIR}/PerfspecAdapters.cmake")

# perfspec_headers(<target> <INTERFACE|PUBLIC> <headers…>)
function(perfspec_headers target scope)
    target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${perfspec_include_dir}" FILES ${ARGN})
    set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL})
endfunction()

# perfspec_adapter_headers(<name> <variable>): perfspec/<name>.hpp and everything in perfspec/<name>/
function(perfspec_adapter_headers name variable)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${perfspec_include_dir}/perfspec/${name}/*.hpp" "${perfspec_include_dir}/perfspec/${name}.hpp")
    list(FILTER headers INCLUDE REGEX "/include/perfspec/${name}[./]")
    list(FILTER headers EXCLUDE REGEX "-inl\\.hpp$")
    set(${variable} ${headers} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE perfspec_core_headers CONFIGURE_DEPENDS "${perfspec_include_dir}/perfspec/*.hpp")
list(FILTER perfspec_core_headers EXCLUDE REGEX "/include/perfspec/(catch2|explain|libtorch|cuda)[./]|-inl\\.hpp$")

add_library(perfspec_core INTERFACE)
add_library(perfspec::core ALIAS perfspec_core)
perfspec_headers(perfspec_core INTERFACE ${perfspec_core_headers})
target_compile_features(perfspec_core INTERFACE cxx_std_20)
target_link_libraries(perfspec_core INTERFACE fmt::fmt-header-only nlohmann_json::nlohmann_json Threads::Threads)
set_target_properties(perfspec_core PROPERTIES EXPORT_NAME core)

perfspec_adapter_headers(catch2 perfspec_catch2_headers)
add_library(perfspec_catch2 INTERFACE)
add_library(perfspec::catch2 ALIAS perfspec_catch2)
perfspec_headers(perfspec_catch2 INTERFACE ${perfspec_catch2_headers})
target_link_libraries(perfspec_catch2 INTERFACE perfspec::core Catch2::Catch2)
set_target_properties(perfspec_catch2 PROPERTIES EXPORT_NAME catch2)
perfspec_add_catch2_main("${perfspec_include_dir}")

perfspec_adapter_headers(explain perfspec_explain_headers)
perfspec_add_explain("${perfspec_include_dir}")
perfspec_headers(perfspec_explain PUBLIC ${perfspec_explain_headers})

if(perfspec_with_torch AND EXISTS "${perfspec_include_dir}/perfspec/libtorch/libtorch.cpp")
    perfspec_adapter_headers(libtorch perfspec_libtorch_headers)
    perfspec_add_libtorch("${perfspec_include_dir}")
    perfspec_headers(perfspec_libtorch PUBLIC ${perfspec_libtorch_headers})
endif()
if(perfspec_with_cuda AND EXISTS "${perfspec_include_dir}/perfspec/cuda/cuda.cpp")
    perfspec_adapter_headers(cuda perfspec_cuda_headers)
    perfspec_add_cuda("${perfspec_include_dir}")
    perfspec_headers(perfspec_cuda PUBLIC ${perfspec_cuda_headers})
endif()
