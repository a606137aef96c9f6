"""The Python module against the command line: the same numbers, the program's own errors with their places, meshes of arrays of
all kinds, Ctrl-C, sweeps. Run by python.sh in an empty folder."""
import gc
import glob
import os
import re
import signal
import subprocess
import threading
import time
import types
import unittest
import warnings

import h5py
import numpy as np

import sinew
from sinew.case_text import CaseText, flow
from sinew.mesh import _FLIPPED_15, KINDS

SOURCE, PROGRAM = os.environ["SINEW_SOURCE"], os.environ["SINEW_PROGRAM"]


def plate(**more):
    return {"version": 1, "title": 'a "plate": 1', "mesh": {"grid": [9, 5], "size": [2, 1]}, "physics": "elasticity",
            "model": "plane-stress", "materials": [{"on": "body", "young": 210e9, "poisson": 0.3, "thickness": 0.01}],
            "boundary": [{"on": "x0", "fix": "all"}, {"on": "x1", "traction": [0, -1e6]}],
            "output": {"fields": ["displacement", "stress", "von-mises", "principal", "strain-energy"],
                       "probes": [{"name": "tip", "at": [2, 0.5], "field": "displacement-y"}]}, **more}


def warm(**more):
    return {"version": 1, "mesh": {"grid": [5, 3], "size": [1, 0.5]}, "physics": "heat",
            "materials": [{"on": "body", "conductivity": 1, "capacity": 1}], "boundary": [{"on": "x0", "temperature": 1}],
            "initial": 0, "time": {"end": 0.3, "step": 0.1}, "output": {"probes": [{"name": "end", "at": [1, 0]}]}, **more}


def circulation():
    valve = {"valve": {"open": 2}}
    lv = {"elastance": {"active": 0.3, "passive": 0.012, "v0": 10, "contraction": 300, "relaxation": 150, "volume": 110},
          "from": {"pressure": 1.2, **valve}, "to": {**valve, "windkessel": {"zc": 8, "r": 130, "c": 9, "pressure": 10}}}
    return {"version": 1, "physics": "electromechanics", "circulation": {"cycle": 800, "lv": lv}, "time": {"end": 1600}}


def raw(folder, name):
    with h5py.File(os.path.join(folder, "results.hdf")) as file:
        return file["VTKHDF/" + name][:]


def interrupted(test, folder):
    """Ctrl-C as soon as there is a checkpoint."""
    case = warm(time={"end": 1000, "step": 1e-3}, output={"every": 1, "checkpoint": 0.1})

    def interrupt():
        for _ in range(600):
            if glob.glob(folder + "/checkpoint-*.hdf"):
                break
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    with test.assertRaises(KeyboardInterrupt) as caught:
        sinew.run(case, output=folder)
    thread.join()
    test.assertIn("--resume", str(caught.exception))
    test.assertEqual(sinew.Result(folder).report["status"], "stopped")
    return case


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
        with self.assertRaises(TypeError):
            sinew.run(plate(title=object()))

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


