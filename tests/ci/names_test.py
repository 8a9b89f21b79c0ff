# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/lint.d/names reads declarations, and reports every name that is removed from the pages."""
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PROJECT = pathlib.Path(__file__).resolve().parents[2]
NAMES = PROJECT / "ci/lint.d/names"
loader = importlib.machinery.SourceFileLoader("names", str(NAMES))
names = importlib.util.module_from_spec(importlib.util.spec_from_loader("names", loader))
loader.exec_module(names)

HEADER = """
#define PERF_THING(...) 1
#define PERFSPEC_DETAIL_THING 2
namespace std { void not_ours(); }
namespace perfspec {
class forward;
namespace detail { void hidden(); }
template <class T> requires(sizeof(T) > 1) struct box {
    T first{1};  // not_this
    std::pair<int, T> second = {}, third = {};
    [[nodiscard("perfspec: not_this_either()")]] int count() const { int local = 2; return local; }
    void (*call)(void* self){};
    [[nodiscard]] int of_the_base() const noexcept override { return 0; }
private:
    int secret_;
};
template <> struct box<char> { int special; };
class guarded {
    int inside_;
public:
    guarded(int n) : inside_(n) {}
    ~guarded();
    friend bool operator==(const guarded&, const guarded&) = default;
    void open();
};
inline namespace language {
enum class color : unsigned char { red, green = 2 };
inline constexpr color favorite = color::red;
inline constexpr struct tag_type {} tag{};
template <class F> requires detail::is<F> int run(F&& f, int (&list)[3]);
}
}
"""


class Reading(unittest.TestCase):
    def test_a_header(self):
        found = names.Declarations(HEADER).names
        self.assertEqual({(n, o) for n, o in found}, {
            ("PERF_THING", None), ("box", None), ("first", "box"), ("second", "box"), ("third", "box"), ("count", "box"), ("call", "box"), ("guarded", None), ("open", "guarded"),
            ("color", None), ("red", "color"), ("green", "color"), ("favorite", None), ("tag_type", None), ("tag", None), ("run", None)})

    def test_code_of_a_page(self):
        code = names.code_of("word `latency(x)` other\n```cpp\nspeedup(a, b)\n```\n")
        for name, written in [("latency", True), ("late", False), ("speedup", True), ("word", False), ("other", False)]:
            self.assertEqual(names.is_written(name, code), written, name)


class Listing(unittest.TestCase):
    def test_a_name_in_several_spellings_counts_once(self):
        table = "include/perfspec/plan/option_table-inl.hpp"
        rows = [("false_pass", None, "options.hpp"), ("KiB", None, "quantity.hpp"), ("_KiB", None, "quantity.hpp"), ("PERF_CHECK", None, "macros.hpp"),
                ("PERFSPEC_CHECK", None, "macros.hpp"), ("false_pass(", None, table), ("--perf-false-pass", None, table), ("PERFSPEC_FALSE_PASS", None, table),
                ("--perf-mode", None, table), ("PERFSPEC_MODE", None, "plan-inl.hpp"), ("PERFSPEC_RUN_ID", None, "plan-inl.hpp"),
                ("PERFSPEC_RUN_ID", None, "system_access-inl.hpp"), ("bytes", None, "queries.hpp"), ("bytes", "subject", "subject.hpp")]
        listed = names.each_once([(*row, []) for row in rows])
        self.assertEqual([(name, owner) for name, owner, *_ in listed],
                         [("false_pass", None), ("KiB", None), ("PERF_CHECK", None), ("--perf-mode", None), ("PERFSPEC_RUN_ID", None), ("bytes", None), ("bytes", "subject")])


class Missing(unittest.TestCase):
    def setUp(self):
        self.names = names.names_of(PROJECT)
        self.pages = {page: (PROJECT / page).read_text() for page in names.BUILD_PAGES}

    def test_each_removed_name_is_missed(self):
        self.assertGreater(len(self.names), 300)
        for row in self.names:
            word = re.compile(r"(?<![\w-])" + re.escape(row[0]) if row[0][0].isalnum() else re.escape(row[0]))
            without = {page: word.sub("gone", text) for page, text in self.pages.items() if page in row[3]}
            self.assertNotEqual(names.missing([row], without), [], row)


class Program(unittest.TestCase):
    def run_without(self, page, name):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            for part in ("include", "ci/cmake"):
                shutil.copytree(PROJECT / part, copy / part)
            for part in ["CMakeLists.txt", "tests/run/queries_program.cpp", *names.BUILD_PAGES]:
                (copy / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / part, copy / part)
            (copy / page).write_text((copy / page).read_text().replace(name, "gone"))
            return subprocess.run([sys.executable, str(NAMES), folder], capture_output=True, text=True, check=False)

    def test_it_fails_by_name(self):
        ended = self.run_without("include/perfspec/README.md", "first_call")
        self.assertEqual((ended.returncode, ended.stdout), (
            1, "include/perfspec/language/queries.hpp: first_call: not in include/perfspec/README.md: write it there as code, with an example\n"))

    def test_it_fails_for_a_query_without_a_row(self):
        ended = self.run_without("tests/run/queries_program.cpp", "load_time(")
        self.assertEqual((ended.returncode, ended.stdout),
                         (1, "tests/run/queries_program.cpp: load_time: has no claim that passes and one that fails\n"))


if __name__ == "__main__":
    unittest.main()
