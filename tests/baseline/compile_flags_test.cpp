// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>

namespace perfspec::detail {

TEST_CASE("significant_flags keeps what changes the code", "[baseline][unit]") {
    struct row {
        compile_options given;
        std::string flags;
    };
    const auto r = GENERATE(values<row>({
        {{}, ""},
        {{.flags = "-O2 -g -DNDEBUG"}, "-O2 -DNDEBUG"},
        {{.flags = " -Wall -pipe -std=c++20 -I/usr/include "}, ""},
        {{.flags = "-O2", .options = "-Wall;-O3;-march=x86-64-v2;-march=native"}, "-O3 -march=native"},
        {{.options = "-ffast-math;-fno-fast-math;-mavx2;-mno-avx2"}, "-fno-fast-math -mno-avx2"},
        {{.options = "SHELL:-mtune=generic -funroll-loops;-fdiagnostics-color=always;-fmessage-length=0"},
         "-funroll-loops -mtune=generic"},
        {{.options = "-ffile-prefix-map=/opt/x=."}, ""},
        {{.flags = "-O2", .link_time = true}, "-O2 -flto"},
        {{.flags = "-flto=auto", .link_time = true}, "-flto"},
        {{.definitions = "ZETA;-DALPHA=1;ALPHA=1;PERFSPEC_COMMIT=\"3f2c1ab\""}, "-DALPHA=1 -DZETA"},
        {{.definitions = "DATA=\"/opt/x/data\""}, "-DDATA=…"},
        {{.flags = "-DTEXT=\\\"a\\ b\\\" '-DOTHER=c d'", .definitions = "NAME=\"e (f)\""},
         "-DNAME=\"e (f)\" -DOTHER=c d -DTEXT=\"a b\""},
    }));
    CAPTURE(r.given.flags, r.given.options, r.given.definitions);
    CHECK(significant_flags(r.given) == r.flags);
}

}  // namespace perfspec::detail
