"""Meshes of arrays of all kinds for the Python module, and what it takes from meshio."""
import os
import re
import subprocess
import types
import unittest

import numpy as np

import sinew
from sinew.mesh import _FLIPPED_15, KINDS
from python_cases import PROGRAM, SOURCE, plate, warm


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

    def test_an_array_of_as_many_nodes_as_cells(self):
        """Six nodes, and four triangles with two edges: which of them is meant is not guessed."""
        points = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]], float)
        mesh = sinew.Mesh(points, {"tri3": np.array([[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]), "line2": np.array([[0, 3], [2, 5]])})
        case = {"materials": [{"young": np.arange(6.0)}]}
        with self.assertRaises(ValueError) as caught:
            mesh.take_fields(case)
        self.assertIn("materials.0.young: an array of 6 rows", str(caught.exception))
        self.assertIn("materials-0-young", mesh.take_fields({"materials": [{"young": np.arange(4.0)}]})[1].cell_data)

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


if __name__ == "__main__":
    unittest.main(verbosity=1)
