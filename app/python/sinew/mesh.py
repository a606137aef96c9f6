"""Meshes of arrays, and the file by which they reach the program (mesh/io/mesh_h5.c says how it is laid out)."""
import hashlib
import os
import subprocess
import tempfile
import warnings

import numpy as np

from . import errors
from .program import find

_FLIPPED_15 = (0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13)  # wedge15 with its triangles the other way round

# Kinds of elements, as in mesh/elements/elements.def: name of meshio, VTK's number, dimension, number of nodes, and the order:
# node i of VTK's is node order[i] of the program's, which is Gmsh's (tests/cli/python_module.py compares).
_SAME = None
KINDS = {
    "point1": ("vertex", 1, 0, 1, _SAME),
    "line2": ("line", 3, 1, 2, _SAME),
    "line3": ("line3", 21, 1, 3, _SAME),
    "line4": ("VTK_LAGRANGE_CURVE", 68, 1, 4, _SAME),
    "tri3": ("triangle", 5, 2, 3, _SAME),
    "tri6": ("triangle6", 22, 2, 6, _SAME),
    "tri10": ("VTK_LAGRANGE_TRIANGLE", 69, 2, 10, _SAME),
    "quad4": ("quad", 9, 2, 4, _SAME),
    "quad8": ("quad8", 23, 2, 8, _SAME),
    "quad8r": (None, 23, 2, 8, _SAME),
    "quad9": ("quad9", 28, 2, 9, _SAME),
    "tet4": ("tetra", 10, 3, 4, _SAME),
    "tet10": ("tetra10", 24, 3, 10, (0, 1, 2, 3, 4, 5, 6, 7, 9, 8)),
    "tet20": ("VTK_LAGRANGE_TETRAHEDRON", 71, 3, 20,
              (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10, 15, 14, 13, 12, 17, 19, 18, 16)),
    "hex8": ("hexahedron", 12, 3, 8, _SAME),
    "hex20": ("hexahedron20", 25, 3, 20, (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)),
    "hex20r": (None, 25, 3, 20, (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)),
    "hex27": ("hexahedron27", 29, 3, 27, (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24,
                                          20, 25, 26)),
    "wedge6": ("wedge", 13, 3, 6, (0, 2, 1, 3, 5, 4)),
    "wedge15": ("wedge15", 26, 3, 15, (0, 2, 1, 3, 5, 4, 7, 9, 6, 13, 14, 12, 8, 11, 10)),
    "pyramid5": ("pyramid", 14, 3, 5, _SAME),
    "pyramid13": ("pyramid13", 27, 3, 13, (0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12)),
}
_ORDER_OF = list(KINDS)
_KIND_OF_MESHIO = {row[0]: kind for kind, row in KINDS.items() if row[0]}


def kind_of_vtk(number):
    """The kind of VTK's number of a cell."""
    return next(kind for kind, row in KINDS.items() if row[1] == number)


