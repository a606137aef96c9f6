"""Opens results.hdf and results.xdmf of a folder with every reader of ParaView, or with PyVista, and checks mesh, times
and every value.

Called by tests/output/paraview.c, which wrote the files:
pvpython paraview_check.py paraview|pyvista LIST, with lines FOLDER N_NODE N_CELL N_STEP BENT
"""
import sys
import vtkmodules.vtkCommonCore

POINTS = [(0.1, 0.2, 0.3), (0.25, 0.5, 0.125), (0.6, 0.3, 0.05)]
FIELDS = [("displacement", False, 3), ("von-mises", False, 1), ("stress", True, 6), ("activation", False, 1)]


def expect(condition, *what):
    if not condition:
        print("FAILED:", *what)
        sys.exit(1)


def value(field, step, row, component):
    return (field + 1) * 1000.0 + (0 if field == 3 else step + 1) * 64.0 + row + component / 8.0


def place(x, i):
    """Where paraview.c put the point x of cell i's reference element: 4 i aside, and bent by a cubic of unit determinant."""
    x = list(x)
    if bent:
        x[0] += 0.3 * x[1] ** 3 - 0.2 * x[1] ** 2 * x[2]
    x[0] += 4 * i
    return x


def node_own(cell, a, i):
    """Reference coordinates of node a: place() undone."""
    x = list(cell.GetPoints().GetPoint(a))
    return [a - b for a, b in zip(x, [place([0.0, x[1], x[2]], i)[0], 0, 0])]


def cubic(x):
    return 1 + x[0] - 2 * x[1] + 3 * x[2] + x[0] ** 2 * x[1] - x[1] ** 3 + 2 * x[0] * x[1] * x[2]


def reference(cell, at):
    """VTK's parametric coordinates in the reference element: [0,1] against [-1,1], a wedge's triangles turned, a pyramid
    as a cube whose top is one point."""
    name = cell.GetClassName()
    if "Wedge" in name:
        return [at[1], at[0], 2 * at[2] - 1]
    if "Pyramid" in name:
        return [(2 * at[0] - 1) * (1 - at[2]), (2 * at[1] - 1) * (1 - at[2]), at[2]]
    simplex = cell.GetNumberOfFaces() == 4 or cell.GetNumberOfEdges() == 3
    return [p if simplex else 2 * p - 1 for p in at]


def middle(points):
    x = [points.GetPoint(a) for a in range(points.GetNumberOfPoints())]
    return [sum(p[k] for p in x) / len(x) for k in range(3)]


def check_faces(cell, i):
    """VTK's own faces of the cell look outward: else surfaces show lines between kinds, and are dark on one side."""
    center = middle(cell.GetPoints())
    for f in range(cell.GetNumberOfFaces()):
        points = cell.GetFace(f).GetPoints()
        a, b, c = [points.GetPoint(k) for k in range(3)]
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        normal = [u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3] for k in range(3)]
        outward = sum(n * (p - q) for n, p, q in zip(normal, middle(points), center))
        expect(outward > 0, "cell", i, cell.GetClassName(), "face", f, "looks inward")


