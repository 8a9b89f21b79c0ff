// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/granted_devices.hpp>

#include <perfspec/quantity/text.hpp>

#include <cstddef>
#include <string_view>

namespace perfspec::detail {

std::optional<std::string> granted_devices(const environment& variables) {
    std::string devices;
    for (std::size_t group = 0;; ++group) {
        const std::string name = "CTEST_RESOURCE_GROUP_" + std::to_string(group);
        if (!variables.get(name)) break;
        const std::string grants = variables.get(name + "_GPUS").value_or("");  // "id:2,slots:1;id:3,slots:1"
        std::string_view rest = grants;
        while (!rest.empty()) {
            std::string_view grant = take_until(rest, ';');
            const std::string_view id = take_until(grant, ',');
            constexpr std::string_view mark = "id:";
            if (id.starts_with(mark)) devices += (devices.empty() ? "" : ",") + std::string(id.substr(mark.size()));
        }
    }
    if (devices.empty()) return std::nullopt;
    return devices;
}

}  // namespace perfspec::detail
