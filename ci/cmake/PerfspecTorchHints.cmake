# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Sets perfspec_torch_hints, the places where perfspec's own build looks for LibTorch besides CMAKE_PREFIX_PATH: the folder that the environment
# variable PERFSPEC_TORCH_ROOT names (a LibTorch, or a Python prefix with torch in it), else the virtual environment that ci/setup makes.
set(perfspec_torch_root "$ENV{PERFSPEC_TORCH_ROOT}")
if(perfspec_torch_root STREQUAL "OFF")
    set(perfspec_torch_root "")
elseif(perfspec_torch_root STREQUAL "")
    set(perfspec_torch_root "$ENV{XDG_CACHE_HOME}")
    if(perfspec_torch_root STREQUAL "")
        set(perfspec_torch_root "$ENV{HOME}/.cache")
    endif()
    file(READ "${CMAKE_CURRENT_LIST_DIR}/../torch-version" perfspec_torch_version)
    string(STRIP "${perfspec_torch_version}" perfspec_torch_version)
    string(APPEND perfspec_torch_root "/perfspec/torch-${perfspec_torch_version}")
endif()

set(perfspec_torch_hints "")
if(perfspec_torch_root)
    file(GLOB perfspec_torch_packages LIST_DIRECTORIES true "${perfspec_torch_root}/lib/python3*/site-packages/torch")
    set(perfspec_torch_hints "${perfspec_torch_root}" ${perfspec_torch_packages})
    # The Python that exports AOTInductor packages must be the one whose LibTorch the tests load.
    if(perfspec_torch_packages AND NOT DEFINED PERFSPEC_TORCH_PYTHON AND EXISTS "${perfspec_torch_root}/bin/python3")
        set(PERFSPEC_TORCH_PYTHON "${perfspec_torch_root}/bin/python3" CACHE FILEPATH "Python with torch, for exporting models")
    endif()
endif()