def check_shape(data, i):
    """The cell is a reference cell at its place: VTK's own map of it must be that one, and a cubic cell's shape functions
    make a cubic field of its nodes."""
    cell = data.GetCell(i)
    if not bent:
        check_faces(cell, i)
    for at in POINTS:
        x, weights = [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
        cell.EvaluateLocation(vtkmodules.vtkCommonCore.reference(0), at, x, weights)
        own = reference(cell, at)
        if cell.GetCellDimension() == 2:
            own[2] = 0.0
        error = max(abs(a - b) for a, b in zip(x, place(own, i)))
        expect(error < 1e-12, "cell", i, cell.GetClassName(), "at", at, "lies at", x, "not", place(own, i))
        if cell.GetNumberOfPoints() in (10, 20) and "Lagrange" in cell.GetClassName():
            got = sum(w * cubic(node_own(cell, a, i)) for a, w in enumerate(weights))
            expect(abs(got - cubic(own)) < 1e-12, "a cubic field at", at, "is", got, "not", cubic(own))


def measure(cell):
    x = [cell.GetPoints().GetPoint(a) for a in range(cell.GetNumberOfPoints())]
    e = [[b - a for a, b in zip(x[0], p)] for p in x[1:]]
    if len(e) == 2:
        return (e[0][0] * e[1][1] - e[0][1] * e[1][0]) / 2
    return sum(e[0][k] * (e[1][(k + 1) % 3] * e[2][(k + 2) % 3] - e[1][(k + 2) % 3] * e[2][(k + 1) % 3]) for k in range(3)) / 6


def check_pieces(data):
    """Cubic cells in linear pieces: all positive, all nodes in use, the whole as large as the cells."""
    sizes = [measure(data.GetCell(i)) for i in range(data.GetNumberOfCells())]
    flat = data.GetCell(0).GetCellDimension() == 2
    whole = n_cell * (1 / 2 if flat else 1 / 6)
    expect(data.GetNumberOfCells() == n_cell * (9 if flat else 27), data.GetNumberOfCells(), "pieces")
    expect(min(sizes) > 0, "a piece has the size", min(sizes))
    expect(abs(sum(sizes) / whole - 1) < (0.02 if bent else 1e-12), "pieces make", sum(sizes), "of", whole)
    used = {data.GetCell(i).GetPointId(a) for i in range(len(sizes)) for a in range(3 if flat else 4)}
    expect(used == set(range(n_node)), "nodes in no piece:", set(range(n_node)) - used)


def check_cell_data(data, pieces, what):
    """element-id counts from 3 (two lines come first); the first cell is in groups 7 and 9, the others in 9."""
    each = data.GetNumberOfCells() // n_cell if pieces else 1
    for name, first, others in ("element-id", 3, None), ("group", 7, 9), ("material", 1, 2):
        array = data.GetCellData().GetArray(name)
        expect(array is not None, what, "has no", name)
        got = [array.GetTuple(i)[0] for i in range(data.GetNumberOfCells())]
        wanted = [first if i < each else others or first + i // each for i in range(data.GetNumberOfCells())]
        expect(got == wanted, what, name, "is", got, "not", wanted)


def check_data(data, step, what):
    expect(data.GetNumberOfPoints() == n_node, what, "points", data.GetNumberOfPoints())
    pieces = data.GetNumberOfCells() != n_cell
    if pieces:
        check_pieces(data)
    else:
        for i in range(n_cell):
            check_shape(data, i)
    expect(pieces == ("xdmf" in what and cubics), what, "cells", data.GetNumberOfCells())
    check_cell_data(data, pieces, what)
    for f, (name, on_cells, n) in enumerate(FIELDS):
        if pieces and on_cells:
            continue
        array = (data.GetCellData() if on_cells else data.GetPointData()).GetArray(name)
        expect(array is not None, what, "has no", name)
        expect(array.GetNumberOfComponents() == n, what, name, "has components:", array.GetNumberOfComponents())
        for row in range(n_cell if on_cells else n_node):
            got = array.GetTuple(row)
            expect(got == tuple(value(f, step, row, c) for c in range(n)), what, name, "of row", row, "is", got)


def block_of(data):
    """The only mesh of what a reader gives."""
    while data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    return data


def times_of(times):
    return [times] if isinstance(times, float) else list(times)


def with_paraview():
    """Yields for each reader its name, the times, and what reads a time."""
    from paraview import simple, servermanager
    sidecar = folder + "/results.xdmf"
    readers = [("results.hdf", simple.OpenDataFile(folder + "/results.hdf")),
               ("results.xdmf, opened", simple.OpenDataFile(sidecar)),
               ("results.xdmf, Xdmf2", simple.XDMFReader(FileNames=[sidecar])),
               ("results.xdmf, Xdmf3 S", simple.Xdmf3ReaderS(FileName=[sidecar])),
               ("results.xdmf, Xdmf3 T", simple.Xdmf3ReaderT(FileName=[sidecar]))]
    for name, reader in readers:
        def read(time, reader=reader):
            reader.UpdatePipeline(time)
            return block_of(servermanager.Fetch(reader))
        reader.UpdatePipelineInformation()
        hdf_of_5_11 = name == "results.hdf" and simple.GetParaViewVersion() < (5, 12)  # it knows the first step only
        yield name, None if hdf_of_5_11 else times_of(reader.TimestepValues), read


def with_pyvista():
    import pyvista
    for name in "results.hdf", "results.xdmf":
        whole = pyvista.read(folder + "/" + name)
        expect(block_of(whole).GetNumberOfPoints() == n_node, "pyvista.read of", name)
        reader = pyvista.get_reader(folder + "/" + name)
        def read(time, reader=reader):
            if hasattr(reader, "set_active_time_value"):
                reader.set_active_time_value(time)
            return block_of(reader.read())
        yield "pyvista, " + name, times_of(reader.time_values) if hasattr(reader, "time_values") else None, read


for line in open(sys.argv[2]):
    folder, n_node, n_cell, n_step, bent = [int(word) if word.isdigit() else word for word in line.split()]
    cubics = False
    for what, times, read in with_pyvista() if sys.argv[1] == "pyvista" else with_paraview():
        expect(times is None or times == [k / 2 for k in range(n_step)], line, what, "times", times)
        for step in range(1 if times is None else n_step):
            data = read(step / 2)
            if "results.hdf" in what:
                cubics = "Lagrange" in data.GetCell(0).GetClassName() and data.GetCell(0).GetNumberOfPoints() in (10, 20)
            check_data(data, step, "%s: %s, step %d," % (line, what, step))
