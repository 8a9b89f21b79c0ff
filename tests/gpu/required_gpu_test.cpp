// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <catch2/catch_test_macros.hpp>

namespace perfspec::detail {

TEST_CASE("a run has to have a GPU where the variable says so", "[cuda][unit]") {
    CHECK(requires_gpu("1"));
    CHECK(requires_gpu("yes"));
    CHECK_FALSE(requires_gpu("0"));
    CHECK_FALSE(requires_gpu(""));
    CHECK_FALSE(requires_gpu(nullptr));
}

TEST_CASE("a subject whose device is missing is skipped, and error where the run has to have one", "[cuda][unit]") {
    subject there("there", [] {});
    note_missing_device(there, "", true);
    CHECK(there.state().error_reason.empty());
    CHECK(there.state().skip_reason.empty());
    subject optional("optional", [] {});
    note_missing_device(optional, "there is no device cuda", false);
    CHECK(optional.state().error_reason.empty());
    CHECK(optional.state().skip_reason == "there is no device cuda");
    subject required("required", [] {});
    note_missing_device(required, "there is no device cuda", true);
    CHECK(required.state().error_reason == "there is no device cuda; PERFSPEC_REQUIRE_GPU requires one");
    CHECK(required.state().skip_reason.empty());
}

}  // namespace perfspec::detail
