// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// A worker in Python between two requests.
#include <perfspec/measure/sample.hpp>
#include <perfspec/python/worker_subjects.hpp>

#include <support/test.hpp>

#include <sys/wait.h>

using namespace perfspec;

namespace {

python_subjects subjects_under(const char* policy) {
    return python_subjects("faults/faulty.py", {.environment = {{"OMP_WAIT_POLICY", policy}}});
}

/// The next child that stops; none with WNOHANG if none has stopped.
pid_t stopped_child(int wait) {
    siginfo_t news{};
    REQUIRE(::waitid(P_ALL, 0, &news, WSTOPPED | wait) == 0);
    return news.si_pid;
}

}  // namespace

TEST_CASE("a worker is stopped between requests unless its idle threads sleep", "[python][unit]") {
    if (std::system("python3 -c '' 2>/dev/null") != 0) SKIP("there is no python3 in PATH");
    const python_subjects sleeping = subjects_under("PASSIVE");
    run_untimed(sleeping("fine"), 1);
    CHECK(stopped_child(WNOHANG) == 0);

    const python_subjects spinning = subjects_under("active");
    for (int i = 0; i < 2; ++i) {
        run_untimed(spinning("fine"), 1);
        CHECK(stopped_child(0) > 0);
    }
}
