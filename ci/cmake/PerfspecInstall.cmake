# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Installs headers and bodies, the compiled libraries of the core and of the host for Catch2, package files, and the tool if it is built. Adapters are built in
# the consumer's tree: they have to fit what it links, and most consumers need none.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(perfspec_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/perfspec")

set_target_properties(perfspec_perfspec perfspec_catch2_main PROPERTIES EXCLUDE_FROM_ALL OFF)
install(TARGETS perfspec_headers perfspec_core perfspec_catch2 EXPORT perfspecTargets)
install(EXPORT perfspecTargets NAMESPACE perfspec:: DESTINATION "${perfspec_package_dir}")
install(TARGETS perfspec_perfspec perfspec_catch2_main EXPORT perfspecLibraries ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT perfspecLibraries NAMESPACE perfspec:: DESTINATION "${perfspec_package_dir}")
install(DIRECTORY include/perfspec DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp" PATTERN "*.py" PATTERN "*.md" PATTERN "*.json")

configure_package_config_file(ci/cmake/perfspecConfig.cmake.in perfspecConfig.cmake
    INSTALL_DESTINATION "${perfspec_package_dir}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(perfspecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/perfspecConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/perfspecConfigVersion.cmake"
    ci/cmake/PerfspecAdapters.cmake
    ci/cmake/PerfspecExportModel.cmake
    ci/cmake/PerfspecDiscoverTests.cmake
    ci/cmake/PerfspecWriteFile.cmake
    DESTINATION "${perfspec_package_dir}")
if(perfspec_with_tool)
    install(TARGETS perfspec_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
