"""Results as arrays: fields from results.hdf, tables from .csv files, report.json."""
import csv
import difflib
import json
import operator
import os

_SUFFIX = {3: ("x", "y", "z"), 6: ("xx", "yy", "zz", "xy", "yz", "xz")}


def _needed(module, what):
    """A module that is needed for one thing only."""
    import importlib
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"{what} needs the Python package '{module}', which is not installed: pip install {module}") from None


class _Arrays:
    """NumPy, from its first use on: the report, the log and the folder of a run need none."""

    def __getattr__(self, name):
        return getattr(_needed("numpy", "reading results"), name)


np = _Arrays()


class Table(dict):
    """A table of columns: {name: array}, from a .csv file."""

    @classmethod
    def read(cls, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        columns = list(zip(*rows[1:])) or [()] * len(rows[0])
        return cls((name, _column(values)) for name, values in zip(rows[0], columns))

    def __missing__(self, name):
        raise KeyError(f"no column '{name}'; there are: {', '.join(self)}")

    def to_pandas(self):
        """The table as a pandas.DataFrame."""
        return _needed("pandas", "to_pandas").DataFrame(dict(self))


def _column(values):
    """Numbers, nan where there is none; texts where it has any."""
    if any(values):
        try:
            return np.array([value or "nan" for value in values], dtype=float)
        except ValueError:
            pass
    return np.array(values, dtype=object if values else float)


class Result:
    """The results in a folder, which may be named by its results.hdf.

    result["von-mises"], result.von_mises   a field at the last stored time, float64, (n) or (n, components); mapped from the
                            file where it is stored as it is, so that only what is looked at is read
    result["stress-xx"]     a component
    result.field(name, step=0), result.field(name, time=5.0), result.history(name)
    result.time, result.steps, result.names, result.probes, result.table("modes"), result.report, result.mesh
    result.log, result.warnings   what the program said
    """

    def __init__(self, folder, *, log="", warnings=(), keep=None):
        self.folder, self.log, self.warnings, self._keep = os.path.abspath(folder), log, list(warnings), keep
        if os.path.basename(self.folder) == "results.hdf" and os.path.isfile(self.folder):
            self.folder = os.path.dirname(self.folder)
        self._path = os.path.join(self.folder, "results.hdf")
        self._loaded = {}
        if not any(os.path.exists(os.path.join(self.folder, name)) for name in ("results.hdf", "loops.csv")):
            raise FileNotFoundError(f"'{folder}' holds no results.hdf")

    def _read_head(self):
        """What the file holds, with the first question that needs it. A circulation alone has tables and no fields."""
        if not os.path.exists(self._path):
            self._n, self.time, self._rows, self._group, self.steps = 0, np.empty(0), {}, {}, None
            return
        with self._open() as file:
            steps = file["VTKHDF/Steps"]
            self._n = int(steps.attrs["NSteps"])
            #: float64 [steps], the stored times (frequencies, load factors, numbers of load cases)
            self.time = steps["Values"][:self._n].astype(float)
            self._rows = {"PointData": file["VTKHDF/Points"].shape[0], "CellData": file["VTKHDF/Types"].shape[0]}
            self._group = {name: group for group in ("CellData", "PointData") if group in file["VTKHDF"]
                           for name in file["VTKHDF"][group]}
            named = file.get("Sinew/load-cases/name")
            #: names of load cases, combinations and envelopes in the order of `time`, or None
            self.steps = [name.decode().rstrip("\0") for name in named[:]] if named is not None else None

    def __repr__(self):
        return f"<sinew.Result {self.folder}: {self._n} stored times, {', '.join(self.names)}>"

    @property
    def names(self):
        """Names of all fields."""
        return sorted(self._group)

    def __contains__(self, name):
        try:
            return bool(self._parts(name))
        except KeyError:
            return False

    def __getitem__(self, name):
        return self.field(name)

    def __getattr__(self, name):
        if name in ("time", "steps", "_n", "_rows", "_group") and "_group" not in self.__dict__:
            self._read_head()
            return self.__dict__[name]
        field = name.replace("_", "-")
        if name.startswith("_") or field not in self:
            raise AttributeError(f"a result has no '{name}'; fields: {', '.join(self.__dict__.get('_group', ()))}")
        return self.field(field)

    def is_on_cells(self, name):
        """True of a field with a row for each cell, False of one with a row for each node."""
        return self._group[self._parts(name)[0]] == "CellData"

    def units(self, name):
        """"Pa", or None where the case has no `units`."""
        field, _ = self._parts(name)
        with self._open() as file:
            unit = file[f"VTKHDF/{self._group[field]}/{field}"].attrs.get("units")
        return unit.decode() if isinstance(unit, bytes) else unit

    def field(self, name, step=None, time=None):
        """The field at the stored time of number `step` (from 0; -1 is the last) or next to `time`, which must lie between the first and the last; the last one unless given.
        Of load cases `step` may be a name."""
        field, component = self._parts(name)
        if step is not None and time is not None:
            raise ValueError("step and time both say which stored time: leave one of them out")
        if isinstance(step, str):
            if step not in (self.steps or ()):
                raise KeyError(f"no load case '{step}'; there are: {', '.join(self.steps or ('none',))}")
            step = self.steps.index(step)
        if time is not None:
            first, last = self.time[0], self.time[-1]
            if not first - 1e-9 * abs(first) <= time <= last + 1e-9 * abs(last):
                raise IndexError(f"time {time:g}: stored times are from {first:g} to {last:g}")
            step = int(np.argmin(np.abs(self.time - time)))
        step = -1 if step is None else operator.index(step)
        if not -self._n <= step < self._n:
            raise IndexError(f"step {step} of {self._n} stored times")
        with self._open() as file:
            values = self._read(file, field, step % self._n)
        return values if component is None else values[:, component]

    def history(self, name):
        """The field at all stored times, (steps, n) or (steps, n, components)."""
        field, component = self._parts(name)
        with self._open() as file:
            data, rows = file[f"VTKHDF/{self._group[field]}/{field}"], self._rows[self._group[field]]
            starts = self._starts(file, field)
            whole = self._map(data, 0, data.shape[0])
            if whole is not None and np.array_equal(starts, np.arange(self._n) * rows):
                values = whole[:self._n * rows].reshape(self._n, rows, *data.shape[1:])
            else:
                values = np.stack([self._read(file, field, k) for k in range(self._n)])
        return values if component is None else values[:, :, component]

    def _open(self):
        h5py = _needed("h5py", "reading results")
        try:
            return h5py.File(self._path, "r", locking=False)
        except OSError:  # whoever has it open in this process may have asked for locks: HDF5 wants all to ask alike
            return h5py.File(self._path, "r")

    def _parts(self, name):
        """("stress", 0) of "stress-xx", ("stress", None) of "stress"."""
        if name in self._group:
            return name, None
        field, _, suffix = str(name).rpartition("-")
        if field in self._group:
            with self._open() as file:
                shape = file[f"VTKHDF/{self._group[field]}/{field}"].shape
            suffixes = ("1", "2", "3") if field == "principal" else _SUFFIX.get(shape[1] if len(shape) > 1 else 1, ())
            if suffix in suffixes:
                return field, suffixes.index(suffix)
        near = difflib.get_close_matches(str(name), self._group, 1)
        raise KeyError(f"no field '{name}' in {self.folder}; there are: {', '.join(self.names) or 'none'}"
                       + (f"; did you mean '{near[0]}'?" if near else ""))

    def _starts(self, file, field):
        return file[f"VTKHDF/Steps/{self._group[field]}Offsets/{field}"][:self._n]

    def _read(self, file, field, step):
        group = self._group[field]
        data, start, rows = file[f"VTKHDF/{group}/{field}"], int(self._starts(file, field)[step]), self._rows[group]
        mapped = self._map(data, start, rows)
        if mapped is not None:
            return mapped
        values = data[start:start + rows]
        return values.astype(float) if values.dtype.kind == "f" else values

    def _map(self, data, start, rows):
        """`rows` rows from `start` on as a view of the file; None where they do not lie there as doubles, one after another."""
        if data.dtype != np.dtype("<f8") or not rows:
            return None
        width = data.dtype.itemsize * int(np.prod(data.shape[1:], dtype=int))
        if data.chunks is None:
            at = data.id.get_offset()
            at = None if at is None else at + start * width
        elif data.chunks == (rows, *data.shape[1:]) and data.id.get_create_plist().get_nfilters() == 0:
            at = data.id.get_chunk_info_by_coord((start,) + (0,) * (data.ndim - 1)).byte_offset
        else:
            return None
        return None if at is None else np.memmap(self._path, "<f8", "r", at, (rows, *data.shape[1:]))

    def _once(self, name, load):
        if name not in self._loaded:
            self._loaded[name] = load()
        return self._loaded[name]

    @property
    def report(self):
        """report.json as a dict."""
        def load():
            with open(os.path.join(self.folder, "report.json"), encoding="utf-8") as file:
                return json.load(file)
        return self._once("report", load)

    @property
    def probes(self):
        """probes.csv as a Table: probes and sums over the stored times."""
        return self.table("probes")

    def table(self, name):
        """A .csv file of the folder as a Table: "probes", "modes", "filaments"."""
        path = os.path.join(self.folder, name + ".csv")
        if not os.path.exists(path):
            there = sorted(file[:-4] for file in os.listdir(self.folder) if file.endswith(".csv"))
            raise FileNotFoundError(f"no table '{name}' in {self.folder}; there are: {', '.join(there) or 'none'}")
        return self._once("table " + name, lambda: Table.read(path))

    @property
    def mesh(self):
        """The mesh of the results: a Mesh whose groups are those of cells."""
        from .mesh import Mesh, kind_of_vtk

        def load():
            with self._open() as file:
                data = file["VTKHDF"]
                types, offsets, nodes = data["Types"][:], data["Offsets"][:], data["Connectivity"][:]
                number = data["CellData/group"][:] if "group" in self._group else np.zeros(len(types), int)
                named = file.get("Sinew/groups")
                names = dict(zip(named["number"][:].tolist(), named["name"][:].tolist())) if named else {}
                ids = {int(t): np.flatnonzero(types == t) for t in np.unique(types)}
                cells = {kind_of_vtk(t): nodes[offsets[at][:, None] + np.arange(offsets[at[0] + 1] - offsets[at[0]])]
                         for t, at in ids.items()}
                groups = {name.decode().rstrip("\0"): np.flatnonzero(number == k) for k, name in names.items()}
                return Mesh(data["Points"][:], cells, groups, ids={kind_of_vtk(t): at for t, at in ids.items()})
        return self._once("mesh", load)

    def to_pyvista(self, step=None, time=None):
        """A pyvista.UnstructuredGrid with all fields of one stored time, the last unless given."""
        pyvista = _needed("pyvista", "to_pyvista")
        with self._open() as file:
            data = file["VTKHDF"]
            types, offsets, nodes = data["Types"][:], data["Offsets"][:], data["Connectivity"][:]
            points = data["Points"][:]
        cells = np.insert(nodes, offsets[:-1], np.diff(offsets))  # VTK's list: a count before the nodes of each cell
        grid = pyvista.UnstructuredGrid(cells, types, points)
        for name in self.names:
            (grid.cell_data if self.is_on_cells(name) else grid.point_data)[name] = np.array(self.field(name, step, time))
        return grid

    def to_xarray(self):
        """An xarray.Dataset of all fields with dimensions step, node or cell, and component."""
        xarray = _needed("xarray", "to_xarray")
        data, coordinates = {}, {"time": ("step", self.time)}
        if self.steps:
            coordinates["step"] = self.steps
        for name in self.names:
            values = self.history(name)
            dimensions = ["step", "cell" if self.is_on_cells(name) else "node"]
            if values.ndim == 3:
                dimensions.append("principal_number" if name == "principal" else {3: "component", 6: "stress_component"}.get(
                    values.shape[2], f"component_{values.shape[2]}"))
                if dimensions[2] in ("component", "stress_component"):
                    coordinates[dimensions[2]] = list(_SUFFIX[values.shape[2]])
            data[name] = (dimensions, values)
        for k, axis in enumerate("xyz"):
            coordinates[axis] = ("node", self.mesh.points[:, k])
        return xarray.Dataset(data, coordinates)
