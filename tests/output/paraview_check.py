"""Opens results.hdf and results.xdmf of a folder in ParaView and checks mesh, times and every value.

Called by tests/output/paraview.c, which wrote the files: pvpython paraview_check.py FOLDER N_NODE N_CELL N_STEP BENT
"""
import sys
from paraview.simple import OpenDataFile, servermanager
import vtkmodules.vtkCommonCore

folder, n_node, n_cell, n_step, bent = sys.argv[1], *map(int, sys.argv[2:6])
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


def check_shape(data, i):
    """The cell is a reference cell at its place: VTK's own map of it must be that one (up to [0,1] against [-1,1]), and
    a cubic cell's shape functions make a cubic field of its nodes."""
    cell = data.GetCell(i)
    simplex = cell.GetNumberOfFaces() == 4 or cell.GetNumberOfEdges() == 3
    for at in POINTS:
        x, weights = [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
        cell.EvaluateLocation(vtkmodules.vtkCommonCore.reference(0), at, x, weights)
        own = [p if simplex else 2 * p - 1 for p in at]
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


def check_data(data, step, what):
    expect(data.GetNumberOfPoints() == n_node, what, "points", data.GetNumberOfPoints())
    pieces = data.GetNumberOfCells() != n_cell
    if pieces:
        check_pieces(data)
    else:
        for i in range(n_cell):
            check_shape(data, i)
    expect(pieces == (what != "results.hdf" and cubics), what, "cells", data.GetNumberOfCells())
    for f, (name, on_cells, n) in enumerate(FIELDS):
        if pieces and on_cells:
            continue
        array = (data.GetCellData() if on_cells else data.GetPointData()).GetArray(name)
        expect(array is not None, what, "has no", name)
        expect(array.GetNumberOfComponents() == n, what, name, "has components:", array.GetNumberOfComponents())
        for row in range(n_cell if on_cells else n_node):
            got = array.GetTuple(row)
            expect(got == tuple(value(f, step, row, c) for c in range(n)), what, name, "of row", row, "is", got)


reader = OpenDataFile(folder + "/results.hdf")
reader.UpdatePipeline()
whole = servermanager.Fetch(reader)
cubics = "Lagrange" in whole.GetCell(0).GetClassName() and whole.GetCell(0).GetNumberOfPoints() in (10, 20)
check_data(whole, 0, "results.hdf")
reader = OpenDataFile(folder + "/results.xdmf")
reader.UpdatePipelineInformation()
times = reader.TimestepValues
times = [times] if isinstance(times, float) else list(times)
expect(times == [k / 2 for k in range(n_step)], "times", times)
for step in range(n_step):
    reader.UpdatePipeline(step / 2)
    data = servermanager.Fetch(reader)
    if data.IsA("vtkMultiBlockDataSet"):
        data = data.GetBlock(0)
    check_data(data, step, "results.xdmf, step %d," % step)
print("ParaView reads", n_step, "steps of", n_cell, "cells as written")
