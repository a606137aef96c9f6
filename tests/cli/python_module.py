"""The Python module against the command line: the same numbers, the program's own errors with their places, Ctrl-C. Run by python.sh
in an empty folder, as its tests of meshes and sweeps are."""
import gc
import os
import re
import subprocess
import time
import types
import unittest
import warnings

import h5py
import numpy as np

import sinew
from sinew.case_text import CaseText, flow
from python_cases import PROGRAM, circulation, interrupted, plate, raw, warm


class Runs(unittest.TestCase):
    def test_same_as_the_command_line(self):
        with open("plate.yaml", "w") as file:
            file.write(CaseText(plate()).text)
        subprocess.run([PROGRAM, "run", "plate.yaml", "--output", "alone", "--quiet"], check=True)
        result = sinew.run(plate(), output="by-python")
        for name in "displacement", "stress", "von-mises":
            self.assertTrue(np.array_equal(result[name], raw("alone", "PointData/" + name)), name)
        self.assertIsInstance(result.displacement, np.memmap)
        self.assertEqual(result.displacement.dtype, np.float64)
        self.assertTrue(np.array_equal(result["stress-xy"], raw("alone", "PointData/stress")[:, 3]))
        self.assertTrue(np.array_equal(result["principal-1"], raw("alone", "PointData/principal")[:, 0]))
        self.assertTrue(result.is_on_cells("strain-energy") and not result.is_on_cells("stress-xx"))
        self.assertEqual(result.report["status"], "converged")
        self.assertEqual(result.probes["tip"][0], result.displacement[np.argmin(np.hypot(*(result.mesh.points[:, :2] - [2, 0.5]).T)), 1])
        self.assertIn("results ", result.log)

    def test_set_and_file_and_folder_of_results(self):
        with open("case.yaml", "w") as file:
            file.write(CaseText(plate()).text)
        half = sinew.run("case.yaml", set={"materials.0.young": 420e9, "output.probes+": [{"name": "mid", "at": [1, 0.5], "field": "von-mises"}]})
        self.assertEqual(half.folder, os.path.abspath("results"))
        whole = sinew.run(plate())
        np.testing.assert_allclose(2 * half.displacement, whole.displacement, rtol=1e-6, atol=1e-12)
        self.assertEqual(list(half.probes), ["time", "tip", "mid"])
        self.assertEqual(sinew.run("case.yaml", set={"materials.0.young": 420e9, "output.probes+": [
            {"name": "mid", "at": [1, 0.5], "field": "von-mises"}]}, resume=True).folder, half.folder)
        with self.assertRaises(KeyError) as caught:
            half["von-mise"]
        self.assertIn("did you mean 'von-mises'?", str(caught.exception))

    def test_names_of_fields(self):
        result = sinew.run(plate())
        self.assertTrue("stress" in result and "stress-xx" in result and "stress-ab" not in result and "von-mises-x" not in result)
        self.assertTrue(np.array_equal(result.stress_xy, result["stress"][:, 3]))
        with self.assertRaises(AttributeError):
            result.stress_ab
        for name in 3, None, "displacement-w":
            with self.assertRaisesRegex(KeyError, "there are: displacement"):
                result[name]
        with self.assertRaises(TypeError):
            result.field("stress", step=0.5)
        with self.assertRaisesRegex(ValueError, "leave one of them out"):
            result.field("stress", step=0, time=0.0)
        path = os.path.join(result.folder, "results.hdf")
        self.assertEqual(sinew.Result(path).folder, result.folder)
        with h5py.File(path) as file:  # which asks for locks
            self.assertTrue(np.array_equal(file["VTKHDF/PointData/stress"][:], result["stress"]))

    def test_words_of_other_kinds(self):
        for case in None, 3, [plate()]:
            with self.assertRaisesRegex(TypeError, "a case is the path of a file or its folder, or a dict, not"):
                sinew.run(case)
        with self.assertRaisesRegex(TypeError, "set is a dict"):
            sinew.run(plate(), set=["solver.rtol=1e-3"])
        with self.assertRaises(sinew.UsageError):
            sinew.run(plate(), backend=3)
        for key, value, kind in ("solver.rtl", 1, sinew.UsageError), ("materials.0.young", -1, sinew.CaseError), \
                ("output.probes+", {"name": "p", "at": [9, 9], "field": "von-mises"}, sinew.CaseError):
            with self.assertRaises(kind) as raised:
                sinew.run(plate(), set={key: value})
            self.assertEqual(raised.exception.key, key.rstrip("+"), str(raised.exception))

    def test_a_temporary_folder_goes_with_its_result(self):
        result = sinew.run(plate())
        folder = result.folder
        self.assertTrue(os.path.exists(folder))
        del result
        self.assertFalse(os.path.exists(folder))

    def test_in_time(self):
        for output in {}, {"precision": "single"}, {"compression": "fast"}:
            case = warm()
            case["output"] = {**case["output"], **output}
            result = sinew.run(case)
            np.testing.assert_allclose(result.time, [0, 0.1, 0.2, 0.3])
            all_of_it = raw(result.folder, "PointData/temperature").reshape(4, 15)
            self.assertTrue(np.array_equal(result.history("temperature"), all_of_it))
            self.assertTrue(np.array_equal(result.field("temperature", step=1), all_of_it[1]))
            self.assertTrue(np.array_equal(result.field("temperature", time=0.21), all_of_it[2]))
            self.assertTrue(np.array_equal(result.temperature, all_of_it[3]))
            self.assertEqual(result.temperature.dtype, np.float64)
            self.assertEqual(result.history("group").shape, (4, 8))  # stored once
            np.testing.assert_allclose(result.probes["end"], all_of_it[:, 4])
            with self.assertRaises(IndexError):
                result.field("temperature", step=4)
            for beyond in -0.1, 0.31:
                with self.assertRaisesRegex(IndexError, "stored times are from 0 to 0.3"):
                    result.field("temperature", time=beyond)

    def test_a_circulation_has_tables_alone(self):
        result = sinew.run(circulation())
        self.assertEqual((result.table("loops")["lv-volume"][0], result.names, len(result.time)), (110, [], 0))
        self.assertEqual(result.report["status"], "converged")
        with self.assertRaisesRegex(KeyError, "no field 'stress'"):
            result["stress"]
        with self.assertRaises(FileNotFoundError):
            sinew.Result(".")

    def test_a_folder_for_the_time_being_goes_without_a_warning(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            result = sinew.run(plate())
            folder = os.path.dirname(result.folder)
            self.assertTrue(os.path.exists(folder))
            del result
            gc.collect()
            self.assertFalse(os.path.exists(folder))
        self.assertEqual([str(one.message) for one in said], [])

    def test_load_cases_have_names(self):
        case = plate(**{"load-cases": [{"name": "wind", "boundary": [{"on": "x1", "traction": [0, -1e6]}]},
                                       {"name": "snow", "boundary": [{"on": "x1", "traction": [0, -3e6]}]}]})
        case["boundary"] = case["boundary"][:1]
        result = sinew.run(case)
        self.assertEqual(result.steps, ["wind", "snow"])
        np.testing.assert_allclose(3 * result.field("displacement", step="wind"), result.field("displacement", step="snow"),
                                   rtol=1e-5, atol=1e-12)
        with self.assertRaises(KeyError):
            result.field("displacement", step="rain")

    def test_warnings(self):
        case = plate()
        del case["boundary"][1]["traction"]
        case["boundary"][1]["fix"] = {"y": 0}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = sinew.run(case)
        self.assertTrue(result.warnings)
        self.assertEqual([str(w.message) for w in caught if w.category is sinew.SinewWarning], result.warnings)

    def test_missing_modules_are_named(self):
        import sinew.result
        with self.assertRaises(ImportError) as caught:
            sinew.result._needed("no_such_module", "to_picture")
        self.assertIn("pip install no_such_module", str(caught.exception))


class Errors(unittest.TestCase):
    def caught(self, kind, case, **words):
        with self.assertRaises(kind) as caught:
            sinew.run(case, **words)
        self.assertEqual(caught.exception.code, kind.code)
        return caught.exception

    def test_places_of_a_dict(self):
        case = plate()
        case["materials"][0]["yung"] = case["materials"][0].pop("young")
        case["boundary"][0]["fix"] = {"x": 0, "w": 0}
        error = self.caught(sinew.CaseError, case)
        self.assertEqual([p.key for p in error.problems], ["materials.0", "materials.0.yung", "boundary.0.fix.w"])
        self.assertTrue(str(error).startswith("materials.0: a material needs the key 'young'"))
        self.assertIn("did you mean 'young'?", str(error))
        self.assertEqual((error.file, error.key), ("<stdin>", "materials.0"))
        self.assertIsNone(error.result)
        case = plate()
        case["boundary"][1]["on"] = "x2"
        self.assertEqual(self.caught(sinew.CaseError, case, output="nothing").key, "boundary.1.on")
        self.assertFalse(os.path.exists("nothing"))

    def test_place_of_a_file(self):
        with open("wrong.yaml", "w") as file:
            file.write("version: 1\nmesh: {grid: [3, 3]}\nphysics: heat\nmaterials:\n  - {on: body, conductivity: 1, capacity: -1}\n"
                       "boundary: [{on: x0, temperature: 1}]\n")
        error = self.caught(sinew.CaseError, "wrong.yaml")
        self.assertEqual((error.file, error.line, error.column), ("wrong.yaml", 5, 43))
        self.assertIn(error.key, ("materials.0.capacity", None))  # by PyYAML, where it is
        self.assertTrue(str(error).startswith("wrong.yaml:5:43: "))

    def test_kinds(self):
        self.caught(sinew.UsageError, plate(), set={"solver.rtl": 1})
        self.caught(sinew.CaseError, "missing.yaml")
        self.caught(sinew.MeshError, plate(mesh={"file": "missing.msh"}))
        self.caught(sinew.NotConverged, plate(), set={"solver.rtol": 1e-30, "solver.method": "iterative"})
        sinew.run(plate(), output="there")
        self.caught(sinew.RestartError, plate(), output="there")
        self.caught(sinew.RestartError, warm(), output="there", resume=True)
        self.caught(sinew.FileError, plate(), output="/dev/null/there")
        self.assertTrue(issubclass(sinew.MemoryShort, MemoryError) and issubclass(sinew.FileError, OSError))
        for case, said in ((plate(title=object()), "title: a case takes"), ("version: 1\nmesh: {grid: [3, 3]}", "yaml.safe_load")):
            with self.assertRaises(TypeError) as caught:
                sinew.run(case)
            self.assertIn(said, str(caught.exception))

    def test_what_log_raises_ends_the_run(self):
        def log(line):
            raise ValueError(line)
        with self.assertRaises(ValueError) as caught:
            sinew.run(warm(time={"end": 1e6, "step": 1e-3}, output={"every": 1e6}), log=log, output="logged")
        self.assertTrue(str(caught.exception))
        if os.path.exists("logged/results.hdf"):  # the first line may come before the results begin; 1e9 steps never end
            self.assertIn(sinew.Result("logged").report["status"], ("stopped", "running"))

    def test_nothing_is_kept_without_a_folder(self):
        said = "stopped on request at t = 2; the state is in /tmp/a/checkpoint-1.hdf\n  go on with: sinew run - --output /tmp/a --resume\n"
        given = types.SimpleNamespace(text=b"version: 1")
        self.assertIn("nothing is kept", sinew.runner._again(said, given, "a folder"))
        self.assertIn("the state is in /tmp/a/checkpoint-1.hdf\n  go on with the same call", sinew.runner._again(said, given, None))
        self.assertEqual(sinew.runner._again(said, types.SimpleNamespace(text=None), None), said)

    def test_tables_name_what_there_is(self):
        result = sinew.run(plate())
        for ask, kind, said in ((lambda: result.probes["tipp"], KeyError, "there are: time, tip"),
                                (lambda: result.table("modes"), FileNotFoundError, "there are: probes")):
            with self.assertRaises(kind) as caught:
                ask()
            self.assertIn(said, str(caught.exception))

    def test_interrupt_leaves_a_checkpoint(self):
        case = interrupted(self, "stopped")
        self.caught(sinew.RestartError, case, output="stopped", resume=True, set={"time.end": 2})  # another case


class Serves(unittest.TestCase):
    def test_same_as_alone(self):
        """Runs of one process are those of a process each; errors, threads and folders of one leave nothing to the next."""
        alone = [sinew.run(plate(), output="alone-1"), sinew.run(warm(), output="alone-2")]
        lines = []
        with sinew.serve():
            first = sinew.run(plate(), output="served-1", threads=1, log=lines.append)
            child = sinew.serve._served.child
            with self.assertRaises(sinew.CaseError) as caught:
                sinew.run(plate(model="plane"))
            self.assertEqual(caught.exception.key, "model")
            self.assertIn("young", sinew.check(plate()))
            second = sinew.run(warm(), output="served-2")
            again = sinew.run(plate(), set={"materials.0.young": 2 * 210e9})
            self.assertIs(sinew.serve._served.child, child)
        self.assertIsNotNone(child.poll())
        self.assertEqual("\n".join(lines) + "\n", first.log)
        for one, other in zip(alone, (first, second)):
            for name in one.names:
                self.assertTrue(np.array_equal(one[name], other[name]), name)
        self.assertAlmostEqual(again.probes["tip"][0] * 2 / first.probes["tip"][0], 1, 9)
        held = second.report["memory_bytes"]["host_peak"] - alone[1].report["memory_bytes"]["host_peak"]
        self.assertLess(abs(held), 100e3)  # the request itself, nothing of the runs before

    def test_goes_on_after_an_end(self):
        with sinew.serve():
            sinew.check(plate())
            sinew.serve._served.child.kill()
            self.assertIn("young", sinew.check(plate()))
            self.assertIn("young", sinew.check(plate()))
        self.assertIsNone(sinew.serve._served)

    def test_interrupt_leaves_a_checkpoint(self):
        with sinew.serve():
            interrupted(self, "served-stopped")
            self.assertIn("young", sinew.check(plate()))


class Texts(unittest.TestCase):
    def test_scalars(self):
        for value, text in ((True, "true"), (None, "~"), (1e9, "1e+09"), (0.1, "0.1"), (1 / 3, repr(1 / 3)), (np.float64(2.5), "2.5"),
                            (np.int32(3), "3"), ("210e9", "210e9"), ("left", "left"), ("on", '"on"'), ("a: b", '"a: b"'),
                            ('"', '"\\""'), ([1, {"a": [2, "x y"]}], '[1, {a: [2, "x y"]}]'), (np.eye(2), "[[1, 0], [0, 1]]")):
            self.assertEqual(flow(value), text)

    def test_yaml_reads_it(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no PyYAML")
        case = plate(title="tab\there, line\nthere")
        case["materials"][0]["young"] = 1234.5
        case["boundary"][1]["traction"] = [0, -3.5]
        self.assertEqual(yaml.safe_load(re.sub(r"\bon:", "'on':", CaseText(case).text)), case)
        loaded = yaml.safe_load(yaml.dump(case).replace("'on':", "on:"))
        self.assertIn(True, loaded["materials"][0])
        self.assertTrue(np.array_equal(sinew.run(loaded).displacement, sinew.run(case).displacement))


if __name__ == "__main__":
    unittest.main(verbosity=1)
