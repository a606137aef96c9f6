"""Sweeps by the Python module."""
import os
import subprocess
import unittest
import warnings

import numpy as np

import sinew
from sinew.case_text import CaseText
from python_cases import PROGRAM, circulation, plate, warm


class Sweeps(unittest.TestCase):
    def test_wrong_words(self):
        for over, words, said in (({"materials.0.young": [1e9, 1e9]}, {}, "has 1e.09 2 times"), ([1], {}, "over is a dict"),
                                  ({"materials.0.young": [1e9]}, {"workers": 1.5}, "workers is 1.5, must be a whole number"),
                                  ({"materials.0.young": [1e9]}, {"together": "2"}, "together is '2', must be a whole number"),
                                  ({"materials.0.young": [1e9]}, {"workers": 0}, "workers is 0, must be at least 1")):
            with self.assertRaisesRegex(sinew.UsageError, said):
                sinew.sweep(plate(), over, output="wrong", **words)
        with open("plate.yaml", "w") as file:
            file.write(CaseText(plate()).text)
        done = subprocess.run([PROGRAM, "sweep", "plate.yaml", "--over", "materials.0.young=[1e9, 1e9]", "--output", "wrong"], capture_output=True, text=True)
        self.assertEqual((done.returncode, "'materials.0.young' has 1e9 2 times" in done.stderr), (2, True), done.stderr)
        self.assertFalse(os.path.exists("wrong"))

    def test_warnings_of_points(self):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            sweep = sinew.sweep(plate(), {"solver.rtol": [1e-9, 0.01, 0.02]}, output="loose")
        self.assertEqual([str(w.message) for w in seen if w.category is sinew.SinewWarning], sweep.warnings)
        self.assertEqual(len(sweep.warnings), 1)
        self.assertIn("2 of 3 points, the first is solver.rtol=0.01", sweep.warnings[0])

    def test_all_combinations_and_failures(self):
        over = {"materials.0.young": [100e9, 200e9], "materials.0.poisson": [0.2, 0.6]}
        sweep = sinew.sweep(plate(), over, workers=2, output="sw")
        self.assertEqual((len(sweep), len(sweep.failures)), (4, 2))
        self.assertIn("must lie in (-1, 0.5)", list(sweep.failures.values())[0])
        self.assertEqual(sweep.table["code"].tolist(), [0, 3, 0, 3])
        one = sinew.run(plate(), set={"materials.0.young": 200e9, "materials.0.poisson": 0.2})
        self.assertEqual(sweep.table["tip"][2], one.probes["tip"][0])
        self.assertTrue(np.isnan(sweep.table["tip"][1]))
        self.assertTrue(np.array_equal(sweep[2].displacement, one.displacement))
        made = os.stat(os.path.join(sweep[0].folder, "results.hdf")).st_mtime_ns
        over["materials.0.young"].append(300e9)
        again = sinew.sweep(plate(), over, output="sw")
        self.assertEqual(os.stat(os.path.join(again[0].folder, "results.hdf")).st_mtime_ns, made)
        self.assertEqual(len(again), 6)
        other = sinew.sweep(plate(model="plane-strain"), over, output="sw")
        self.assertEqual(set(other.table["code"]), {3, 5})
        self.assertEqual(set(sinew.sweep(plate(model="plane-strain"), over, output="sw", overwrite=True).table["code"]), {0, 3})

    def test_load_cases_and_circulations(self):
        pulled = plate(**{"load-cases": [{"name": "down, 1", "boundary": [{"on": "x1", "traction": [0, -1e6]}]},
                                         {"name": "along", "boundary": [{"on": "x1", "traction": [1e6, 0]}]}]})
        pulled["boundary"].pop()
        sweep = sinew.sweep(pulled, {"materials.0.young": [1e9, 2e9]}, output="cases")
        self.assertEqual(sweep.table["load-case"].tolist(), ["down, 1", "along"] * 2)
        for k in range(2):
            for case, at in zip(sweep[k].report["load_cases"], (2 * k, 2 * k + 1)):
                self.assertEqual(sweep.table["largest-von-mises"][at], case["largest"]["von-mises"]["value"])
        statistics = sinew.sweep(pulled, {"materials.0.young": sinew.uniform(1e9, 2e9)}, samples=2, output="drawn").statistics
        self.assertIn("down, 1", statistics["time"].tolist())
        sweep = sinew.sweep(circulation(), {"circulation.lv.elastance.active": [0.3, 0.35]}, output="beating")
        self.assertEqual(sweep.table["lv-peak-pressure"].tolist(), [sweep[k].report["values"]["lv-peak-pressure"] for k in range(2)])

    def test_what_log_raises_ends_it(self):
        for kind, said in (KeyboardInterrupt, "the same call goes on with the points in ended"), (ValueError, "1 of 9"):
            def log(line):
                raise kind(line)
            with self.assertRaises(kind) as caught:
                sinew.sweep(plate(), {"materials.0.young": [k * 1e9 for k in range(1, 10)]}, together=1, log=log, output="ended", overwrite=True)
            self.assertIn(said, str(caught.exception))
            self.assertIn(10, sinew.result.Table.read("ended/sweep.csv")["code"])

    def test_unknown_key_ends_it(self):
        with self.assertRaises(sinew.UsageError) as caught:
            sinew.sweep(plate(), {"materials.0.yung": list(range(1, 50))}, output="none")
        self.assertIn("did you mean 'young'?", str(caught.exception))

    def test_files_that_cannot_be_written(self):
        open("file", "w").close()
        os.makedirs("way/sweep.csv/there")
        for output in "file", "way":
            with self.assertRaisesRegex(sinew.FileError, f"(?s)cannot write .*{output}.*the same command goes on from there") as caught:
                sinew.sweep(plate(), {"materials.0.young": [1e9]}, output=output)
            self.assertEqual(caught.exception.code, 9)

    def test_values_are_lists(self):
        for values, said in ("210e9", "a list of values"), ([], "no value"), (3, "a list of values"):
            with self.assertRaisesRegex(sinew.UsageError, said):
                sinew.sweep(plate(), {"materials.0.young": values}, output="none")
        for word in "workers", "together":
            with self.assertRaisesRegex(sinew.UsageError, word + " is 0"):
                sinew.sweep(plate(), {"materials.0.young": [1e9]}, output="none", **{word: 0})
        with self.assertRaisesRegex(sinew.UsageError, "nothing to go over"):
            sinew.sweep(plate(), {})

    def test_sobol_sequence_is_the_published_one(self):
        from sinew import points

        class Unshifted:
            def getrandbits(self, n):
                return 0

        # the sum of k^2 times number k, by scipy 1.17.1
        known = [342757.25, 347557.25, 348837.25, 342213.25, 347813.25, 346293.25, 348837.25, 343237.25, 343749.25, 342341.25,
                 348837.25, 345781.25, 342213.25, 342725.25, 343237.25, 345653.25, 348325.25, 348325.25, 345781.25, 346789.25]
        shares = points.sobol_shares(128, 20, Unshifted())
        np.testing.assert_allclose(np.arange(128) ** 2 @ np.array(shares), known, atol=1e-3)
        np.testing.assert_allclose(np.sort(np.array(shares), axis=0), np.repeat(np.arange(128)[:, None] / 128, 20, axis=1), atol=1e-9)

    def test_indices_of_a_known_function(self):
        """Ishigami's function (Ishigami and Homma 1990): 0.3139, 0.4424, 0 and 0.5576, 0.4424, 0.2437."""
        from math import pi, sin
        from sinew import study
        points = study.sampled({key: study.Prior("uniform", -pi, pi) for key in "abc"}, 512, "sobol", 1, True)
        values = [sin(x) + 7 * sin(y) ** 2 + 0.1 * z ** 4 * sin(x) for x, y, z in ([float(t) for _, t in p.settings] for p in points)]
        known = [0.3139, 0.5576, 0.4424, 0.4424, 0, 0.2437]
        np.testing.assert_allclose(study.sensitivity(values, 512, 3), known, atol=0.06)

    def test_samples_have_statistics(self):
        over = {"materials.0.young": sinew.normal(1000, 50), "materials.0.poisson": sinew.uniform(0, 0.4)}
        sweep = sinew.sweep(plate(), over, samples=6, method="latin", seed=4, workers=2, output="sampled")
        self.assertEqual((len(sweep), sweep.failures), (6, {}))
        row = list(sweep.statistics["name"]).index("tip")
        np.testing.assert_allclose(sweep.statistics["mean"][row], np.mean(sweep.table["tip"]), rtol=1e-12)
        np.testing.assert_allclose(sweep.statistics["deviation"][row], np.std(sweep.table["tip"], ddof=1), rtol=1e-9)
        parts = np.sort(np.floor(np.array(sweep.table["materials.0.poisson"], dtype=float) / 0.4 * 6).astype(int))
        self.assertEqual(parts.tolist(), [0, 1, 2, 3, 4, 5])  # one in each sixth
        with self.assertRaisesRegex(sinew.UsageError, "samples=N"):
            sinew.sweep(plate(), over)

    def test_in_time(self):
        sweep = sinew.sweep(warm(), {"materials.0.conductivity": [1, 2]}, output="warm")
        self.assertEqual(len(sweep.table["end"]), 8)
        np.testing.assert_allclose(sweep.table["time"], [0, 0.1, 0.2, 0.3] * 2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
