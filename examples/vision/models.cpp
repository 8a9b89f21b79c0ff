// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "models.hpp"

#include "alexnet.hpp"
#include "densenet121.hpp"
#include "googlenet.hpp"
#include "mobilenet_v2.hpp"
#include "resnet50.hpp"
#include "squeezenet1_1.hpp"

#include <stdexcept>

namespace vision {

std::span<const named_model> all_models() {
    static constexpr named_model all[] = {
        {"alexnet", alexnet},     {"resnet50", resnet50},           {"mobilenet_v2", mobilenet_v2},
        {"googlenet", googlenet}, {"squeezenet1_1", squeezenet1_1}, {"densenet121", densenet121}};
    return all;
}

network_ptr make_model(std::string_view name, std::uint64_t seed) {
    std::string names;
    for (const named_model& each : all_models()) {
        if (each.name == name) return each.make(seed);
        names += (names.empty() ? "" : ", ") + std::string{each.name};
    }
    throw std::invalid_argument{"there is no model \"" + std::string{name} + "\", there are " + names};
}

}  // namespace vision
