// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Claims on faulty subjects of Python files. Prints a line for each: verdict, failure, reason.
//
//   perfspec_faults_program                 all of faulty.py, and the files that cannot be read
//   perfspec_faults_program FILE SUBJECT    one
#include <perfspec/perfspec.hpp>
#include <perfspec/python.hpp>

#include <perfspec/report/claim_result.hpp>

#include <cstdio>
#include <string>
#include <thread>

namespace {

void show(const std::string& file, const std::string& name) {
    // Slow subjects get time for a busy machine; those that hang get less.
    const perfspec::python_subjects py("faults/" + file, {.patience = std::chrono::seconds(name == "hangs" ? 3 : 30)});
    const perfspec::subject x = py(name);
    const perfspec::evaluation found =
        perfspec::evaluate(latency(x) < std::chrono::hours(1), perfspec::budget(std::chrono::milliseconds(1500)));
    const auto failure = perfspec::detail::record_of(found).failure;
    std::printf("%s %s: %s, %s: %s\n", file.c_str(), name.c_str(), to_string(found.verdict),
                failure ? perfspec::to_string(*failure) : "none", found.reason.c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    if (count == 3) {
        show(words[1], words[2]);
        return 0;
    }
    std::thread([] { show("faulty.py", "fine"); }).join();  // its worker lives on
    for (const char* const name : {"fine", "dies", "crashes", "hangs", "leaves", "raises", "lacks_memory",
                                   "cannot_be_built", "built_from_nothing", "forks", "prints", "answers_by_itself",
                                   "promises", "generates", "computes_nothing", "unknown"})
        show("faulty.py", name);
    for (const char* const file :
         {"not_python.py", "without_subjects.py", "lacks_a_module.py", "not_there.py", "starts_slowly.py"})
        show(file, "eager");
}