class Mesh:
    """Nodes, cells and their groups.

    points       float64 (n, 3)
    cells        {kind: int (m, nodes)}, kinds as `sinew list elements` names them or meshio does, nodes in the order of VTK and
                 meshio. Cells are numbered through all kinds, in this order.
    groups       {name: numbers of cells}; read too: {name: kind} for all of that kind, {name: {kind: numbers within it}}
    point_data, cell_data   {name: (n) or (n, components)}: fields that a case names, {field: NAME}
    """

    def __init__(self, points, cells, groups=None, point_data=None, cell_data=None, ids=None):
        points = np.asarray(points, dtype=float)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise ValueError(f"points have the shape {points.shape}, must be (n, 2) or (n, 3)")
        self.points = points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])
        kinds = [_kind(name) for name in cells]
        if len(set(kinds)) < len(kinds):
            raise ValueError(f"cells of one kind stand under two names: {', '.join(cells)}")
        self.cells = {_kind(name): _nodes(name, nodes, len(points)) for name, nodes in cells.items()}
        self.ids = ids or _numbered(self.cells)
        self.n_cell = sum(map(len, self.cells.values()))
        self.groups = {str(name): self._members(name, what) for name, what in (groups or {}).items()}
        self.point_data = {name: _rows(name, data, len(points), "nodes") for name, data in (point_data or {}).items()}
        self.cell_data = {name: _rows(name, data, self.n_cell, "cells") for name, data in (cell_data or {}).items()}

    def __repr__(self):
        cells = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in self.cells.items())
        return f"<sinew.Mesh: {len(self.points)} nodes, {cells}; groups {', '.join(self.groups) or 'none'}>"

    @classmethod
    def from_arrays(cls, points, cells, groups=None, point_data=None, cell_data=None):
        """The same as Mesh(...)."""
        return cls(points, cells, groups, point_data, cell_data)

    @classmethod
    def from_meshio(cls, mesh):
        """From a meshio.Mesh, or from a file that meshio reads. Groups are cell sets, point sets and Gmsh's physical groups; fields
        are those of floating-point numbers, 0 at the points of sets."""
        if not hasattr(mesh, "cells"):
            from .result import _needed
            mesh = _needed("meshio", "Mesh.from_meshio of a file").read(mesh)
        kinds = [_kind(block.type) for block in mesh.cells]
        first, start = {}, 0
        for kind in sorted(dict.fromkeys(kinds), key="point1".__eq__):  # points come last. Where the cells of each block come to stand
            for i, block in enumerate(mesh.cells):
                if kinds[i] == kind:
                    first[i], start = start, start + len(block.data)
        cells = {kind: np.concatenate([mesh.cells[i].data for i in first if kinds[i] == kind]) for kind in dict.fromkeys(kinds[i] for i in first)}
        place = [np.arange(first[i], first[i] + len(block.data)) for i, block in enumerate(mesh.cells)]
        data = {name: np.concatenate([parts[i] for i in sorted(first, key=first.get)])
                for name, parts in mesh.cell_data.items() if all(np.asarray(p).dtype.kind == "f" for p in parts)}
        points = {name: value for name, value in mesh.point_data.items() if np.asarray(value).dtype.kind == "f"}
        groups = _groups_of_meshio(mesh, place)
        more = _points_of_meshio(mesh, cells, start, groups)
        data = {name: np.concatenate([values, np.zeros((more, *values.shape[1:]))]) for name, values in data.items()}
        return cls(mesh.points, cells, groups, points, data)

    def _members(self, name, what):
        if isinstance(what, str):
            what = {what: slice(None)}
        if isinstance(what, dict):
            kinds = [_kind(kind) for kind in what]
            for kind in kinds:
                if kind not in self.ids:
                    raise ValueError(f"group '{name}' has cells '{kind}', of which there are none; there are: {', '.join(self.ids)}")
            try:
                return np.sort(np.concatenate([self.ids[kind][numbers] for kind, numbers in zip(kinds, what.values())]))
            except IndexError as error:
                raise ValueError(f"group '{name}': {error}") from None
        numbers = np.asarray(what)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iub" and numbers.size:
            raise ValueError(f"group '{name}' is {what!r}: a kind, numbers within kinds, or a list of numbers or a mask of all cells")
        if numbers.dtype == bool and len(numbers) != self.n_cell:
            raise ValueError(f"group '{name}' has a mask of {len(numbers)}, and there are {self.n_cell} cells")
        numbers = np.flatnonzero(numbers) if numbers.dtype == bool else np.unique(numbers.astype(int))
        if len(numbers) and not 0 <= numbers[0] <= numbers[-1] < self.n_cell:
            raise ValueError(f"group '{name}' has the cell {numbers[-1] if numbers[0] >= 0 else numbers[0]} of {self.n_cell}")
        return numbers

    def take_fields(self, case):
        """(case, mesh): arrays of the case that have a row for each node or cell become fields of the mesh, and their names
        stand in the case."""
        fields = {}
        case = _replaced(case, (), self, fields)
        points = {name: data for name, data in fields.items() if len(data) == len(self.points)}
        cells = {name: self._whole(data) for name, data in fields.items() if name not in points}
        if not fields:
            return case, self
        return case, Mesh(self.points, self.cells, self.groups, {**self.point_data, **points}, {**self.cell_data, **cells},
                          self.ids)

    def body(self):
        """Numbers of the cells of the highest dimension, without the edges and faces beside them."""
        most = max(KINDS[kind][2] for kind in self.cells)
        return np.sort(np.concatenate([self.ids[kind] for kind in self.cells if KINDS[kind][2] == most]))

    def _whole(self, data):
        if len(data) == self.n_cell:
            return data
        whole = np.zeros((self.n_cell, *data.shape[1:]))
        whole[self.body()] = data
        return whole

    def write(self, path):
        """Writes a mesh file: Sinew's own (.h5), or what else `sinew mesh` writes (.msh, .inp). A file that is there is replaced."""
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            bare = os.path.join(folder, "mesh.h5")
            self._write_bare(bare)
            done = subprocess.run([find(), "mesh", bare, os.fspath(path), "--overwrite", "--quiet"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        warned, _ = errors.messages(done.stderr)
        for text in warned:
            if not (text.startswith(bare) and "checksum" in text):  # which the new file has
                warnings.warn(text, errors.SinewWarning, stacklevel=2)
        if done.returncode:
            errors.raise_for(done.returncode, done.stderr.replace(bare, "the mesh"), lambda *place: None, None)

    def _write_bare(self, path):
        """The file without its checksum, for the program that reads it at once."""
        from .result import _needed
        kinds = sorted(self.cells, key=_ORDER_OF.index)
        number = np.empty(self.n_cell, dtype="<i4")  # the file has kinds in this order
        number[np.concatenate([self.ids[kind] for kind in kinds])] = np.arange(self.n_cell)
        with _needed("h5py", "writing a mesh").File(path, "w") as file:
            root = file.create_group("mesh")
            root.attrs["version"] = np.int32(1)
            root.attrs["n_node"], root.attrs["n_element"] = np.int32(len(self.points)), np.int32(self.n_cell)
            root["coordinates"] = self.points.astype("<f8")
            root["node_tags"] = np.arange(1, len(self.points) + 1, dtype="<i8")
            elements, first = root.create_group("elements"), 0
            for kind in kinds:
                at = elements.create_group(kind)
                at.attrs["first"] = np.int32(first)
                at["nodes"] = _to_gmsh(kind, self.cells[kind], self.points).astype("<i4")
                at["tags"] = np.arange(first + 1, first + 1 + len(self.cells[kind]), dtype="<i8")
                first += len(self.cells[kind])
            self._write_groups(root.create_group("groups"), number)
            self._write_fields(root.create_group("fields"), np.argsort(number))

    def write_into(self, folder):
        """Writes the mesh into the folder, which is made, under a name that follows from what it holds; its path."""
        os.makedirs(folder, exist_ok=True)
        part = os.path.join(os.path.abspath(folder), f"mesh-{os.getpid()}.part")
        self._write_bare(part)
        with open(part, "rb") as file:
            path = os.path.join(os.path.abspath(folder), f"mesh-{hashlib.sha1(file.read()).hexdigest()[:12]}.h5")
        os.replace(part, path)
        return path

    def _write_groups(self, at, number):
        dimension = np.concatenate([np.full(len(nodes), KINDS[kind][2]) for kind, nodes in self.cells.items()])
        dimension = dimension[np.argsort(np.concatenate([self.ids[kind] for kind in self.cells]))]
        for i, (name, members) in enumerate(self.groups.items()):
            has = np.unique(dimension[members])
            if len(has) != 1:
                raise ValueError(f"group '{name}' has cells of the dimensions {has.tolist()}, must be of one" if len(has) else
                                 f"group '{name}' has no cells: leave it out")
            data = at.create_dataset(str(i), data=np.sort(number[members]))
            data.attrs["name"] = np.bytes_(name.encode() + b"\0")
            data.attrs["dimension"], data.attrs["number"] = np.int32(has[0]), np.int32(i + 1)

    def _write_fields(self, at, order):
        fields = [(name, "nodes", data) for name, data in self.point_data.items()]
        fields += [(name, "elements", data[order]) for name, data in self.cell_data.items()]
        for i, (name, where, data) in enumerate(fields):
            data = at.create_dataset(str(i), data=data.reshape(len(data), -1).astype("<f8"))
            data.attrs["name"], data.attrs["on"] = np.bytes_(name.encode() + b"\0"), np.bytes_(where)


def _kind(name):
    kind = name if name in KINDS else _KIND_OF_MESHIO.get(name)
    if not kind:
        raise ValueError(f"cells of the kind '{name}' are not known; allowed: {', '.join(KINDS)}, or meshio's names of them")
    return kind


def _nodes(name, nodes, n_point):
    nodes, most = np.asarray(nodes), KINDS[_kind(name)][3]
    if nodes.ndim != 2 or nodes.shape[1] != most:
        raise ValueError(f"cells '{name}' have the shape {nodes.shape}, must be (cells, {most})")
    if nodes.size and not (nodes.dtype.kind in "iu" and 0 <= nodes.min() <= nodes.max() < n_point):
        raise ValueError(f"cells '{name}' name the nodes {nodes.min()} to {nodes.max()}, must be whole numbers from 0 to "
                         f"{n_point - 1}")
    return nodes


def _numbered(cells):
    ids, start = {}, 0
    for kind, nodes in cells.items():
        ids[kind] = np.arange(start, start + len(nodes))
        start += len(nodes)
    return ids


def _rows(name, data, n, what):
    data = np.asarray(data, dtype=float)
    if not data.ndim or len(data) != n:
        raise ValueError(f"field '{name}' has the shape {data.shape}, and there are {n} {what}")
    return data


def _to_gmsh(kind, nodes, points):
    order = KINDS[kind][4]
    if kind.startswith("wedge"):  # codes differ in which way round the triangles go, and a cell has no negative volume
        x = points[nodes[:, :4]]
        # VTK's triangle looks outward: away from the other one
        inward = np.einsum("ij,ij->i", np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]), x[:, 3] - x[:, 0]) > 0
        flipped = order if kind == "wedge6" else _FLIPPED_15
        nodes = np.where(inward[:, None], nodes[:, list(flipped)], nodes)
    if order is _SAME:
        return nodes
    out = np.empty_like(nodes)
    out[:, list(order)] = nodes
    return out


