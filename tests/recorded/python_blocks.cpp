// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Blocks of README.md and of include/perfspec/python/README.md on subjects in Python (blocks.cmake).
#include "python_1.inc"

TEST_CASE("the first page's subjects in Python compile") {
#include "readme_4.inc"
}
