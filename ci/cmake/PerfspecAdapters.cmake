# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# The static libraries that hold bodies. They are compiled once a tree, with the flags of that tree: in perfspec's own, and after find_package in
# the consumer's, from the installed sources. So they are functions of the include folder, used by both.

# The core's bodies, in units that compile side by side. Internal: what links perfspec::catch2_main has them.
function(perfspec_add_implementation include_dir)
    if(TARGET perfspec_implementation)
        return()
    endif()
    add_library(perfspec_implementation STATIC EXCLUDE_FROM_ALL
        "${include_dir}/perfspec/implementation/measuring.cpp" "${include_dir}/perfspec/implementation/evidence.cpp"
        "${include_dir}/perfspec/implementation/reporting.cpp" "${include_dir}/perfspec/implementation/judging.cpp"
        "${include_dir}/perfspec/implementation/launching.cpp" "${include_dir}/perfspec/implementation/program.cpp")
    target_link_libraries(perfspec_implementation PUBLIC perfspec::core)
endfunction()

function(perfspec_add_catch2_main include_dir)
    if(TARGET perfspec_catch2_main)
        return()
    endif()
    perfspec_add_implementation("${include_dir}")
    # Two objects: what includes <perfspec/catch2.hpp> needs the host's, and takes main only where there is no other.
    add_library(perfspec_catch2_main STATIC EXCLUDE_FROM_ALL
        "${include_dir}/perfspec/catch2/catch2_host.cpp" "${include_dir}/perfspec/catch2/main.cpp")
    add_library(perfspec::catch2_main ALIAS perfspec_catch2_main)
    target_link_libraries(perfspec_catch2_main PUBLIC perfspec::catch2 perfspec_implementation)
endfunction()

function(perfspec_add_explain include_dir)
    if(TARGET perfspec_explain)
        return()
    endif()
    add_library(perfspec_explain STATIC EXCLUDE_FROM_ALL "${include_dir}/perfspec/explain/explain.cpp")
    add_library(perfspec::explain ALIAS perfspec_explain)
    target_link_libraries(perfspec_explain PUBLIC perfspec::core)
endfunction()

function(perfspec_add_libtorch include_dir)
    if(TARGET perfspec_libtorch)
        return()
    endif()
    add_library(perfspec_libtorch STATIC EXCLUDE_FROM_ALL "${include_dir}/perfspec/libtorch/libtorch.cpp")
    add_library(perfspec::libtorch ALIAS perfspec_libtorch)
    perfspec_add_explain("${include_dir}")
    target_link_libraries(perfspec_libtorch PUBLIC perfspec::explain perfspec::core torch)
endfunction()

function(perfspec_add_cuda include_dir)
    if(TARGET perfspec_cuda)
        return()
    endif()
    add_library(perfspec_cuda STATIC EXCLUDE_FROM_ALL "${include_dir}/perfspec/cuda/cuda.cpp")
    add_library(perfspec::cuda ALIAS perfspec_cuda)
    target_link_libraries(perfspec_cuda PUBLIC perfspec::core CUDA::cudart)
endfunction()
