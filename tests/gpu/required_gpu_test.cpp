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

TEST_CASE("a subject whose device is missing is not judged, and invalid where the run has to have one",
          "[cuda][unit]") {
    subject there("there", [] {});
    note_missing_device(there, "", true);
    CHECK(there.state().invalid_reason.empty());
    CHECK(there.state().not_judged_reason.empty());
    subject optional("optional", [] {});
    note_missing_device(optional, "there is no device cuda", false);
    CHECK(optional.state().invalid_reason.empty());
    CHECK(optional.state().not_judged_reason == "there is no device cuda");
    subject required("required", [] {});
    note_missing_device(required, "there is no device cuda", true);
    CHECK(required.state().invalid_reason == "there is no device cuda; PERFSPEC_REQUIRE_GPU asks for one");
    CHECK(required.state().not_judged_reason.empty());
}

}  // namespace perfspec::detail
