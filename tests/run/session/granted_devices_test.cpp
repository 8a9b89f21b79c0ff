// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/session/granted_devices.hpp>

#include <support/scripted_environment.hpp>

#include <catch2/catch_test_macros.hpp>

namespace perfspec {

using testing::scripted_environment;

TEST_CASE("granted_devices names the GPUs of all groups that ctest granted", "[run][unit]") {
    CHECK(detail::granted_devices(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                                       {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                                       {"CTEST_RESOURCE_GROUP_0_GPUS", "id:2,slots:1"}}) == "2");
    CHECK(detail::granted_devices(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "2"},
                                                       {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                                       {"CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1;id:3,slots:2"},
                                                       {"CTEST_RESOURCE_GROUP_1", "cores,gpus"},
                                                       {"CTEST_RESOURCE_GROUP_1_CORES", "id:9,slots:1"},
                                                       {"CTEST_RESOURCE_GROUP_1_GPUS", "id:5,slots:1"}}) == "0,3,5");
}

TEST_CASE("granted_devices has none where ctest granted no GPU", "[run][unit]") {
    CHECK_FALSE(detail::granted_devices(scripted_environment{}));
    CHECK_FALSE(detail::granted_devices(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "0"}}));
    CHECK_FALSE(detail::granted_devices(scripted_environment{
        {"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0", "cores"}, {"CTEST_RESOURCE_GROUP_0_CORES", "id:9,slots:1"}}));
    CHECK_FALSE(
        detail::granted_devices(scripted_environment{{"CTEST_RESOURCE_GROUP_0", "gpus"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "slots:1"}}));
}

}  // namespace perfspec
