// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/gpu/gpu_machine.hpp>

#include <support/scripted_environment.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using testing::scripted_environment;
using strings = std::vector<std::string>;

granted_gpus granted(const std::string& gpus) {
    return detail::read_granted_gpus(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                                          {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                                          {"CTEST_RESOURCE_GROUP_0_GPUS", gpus}});
}

granted_gpus granted_among(const std::string& shown, const std::string& gpus) {
    return detail::read_granted_gpus(scripted_environment{{"CUDA_VISIBLE_DEVICES", shown},
                                                          {"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                                          {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                                          {"CTEST_RESOURCE_GROUP_0_GPUS", gpus}});
}

}  // namespace

TEST_CASE("the GPUs of all groups that ctest granted are shown to the test", "[cuda][unit]") {
    CHECK(granted("id:2,slots:1") == granted_gpus{.ids = {"2"}, .visible = "2"});
    CHECK(detail::read_granted_gpus(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "2"},
                                                         {"CTEST_RESOURCE_GROUP_0", "gpus"},
                                                         {"CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1;id:3,slots:2"},
                                                         {"CTEST_RESOURCE_GROUP_1", "cores,gpus"},
                                                         {"CTEST_RESOURCE_GROUP_1_CORES", "id:9,slots:1"},
                                                         {"CTEST_RESOURCE_GROUP_1_GPUS", "id:5,slots:1"}}) ==
          granted_gpus{.ids = {"0", "3", "5"}, .visible = "0,3,5"});
}

TEST_CASE("a test that ctest granted no GPU sees what it would see without ctest", "[cuda][unit]") {
    CHECK(detail::read_granted_gpus(scripted_environment{}) == granted_gpus{});
    CHECK(detail::read_granted_gpus(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "0"}}) == granted_gpus{});
    CHECK(detail::read_granted_gpus(scripted_environment{{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                                                         {"CTEST_RESOURCE_GROUP_0", "cores"},
                                                         {"CTEST_RESOURCE_GROUP_0_CORES", "id:9,slots:1"}}) ==
          granted_gpus{});
    CHECK(granted("slots:1") == granted_gpus{});
}

TEST_CASE("a GPU may be granted by its unique name, which no order of GPUs changes", "[cuda][unit]") {
    const std::string uuid =
        GENERATE("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "MIG-8932f937-d72c-4106-c12f-20bd9faed9f6");
    const std::string id = detail::resource_id_of(uuid);
    CHECK(id.substr(3) == "_8932f937_d72c_4106_c12f_20bd9faed9f6");
    CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == id.npos);  // all that ctest allows
    CHECK(granted("id:" + id + ",slots:1").visible == uuid);
    CHECK(granted_among("0", "id:" + id + ",slots:1").visible == uuid);
}

TEST_CASE("a number is no name if CUDA_VISIBLE_DEVICES renumbers GPUs", "[cuda][unit]") {
    CHECK_RECORDED(granted_among("2,3", "id:0,slots:1").fault);
    CHECK_FALSE(granted_among("", "id:0,slots:1").fault.empty());
}

TEST_CASE("a name that means no GPU is a fault", "[cuda][unit]") {
    const std::string name = GENERATE("card", "1a", "");
    CHECK(granted("id:" + name + ",slots:1")
              .fault.starts_with("ctest granted the GPU \"" + name + "\", but no GPU has that name. Write the"));
}

}  // namespace perfspec
