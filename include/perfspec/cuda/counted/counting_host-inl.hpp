// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counting_host.hpp>
#include <perfspec/measure/failure.hpp>

namespace perfspec::detail {

/// What to do about an error of CUPTI, and who can.
inline std::string remedy_of(int error) {
    if (error == cupti_no_privileges || error == cupti_no_privileges_on_virtual_device)
        return ": the driver lets only administrators count the work of a GPU (ERR_NVGPUCTRPERM). An administrator of the machine lets all users, by the option "
               "NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia; a container needs CAP_SYS_ADMIN";
    if (error == cupti_hardware_busy) return ": another profiler counts there, such as Nsight Compute or DCGM; end it";
    return {};
}

void require_success(const counting_library& cupti, int error, const char* doing) {
    if (error == 0) return;
    throw measurement_failure(failure_kind::not_countable,
                              std::string("CUPTI ") + doing + ": " + name_of_error(cupti, error) + remedy_of(error));
}

counting_host::counting_host(const counting_library& cupti, const std::string& chip) : cupti_(cupti) {
    cupti_host_begin asked{.chip = chip.c_str()};
    require_success(cupti_, cupti_.host_begin(&asked), ("does not know the chip " + chip).c_str());
    host_ = asked.host;
}

counting_host::~counting_host() {
    cupti_host_end asked{.host = host_};
    static_cast<void>(cupti_.host_end(&asked));
}

std::set<std::string> counting_host::names() const {
    cupti_host_names asked{.host = host_};
    require_success(cupti_, cupti_.host_names(&asked), "does not say what the chip counts");
    return {asked.names, asked.names + asked.count};
}

std::vector<std::uint8_t> counting_host::config(std::vector<const char*> numbers) const {
    cupti_host_add added{.host = host_, .names = numbers.data(), .count = numbers.size()};
    require_success(cupti_, cupti_.host_add(&added), "does not count what was asked of it");
    cupti_host_size sized{.host = host_};
    require_success(cupti_, cupti_.host_size(&sized), "does not count what was asked of it");
    std::vector<std::uint8_t> config(sized.size);
    cupti_host_config made{.host = host_, .size = config.size(), .config = config.data()};
    require_success(cupti_, cupti_.host_config(&made), "does not count what was asked of it");
    return config;
}

std::size_t counting_host::passes(std::vector<std::uint8_t> config) const {
    cupti_host_passes asked{.size = config.size(), .config = config.data()};
    require_success(cupti_, cupti_.host_passes(&asked), "does not say how many runs a count takes");
    return asked.passes;
}

std::vector<double> counting_host::values(const std::vector<std::uint8_t>& data,
                                          std::vector<const char*> numbers) const {
    std::vector<double> values(numbers.size(), -1.0);  // what is not told stays no count
    cupti_host_values asked{.host = host_,
                            .data = data.data(),
                            .size = data.size(),
                            .names = numbers.data(),
                            .count = numbers.size(),
                            .values = values.data()};
    require_success(cupti_, cupti_.host_values(&asked), "does not tell what was counted");
    return values;
}

}  // namespace perfspec::detail
