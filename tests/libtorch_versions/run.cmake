# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Builds and runs the program of project/ with the LibTorch in LIBTORCH. Prints "skipped: …" if that is not installed.
if(NOT EXISTS "${LIBTORCH}/version")
    message("skipped: ${LIBTORCH} is not installed; install it:  ci/setup --torch-versions")
    return()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${PROJECT}" -B "${BINARY}" -G "${GENERATOR}" -D CMAKE_BUILD_TYPE=Release
    -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -D "LIBTORCH=${LIBTORCH}" -D "PERFSPEC_SOURCE=${PERFSPEC_SOURCE}"
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" --target program COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E env OMP_WAIT_POLICY=passive "${BINARY}/program" ${PACKAGE} COMMAND_ERROR_IS_FATAL ANY)
