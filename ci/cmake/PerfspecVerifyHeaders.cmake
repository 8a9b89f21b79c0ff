# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Every header compiles alone: the target all_verify_interface_header_sets, in perfspec's own tree. Bodies (-inl.hpp) are left out: ci/lint.d/alone
# compiles each of these alone.

# perfspec_verify_headers(<target> <regular expression of what stands after include/perfspec/>)
function(perfspec_verify_headers target which)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${perfspec_include_dir}/perfspec/*.hpp")
    list(FILTER headers INCLUDE REGEX "/include/perfspec/${which}")
    list(FILTER headers EXCLUDE REGEX "-inl\\.hpp$")
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
