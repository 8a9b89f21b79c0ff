#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The page of `perfspec report --html` in a real browser: headless Chromium, driven by Selenium.

usage: browser_test.py <perfspec, the tool> <folder for screenshots> <program that measures layers>

Exit code 77 and a reason if Chromium or Selenium is not installed. axe-core checks accessibility if ci/setup installed it.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

TOOL, SHOTS, LAYERS = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
HERE = pathlib.Path(__file__).resolve().parent
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
THEMES = ("light", "dark")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, for a Python that is not Debian's
try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait
except ImportError:
    skip("Selenium is not installed (apt-get install python3-selenium)")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    skip("Chromium is not installed (apt-get install chromium chromium-driver)")


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


def make_history(runs):
    """The page of a history of a few keys: one that is violated twice, one that is missing, and hostile names."""
    results, page = SHOTS / "history.jsonl", SHOTS / "history.html"
    page.unlink(missing_ok=True)
    subprocess.run([sys.executable, HERE / "sample_history.py", results, str(runs)], check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    subprocess.run([TOOL, "history", results, "--html", page], check=False, stdout=subprocess.DEVNULL)
    return page


def make_page(count):
    results, page = SHOTS / f"results_{count}.jsonl", SHOTS / f"report_{count}.html"
    page.unlink(missing_ok=True)
    subprocess.run([sys.executable, HERE / "sample_results.py", results, str(count)], check=True)
    subprocess.run([TOOL, "report", results, "--quiet", "--html", page], check=False, stdout=subprocess.DEVNULL)
    return page


def measure_layers():
    """The page of measured layers of a model and of its compiled variant, in two configurations. None if the program measures nothing."""
    results, page = SHOTS / "layers.jsonl", SHOTS / "layers.html"
    for file in (results, page):
        file.unlink(missing_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERFSPEC_")}
    done = subprocess.run([LAYERS], env={**kept, "PERFSPEC_OUTPUT": str(results)}, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode == 77:
        return None
    subprocess.run([TOOL, "report", results, "--quiet", "--html", page], check=True, stdout=subprocess.DEVNULL)
    return page


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SHOTS.mkdir(parents=True, exist_ok=True)
        cls.report = make_page(65)
        cls.history = make_history(40)
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, place="", size="desktop", theme="light", page=None):
        width, height = SIZES[size]
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        self.browser.get("about:blank")
        self.browser.get((page or self.report).as_uri() + place)

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def wait_for_heading(self, beginning):
        """Waits for a view whose heading begins so: a click returns before the page is drawn."""
        waiting = WebDriverWait(self.browser, 10, ignored_exceptions=[StaleElementReferenceException])
        waiting.until(lambda browser: browser.find_element(By.TAG_NAME, "h1").text.startswith(beginning))

    def rows(self):
        return self.browser.find_elements(By.CSS_SELECTOR, ".claims tbody tr")

    def number_of(self, text):
        """The number of the claim of a test, by the report's overview."""
        self.open()
        return self.browser.execute_script("return results.records.find((r) => r.view.test.includes(arguments[0])).view.number", text)

    def check_quiet(self):
        errors = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual(errors, [])
        self.assertIsNone(self.browser.execute_script("return window.broken ?? null"))

    def test_the_overview_has_every_claim_and_those_that_need_work_first(self):
        self.open()
        self.assertEqual(len(self.rows()), 65)
        self.assertTrue(self.rows()[0].text.startswith("violated"))
        self.assertIn("65 of 65 claims", self.text())
        self.check_quiet()

    def test_hostile_names_are_shown_as_they_are(self):
        self.open()
        self.assertIn("</script><script>window.broken = 1</script>", self.text())
        self.assertNotIn("\u202e", self.text())
        for row in range(6):
            self.open(f"#claim-{row + 1}")
            self.check_quiet()

    def test_a_filter_keeps_the_claims_with_its_words(self):
        self.open()
        field = self.browser.find_element(By.CSS_SELECTOR, "input[type=search]")
        field.send_keys("sort many")
        self.assertEqual(len(self.rows()), 9)
        field.send_keys(" violated")
        self.assertEqual(len(self.rows()), 0)

    def test_a_claim_is_reached_by_the_keyboard_alone_and_left_by_going_back(self):
        self.open()
        self.browser.find_element(By.CSS_SELECTOR, ".claims tbody a").send_keys(Keys.ENTER)
        self.assertIn("#claim-1", self.browser.current_url)
        self.wait_for_heading("violated")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "page")
        self.browser.back()
        WebDriverWait(self.browser, 10).until(lambda _: len(self.rows()) == 65)

    def test_a_violated_claim_has_its_processes_and_samples_drawn(self):
        self.open(f"#claim-{self.number_of('parse file 45')}")
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "canvas")), 3)
        self.check_drawn()
        self.assertIn("The baseline is", self.text())
        self.assertIn("All fields of this result", self.text())

    def test_a_model_has_a_curve_for_each_method_and_their_ratio(self):
        self.open(f"#claim-{self.number_of('layer by layer')}")
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "canvas")), 2)
        self.check_drawn()
        self.assertIn("layer40.conv", self.text())
        self.assertIn("Right of 1, a layer is faster (30 layers).", self.text())

    def scales(self):
        """The kind of both axes of each chart, by its title, and its curves."""
        return {name: rest for name, *rest in self.browser.execute_script(
            "return drawn.map((one) => [one.canvas.getAttribute('aria-label').split('.')[0], one.options.scales.x.type, one.options.scales.y.type,"
            " one.data.datasets.map((line) => line.label)])")}

    def test_a_sweep_has_a_curve_and_logarithmic_axes_where_values_span_decades(self):
        self.open()
        self.check_drawn()
        scales = self.scales()
        self.assertEqual(scales["sort many sizes: size"], ["logarithmic", "logarithmic", ["measured", "bound"]])
        self.assertEqual(scales["search to a depth: depth"], ["linear", "logarithmic", ["measured", "bound"]])

    def test_layers_have_a_curve_for_each_configuration_and_their_speedups_a_distribution(self):
        self.open()
        scales = self.scales()
        curves = [f"best_mixture(eager, inductor), dtype={dtype}, {method}" for dtype in ("float32", "bfloat16") for method in ("eager", "inductor")]
        self.assertEqual(scales["resnet50 layer by layer"], ["linear", "linear", curves])
        self.assertEqual(scales["Speedups of 80 layers"],
                         ["linear", "linear", [f"inductor over eager: resnet50 layer by layer, dtype={dtype}" for dtype in ("float32", "bfloat16")]])
        self.assertIn("Right of 1, a layer is faster (60 layers).", self.text())
        drawn = self.browser.execute_script("return drawn.find((one) => one.canvas.getAttribute('aria-label').startsWith('Speedups')).data.datasets[0].data")
        self.assertEqual(len(drawn), 40)
        self.assertEqual([round(drawn[at]["x"], 6) for at in (0, 9, 10, 39)], [round(1 / 1.5, 6)] * 2 + [2, 2])
        self.assertEqual((drawn[0]["y"], drawn[-1]["y"]), (0, 1))

    def test_layers_that_a_program_measured_are_drawn(self):
        page = measure_layers()
        if page is None:
            self.skipTest("nothing is measured in this build")
        self.open(page=page)
        self.check_drawn()
        of = "best_mixture(eager, compiled)"
        self.assertEqual({name: curves for name, (*_, curves) in self.scales().items()},
                         {"layers of a model": [f"{of}, batch={batch}, {method}" for batch in (1, 8) for method in ("eager", "compiled")],
                          "Speedups of 12 layers": [f"compiled over eager: layers of a model, batch={batch}" for batch in (1, 8)]})
        points = self.browser.execute_script("return drawn.map((one) => one.data.datasets.map((line) => line.data.length))")
        self.assertEqual(points, [[6, 6, 6, 6], [6, 6]])
        self.browser.save_screenshot(str(SHOTS / "measured_layers.png"))

    def check_drawn(self):
        colors = """return [...document.querySelectorAll("canvas")].map((canvas) => {
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size; })"""
        for count in self.browser.execute_script(colors):
            self.assertGreater(count, 20)
        self.check_quiet()

    def test_a_history_has_every_key_and_draws_its_course(self):
        self.open(page=self.history)
        self.assertEqual([row.text.split()[0] for row in self.rows()[:3]], ["violated", "missing", "steady"])
        self.browser.find_elements(By.CSS_SELECTOR, ".claims tbody a")[1].send_keys(Keys.ENTER)
        self.wait_for_heading("missing")
        self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "canvas")), 1)
        self.check_drawn()

    def places(self):
        """Every kind of view: its name, its page and its address."""
        claim, layers = (self.number_of(test) for test in ("parse file 45", "layer by layer"))
        return [("overview", self.report, ""), ("claim", self.report, f"#claim-{claim}"), ("layers", self.report, f"#claim-{layers}"),
                ("hostile", self.report, "#claim-1"), ("history", self.history, ""), ("key", self.history, "#key-2")]

    def test_nothing_is_wider_than_the_screen(self):
        for size in SIZES:
            for name, page, place in self.places():
                with self.subTest(size=size, view=name):
                    self.open(place, size, page=page)
                    self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), SIZES[size][0])

    def test_screenshots_of_both_themes_and_sizes(self):
        for size in SIZES:
            for theme in THEMES:
                for name, page, place in self.places():
                    self.open(place, size, theme, page)
                    shot = SHOTS / f"{name}_{size}_{theme}.png"
                    self.browser.save_screenshot(str(shot))
                    self.assertGreater(shot.stat().st_size, 10_000)

    def test_axe_finds_no_fault(self):
        axe = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "perfspec/axe-core/axe_core_python/axe.min.js"
        if not axe.exists():
            self.skipTest(f"axe-core is not installed: no {axe} (ci/setup)")
        for theme in THEMES:
            for name, page, place in self.places():
                self.open(place, "desktop", theme, page)
                self.browser.execute_script(axe.read_text(encoding="utf-8"))
                found = self.browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
                with self.subTest(theme=theme, view=name):
                    self.assertEqual([(one["id"], one["nodes"][0]["html"][:120]) for one in found["violations"]], [])

    def test_tidy_finds_no_fault(self):
        if shutil.which("tidy") is None:
            self.skipTest("tidy is not installed (apt-get install tidy)")
        for page in (self.report, self.history):
            found = subprocess.run(["tidy", "-quiet", "-errors", page], capture_output=True, text=True, check=False)
            with self.subTest(page=page.name):
                self.assertEqual((found.returncode, found.stderr), (0, ""))
        broken = SHOTS / "broken.html"
        broken.write_text(self.report.read_text(encoding="utf-8").replace("</main>", "</man>"), encoding="utf-8")
        self.assertNotEqual(subprocess.run(["tidy", "-quiet", "-errors", broken], capture_output=True, check=False).returncode, 0)

    def test_ten_thousand_claims_are_painted_soon(self):
        page = make_page(10_000)
        begin = time.monotonic()
        self.browser.get(page.as_uri())
        self.assertEqual(len(self.rows()), 200)
        paint = self.browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
        print(f"10,000 claims: {page.stat().st_size / 1e6:.1f} MB, first paint after {paint:.0f} ms, shown after {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
