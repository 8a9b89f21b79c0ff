// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "doctor.hpp"

#include "command_line.hpp"

#include <perfspec/doctor/doctor.hpp>
#include <perfspec/process/granted_gpus.hpp>
#include <perfspec/quantity/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace perfspec::tool {

std::string ctest_resources(gpu_machine& gpus) {
    const gpu_count there = gpus.count();
    if (there.gpus == 0)
        throw input_error(fmt::format("no GPU can be used ({}), so there is nothing to grant, expected one; without a resource file ctest "
                                      "runs every test with the GPUs that it finds",
                                      there.fault));
    std::string list;
    for (int ordinal = 0; ordinal < there.gpus; ++ordinal) {
        const gpu_identity& gpu = gpus.of_cuda(ordinal);
        const std::string id = gpu.facts.uuid.empty() ? std::to_string(ordinal) : detail::resource_id_of(gpu.facts.uuid);
        list += fmt::format("{}{{\"id\": \"{}\", \"slots\": 1}}", list.empty() ? "" : ", ", id);
    }
    return fmt::format("{{\"version\": {{\"major\": 1, \"minor\": 0}}, \"local\": [{{\"gpus\": [{}]}}]}}\n", list);
}

void add_doctor(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("doctor", "Shows what affects measurements on the GPUs of this machine.");
    const auto file = std::make_shared<std::string>();
    command
        ->add_option("--ctest-resources", *file,
                     "instead writes the resource file by which ctest gives each test a GPU of its own; - prints it")
        ->type_name("FILE");
    command->footer(
        R"(What the processors and the rest of the machine can judge, a test program measures itself: ./my_perf_tests --perf-doctor

Exit codes: 0; 4 there is no GPU to grant.

Examples:
  perfspec doctor
  perfspec doctor --ctest-resources gpus.json && ctest --test-dir build --resource-spec-file "$PWD/gpus.json")");
    command->callback([file, &context] {
        if (context.around.gpus == nullptr) throw input_error("nobody can be asked for GPUs here");
        gpu_machine& gpus = *context.around.gpus;
        if (file->empty()) context.done.text = "perfspec doctor\n" + render_gpus(examine_gpus(gpus));
        else if (*file == "-") context.done.text = ctest_resources(gpus);
        else write_file(context.around, *file, ctest_resources(gpus));
    });
}

}  // namespace perfspec::tool