class Meshes(unittest.TestCase):
    def test_orders_are_those_of_the_program(self):
        """KINDS against mesh/elements."""
        n = 0
        for row in open(os.path.join(SOURCE, "mesh/elements/elements.def")):
            found = re.match(r"ELEMENT\(\w+, (\w+), (\d), (\d+)\)", row)
            if not found:
                continue
            kind, dimension, nodes = found.group(1), int(found.group(2)), int(found.group(3))
            text = open(os.path.join(SOURCE, f"mesh/elements/{kind}.h")).read()
            named = re.search(r"vtk_order = (\w+)_vtk", text).group(1)
            order = re.search(r"_vtk\[\d+\] = \{([^}]*)\}", open(os.path.join(SOURCE, f"mesh/elements/{named}.h")).read()).group(1)
            order = tuple(int(word) for word in order.split(","))
            _, number, its_dimension, its_nodes, its_order = KINDS[kind]
            self.assertEqual((number, its_dimension, its_nodes, its_order or tuple(range(nodes))),
                             (int(re.search(r"vtk_type = (\d+)", text).group(1)), dimension, nodes, order), kind)
            n += 1
        self.assertEqual(list(KINDS), [kind for kind in KINDS][:n])

    def test_every_kind_goes_there_and_back(self):
        """A mesh of results, written and read again by the program, has the same nodes in its cells, and its own volume."""
        for element, order, kind in (("tri", 2, "tri6"), ("quad", 2, "quad9"), ("tet", 1, "tet4"), ("tet", 2, "tet10"),
                                     ("hex", 1, "hex8"), ("hex", 2, "hex27"), ("tet", 3, "tet20")):
            flat = element in ("tri", "quad")
            grid = [3, 3] if flat else [3, 3, 2]
            case = warm(mesh={"grid": grid, "element": {"tri": "tri3", "quad": "quad4", "tet": "tet4", "hex": "hex8"}[element],
                              "order": order}, output={"fields": ["temperature"], "sums": []}, time={"end": 0.1, "step": 0.1})
            del case["output"]["sums"]
            first = sinew.run(case)
            self.assertEqual(list(first.mesh.cells), [kind])
            case["mesh"] = first.mesh
            case["boundary"] = []
            case["initial"] = first.mesh.points @ [1, 2, 3]
            again = sinew.run(case)
            self.assertTrue(np.array_equal(again.mesh.cells[kind], first.mesh.cells[kind]), kind)
            self.assertTrue(np.array_equal(again.mesh.points, first.mesh.points), kind)
            np.testing.assert_allclose(again.field("temperature", step=0), case["initial"], atol=1e-12)
            self.assertNotIn("checksum", again.log + "".join(again.warnings))

    def test_wedges_either_way_round(self):
        x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], float)
        answers = []
        for cell in ([0, 1, 2, 3, 4, 5], [0, 2, 1, 3, 5, 4]):
            for kind in "wedge6", "wedge15":
                points, nodes = x, np.array(cell)
                if kind == "wedge15":
                    pairs = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
                    points = np.vstack([x, [(x[cell[a]] + x[cell[b]]) / 2 for a, b in pairs]])
                    nodes = np.append(nodes, range(6, 15))
                mesh = sinew.Mesh(points, {kind: nodes[None]}, {"body": kind}, {"start": points[:, 0]})
                result = sinew.run(warm(mesh=mesh, boundary=[], initial={"field": "start"}, output={"fields": ["temperature"]}))
                answers.append(result.temperature[:6].mean())
        self.assertEqual(len(set(_FLIPPED_15)), 15)
        np.testing.assert_allclose(answers[:2], answers[2:], rtol=1e-6)

    def test_fields_of_arrays(self):
        base = sinew.run(plate()).mesh
        edges = {"line2": np.array([[k, k + 9] for k in range(0, 36, 9)] + [[k + 8, k + 17] for k in range(0, 36, 9)])}
        mesh = sinew.Mesh.from_arrays(base.points[:, :2], {**edges, **base.cells},
                                      {"body": "quad4", "x0": {"line2": range(4)}, "x1": np.arange(40) - 4 < 0})
        self.assertEqual(mesh.groups["x1"].tolist(), [0, 1, 2, 3])
        mesh.groups["x1"] = np.arange(4, 8)
        cells = np.where(mesh.points[mesh.cells["quad4"]].mean(axis=1)[:, 0] < 1, 100e9, 200e9)
        by_array = plate(mesh=mesh)
        by_array["materials"][0]["young"] = cells
        by_words = plate()
        by_words["materials"][0]["young"] = "100e9 + 100e9 * (1 + (x - 1) / (abs(x - 1) + 1e-12)) / 2"
        np.testing.assert_allclose(sinew.run(by_array).displacement, sinew.run(by_words).displacement, rtol=1e-6, atol=1e-12)
        by_array["materials"][0]["young"] = np.ones(41)
        with self.assertRaises(ValueError) as caught:
            sinew.run(by_array)
        self.assertIn("materials.0.young", str(caught.exception))
        self.assertEqual(by_array["mesh"], mesh)  # the dict is as it was

    def test_from_meshio(self):
        """What meshio makes of a file, without meshio: blocks of a kind in pieces, cell sets, Gmsh's groups, fields."""
        base = sinew.run(warm()).mesh
        quads = base.cells["quad4"]
        block = types.SimpleNamespace
        given = types.SimpleNamespace(
            points=base.points, cells=[block(type="quad", data=quads[:3]), block(type="line", data=np.array([[0, 5], [5, 10]])),
                                       block(type="quad", data=quads[3:])],
            cell_sets={"first": [np.arange(3), None, np.array([], int)], "gmsh:bounding": [None] * 3},
            cell_data={"gmsh:physical": [np.full(3, 7), np.full(2, 7), np.full(5, 7)], "k": [np.arange(3.0), np.full(2, 9.0), np.arange(3.0, 8)]},
            point_data={"start": base.points[:, 0]}, field_data={"body": (7, 2), "hot": (7, 1)})
        mesh = sinew.Mesh.from_meshio(given)
        self.assertTrue(np.array_equal(mesh.cells["quad4"], quads))
        self.assertEqual({name: ids.tolist() for name, ids in mesh.groups.items()},
                         {"first": [0, 1, 2], "body": list(range(8)), "hot": [8, 9]})
        self.assertEqual(mesh.cell_data["k"].tolist(), [0, 1, 2, 3, 4, 5, 6, 7, 9, 9])
        result = sinew.run(warm(mesh=mesh, boundary=[{"on": "hot", "temperature": 1}], initial={"field": "start"}))
        np.testing.assert_allclose(result.field("temperature", step=0)[1:5], base.points[1:5, 0])
        self.assertEqual(result.temperature[0], 1)
        given.cells.append(block(type="vertex", data=np.array([[14]])))
        given.cells.append(block(type="line", data=np.array([[4, 9]])))
        for name, value in ("gmsh:physical", 9), ("k", 9.0):
            given.cell_data[name] += [np.full(1, value), np.full(1, value)]
        given.cell_sets = {"first": [np.arange(3), None, None, None, [0]]}
        given.point_sets = {"ends": np.array([14, 0, 5]), "first": [3], "gmsh:x": [1], "none": []}
        with self.assertWarnsRegex(sinew.SinewWarning, "'first' is left out"):
            mesh = sinew.Mesh.from_meshio(given)
        self.assertEqual(mesh.cells["point1"][:, 0].tolist(), [14, 0, 5])
        self.assertEqual({name: ids.tolist() for name, ids in mesh.groups.items()},
                         {"first": [0, 1, 2, 10], "body": list(range(8)), "hot": [8, 9], "ends": [11, 12, 13]})
        self.assertEqual(mesh.cell_data["k"].tolist(), [0, 1, 2, 3, 4, 5, 6, 7, 9, 9, 9, 9, 0, 0])
        mesh.groups.pop("first")
        result = sinew.run(warm(mesh=mesh, boundary=[{"on": "ends", "temperature": 3}]))
        self.assertEqual(result.temperature[[14, 0, 5]].tolist(), [3, 3, 3])
        given.cells[0].type = "hexa_prism"
        with self.assertRaises(ValueError):
            sinew.Mesh.from_meshio(given)

    def test_resume_with_a_mesh_of_arrays(self):
        mesh = sinew.run(warm()).mesh
        case = warm(mesh=mesh, boundary=[{"on": "body", "temperature": 1}] * 0)
        sinew.run(case, output="arrays")
        self.assertEqual([name for name in os.listdir("arrays") if name.startswith("mesh")], [])
        self.assertIn("nothing to do", sinew.run(case, output="arrays", resume=True).log)

    def test_a_mesh_that_is_written_is_read_without_a_warning(self):
        base = sinew.run(warm()).mesh
        mesh = sinew.Mesh(base.points, base.cells, {"a body": "quad4"}, {"start": base.points[:, 0]})
        for name in "part.h5", "part.msh":
            for _ in range(2):  # the second replaces the first
                mesh.write(name)
            done = subprocess.run([PROGRAM, "info", name], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            for said in "15 nodes", "8 quad4 elements", "group a body: surface, 8 elements", "field start: on nodes":
                self.assertIn(said, done.stdout, name)
        with self.assertWarnsRegex(sinew.SinewWarning, "'a_body' in the deck"):
            mesh.write("part.inp")
        with self.assertRaisesRegex(sinew.UsageError, "must end in"):
            mesh.write("part.stl")

    def test_numbers_of_elements_in_a_vtu_are_no_groups(self):
        result = sinew.run(warm(), output="shown")
        subprocess.run([PROGRAM, "convert", "shown", "shown.vtu", "--quiet"], check=True)
        with open("shown.vtu", "rb") as file:
            self.assertNotIn(b'NumberOfComponents="1"', file.read())  # of which meshio makes (n, 1)
        said = subprocess.run([PROGRAM, "info", "shown.vtu"], capture_output=True, text=True, check=True).stdout
        self.assertIn("element-id", result.names)
        self.assertNotIn("element-id", said)
        self.assertIn("group group-", said)

    def test_a_mesh_without_groups(self):
        base = sinew.run(warm()).mesh
        case = warm(mesh={"file": sinew.Mesh(base.points, base.cells)}, boundary=[])
        with self.assertRaisesRegex(sinew.CaseError, r"groups in .*: none\n  remedy: 'regions: \[{name: body, share: 1}\]'"):
            sinew.run(case)
        case["mesh"]["regions"] = [{"name": "body", "share": 1}]
        self.assertEqual(sinew.run(case).mesh.cells["quad4"].shape, base.cells["quad4"].shape)

    def test_wrong_meshes(self):
        points = np.zeros((4, 2))
        for words in ((points, {"quad5": [[0, 1, 2, 3]]}), (points, {"quad4": [[0, 1, 2]]}), (points, {"quad4": [[0, 1, 2, 4]]}),
                      (points[:, :1], {"quad4": [[0, 1, 2, 3]]}), (points, {"quad4": [[0, 1, 2, 3]]}, {"body": [1]}),
                      (points, {"quad4": [[0, 1, 2, 3]]}, None, {"f": [1, 2]})):
            with self.assertRaises(ValueError):
                sinew.Mesh(*words)
        mesh = sinew.Mesh(points, {"quad4": [[0, 1, 2, 3]], "line2": [[0, 1]]}, {"both": [0, 1]})
        with self.assertRaises(ValueError) as caught:
            mesh.write("both.h5")
        self.assertIn("dimensions [1, 2]", str(caught.exception))


    def test_wrong_groups(self):
        points, quads = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]), np.array([[0, 1, 2, 3]])
        for what, said in ("line2", "there are: quad4"), ({"quad4": [1]}, "out of bounds"), ([0.5], "a mask of all cells"), (0, "a mask of all"), \
                (np.zeros(3, bool), "a mask of 3"), ([1], "has the cell 1 of 1"):
            with self.assertRaisesRegex(ValueError, "group 'g'.*" + said):
                sinew.Mesh(points, {"quad4": quads}, {"g": what})
        with self.assertRaisesRegex(ValueError, "two names: quad4, quad"):
            sinew.Mesh(points, {"quad4": quads, "quad": quads})
        with self.assertRaisesRegex(ValueError, "group 'g' has no cells"):
            sinew.Mesh(points, {"quad4": quads}, {"g": []}).write("none.h5")
        sinew.Mesh(points, {"quad4": quads}, {5: [0]}).write("five.h5")


class Sweeps(unittest.TestCase):
    def test_wrong_words(self):
        for over, words, said in (({"materials.0.young": [1e9, 1e9]}, {}, "has 1e.09 2 times"), ([1], {}, "over is a dict"),
                                  ({"materials.0.young": [1e9]}, {"workers": 1.5}, "workers is 1.5, must be a whole number"),
                                  ({"materials.0.young": [1e9]}, {"together": "2"}, "together is '2', must be a whole number"),
                                  ({"materials.0.young": [1e9]}, {"workers": 0}, "workers is 0, must be at least 1")):
            with self.assertRaisesRegex(sinew.UsageError, said):
                sinew.sweep(plate(), over, output="wrong", **words)
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
