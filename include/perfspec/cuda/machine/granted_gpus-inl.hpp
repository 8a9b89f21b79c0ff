// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/granted_gpus.hpp>

#include <perfspec/process/in_child.hpp>
#include <perfspec/process/program_start.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace perfspec::detail {

/// The names of all groups: "id:2,slots:1;id:3,slots:1" has 2 and 3.
[[nodiscard]] inline std::vector<std::string> granted_ids(const environment& variables) {
    std::vector<std::string> ids;
    for (std::size_t group = 0;; ++group) {
        const std::string name = "CTEST_RESOURCE_GROUP_" + std::to_string(group);
        if (!variables.get(name)) return ids;
        const std::string grants = variables.get(name + "_GPUS").value_or("");
        std::string_view rest = grants;
        while (!rest.empty()) {
            std::string_view grant = take_until(rest, ';');
            const std::string_view id = take_until(grant, ',');
            constexpr std::string_view mark = "id:";
            if (id.starts_with(mark)) ids.emplace_back(id.substr(mark.size()));
        }
    }
}

std::string resource_id_of(const std::string& uuid) {
    std::string id;
    for (const char c : uuid) id += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return id;
}

/// The unique name that `resource_id_of` made this of; nothing where it made none.
[[nodiscard]] inline std::optional<std::string> uuid_of_resource(const std::string& id) {
    std::string uuid = id;
    if (!id.starts_with("gpu_") && !id.starts_with("mig_")) return {};
    std::ranges::transform(uuid.begin(), uuid.begin() + 3, uuid.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::ranges::replace(uuid, '_', '-');
    return uuid;
}

/// What CUDA_VISIBLE_DEVICES shows under this number: the number itself where the variable hides nothing.
[[nodiscard]] inline std::optional<std::string> visible_under(std::size_t number,
                                                              const std::optional<std::string>& shown) {
    if (!shown) return std::to_string(number);
    std::string_view rest = *shown;
    for (std::size_t i = 0; !rest.empty(); ++i) {
        const std::string_view each = take_until(rest, ',');
        if (i == number) return std::string(each);
    }
    return {};
}

[[nodiscard]] inline std::string fault_of_grant(const std::string& id, const std::optional<std::string>& shown) {
    return "ctest granted the GPU \"" + id + "\", which " +
           (shown ? "CUDA_VISIBLE_DEVICES=" + *shown + " does not show" : std::string("names no GPU")) +
           ": write the resource file where the tests run, with  perfspec doctor --ctest-resources gpus.json";
}

granted_gpus read_granted_gpus(const environment& variables) {
    granted_gpus granted{.ids = granted_ids(variables), .visible = {}, .fault = {}};
    const std::optional<std::string> shown = variables.get("CUDA_VISIBLE_DEVICES");
    for (const std::string& id : granted.ids) {
        std::optional<std::string> device = uuid_of_resource(id);
        std::size_t number{};
        const auto end = std::from_chars(id.data(), id.data() + id.size(), number);
        if (!device && !id.empty() && end.ec == std::errc{} && end.ptr == id.data() + id.size())
            device = visible_under(number, shown);
        if (!device) granted.fault = fault_of_grant(id, shown);
        granted.visible += (granted.visible.empty() ? "" : ",") + device.value_or("");
    }
    return granted;
}

granted_gpus grant_of_this_process() {
    if (in_child()) return {};
    granted_gpus granted = read_granted_gpus(program_start_environment());
    if (!granted.ids.empty()) set_at_program_start("CUDA_VISIBLE_DEVICES", granted.visible);
    return granted;
}

}  // namespace perfspec::detail
