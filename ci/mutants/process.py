# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in processes."""
from .mutant import Mutant

MUTANTS = [
    # another build
    Mutant("any_suite_will_do", "process/workers/worker-inl.hpp", "another program passes for another build of this one",
           "if (own.name.empty() || theirs == own.name) return;", "if (own.name.empty() || theirs == theirs) return;"),
    # run
    Mutant("foreign_key_accepted", "process/workers/worker-inl.hpp", "a worker's numbers count for a claim that it does not stand at",
           "if (reply.key != key)", "if (reply.key.empty())"),
    Mutant("failed_reference_is_new", "process/workers/worker-inl.hpp", "a build that failed before the claim counts as one without it",
           "if (!end.is_good()) channel_.fail(", "if (!end.is_good() && false) channel_.fail("),
    Mutant("worker_outlives_its_owner", "process/posix_launcher-inl.hpp", "a running child is left alone when its object goes",
           "if (!end_) finish(true);\n    }\n\n    void send", "child_.release();\n    }\n\n    void send"),
    Mutant("foreign_line_accepted", "process/child-inl.hpp", "what code under test writes to the pipe of answers passes for one",
           "if (!pending.starts_with('{') || (end", "if ((end"),
    # processes and the lock of the machine
    Mutant("request_handed_on", "process/child-inl.hpp", "programs that code under test starts believe that they are children",
           '{"PERFSPEC_CHILD", "PERFSPEC_PARENT"}', '{"PERFSPEC_PARENT"}'),
]