def _groups_of_meshio(mesh, place):
    groups = {}
    for name, parts in mesh.cell_sets.items():
        if not name.startswith("gmsh:"):
            groups[name] = np.concatenate([place[i][part] for i, part in enumerate(parts) if part is not None and len(part)])
    physical = mesh.cell_data.get("gmsh:physical")
    for name, (number, dimension) in mesh.field_data.items() if physical else ():
        groups[name] = np.concatenate([place[i][np.asarray(physical[i]) == number] for i, block in enumerate(mesh.cells)
                                       if KINDS[_kind(block.type)][2] == dimension] or [np.empty(0, int)])
    return groups


def _points_of_meshio(mesh, cells, start, groups):
    """Point sets as groups of points, which `cells` and `groups` get; how many points are new, of number `start` and on."""
    sets = {name: np.unique(np.asarray(nodes, dtype=int)) for name, nodes in (getattr(mesh, "point_sets", None) or {}).items()
            if len(nodes) and not name.startswith("gmsh:")}
    for name in [name for name in sets if name in groups]:
        warnings.warn(f"the point set '{name}' is left out: a set of cells has this name", errors.SinewWarning, stacklevel=3)
        del sets[name]
    if not sets:
        return 0
    have = cells.get("point1", np.empty((0, 1), int))
    new = np.setdiff1d(np.concatenate(list(sets.values())), have[:, 0])
    cells["point1"] = np.concatenate([have, new[:, None]])
    at, nodes = start - len(have), cells["point1"][:, 0]
    for name, members in sets.items():
        groups[name] = at + np.flatnonzero(np.isin(nodes, members))
    return len(new)


def _replaced(value, path, mesh, fields):
    if isinstance(value, dict):
        return {key: _replaced(item, (*path, str(key)), mesh, fields) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_replaced(item, (*path, str(i)), mesh, fields) for i, item in enumerate(value)]
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    if len(value) in (len(mesh.points), mesh.n_cell, len(mesh.body())):
        name = "-".join(path)
        if len(value) == len(mesh.points) and len(value) in (mesh.n_cell, len(mesh.body())):
            raise ValueError(f"{'.'.join(path)}: an array of {len(value)} rows, and the mesh has as many nodes as cells: give it to the mesh, as "
                             "point_data or cell_data, and name it, {'field': NAME}")
        fields[name] = value.astype(float)
        return name if path[-1] == "field" else {"field": name}
    if value.size > 36:
        raise ValueError(f"{'.'.join(path)}: an array of the shape {value.shape}, but the mesh has {len(mesh.points)} nodes and "
                         f"{len(mesh.body())} cells")
    return value.tolist()
