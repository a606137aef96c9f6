"""Opens results.hdf and results.xdmf of a folder in ParaView and checks mesh, times and every value.

Called by tests/output/paraview.c, which wrote the files: pvpython paraview_check.py FOLDER N_NODE N_CELL N_STEP
"""
import sys
from paraview.simple import OpenDataFile, servermanager
import vtkmodules.vtkCommonCore

folder, n_node, n_cell, n_step = sys.argv[1], *map(int, sys.argv[2:5])
POINTS = [(0.1, 0.2, 0.3), (0.25, 0.5, 0.125), (0.6, 0.3, 0.05)]
FIELDS = [("displacement", False, 3), ("von-mises", False, 1), ("stress", True, 6), ("activation", False, 1)]


def expect(condition, *what):
    if not condition:
        print("FAILED:", *what)
        sys.exit(1)


def value(field, step, row, component):
    return (field + 1) * 1000.0 + (0 if field == 3 else step + 1) * 64.0 + row + component / 8.0


def check_shape(data, i):
    """The cell is a reference cell, 4 i aside: VTK's own map of it must be the identity (up to [0,1] against [-1,1])."""
    cell = data.GetCell(i)
    simplex = cell.GetNumberOfFaces() == 4 or cell.GetNumberOfEdges() == 3
    for at in POINTS:
        x, weights = [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
        cell.EvaluateLocation(vtkmodules.vtkCommonCore.reference(0), at, x, weights)
        wanted = [p if simplex else 2 * p - 1 for p in at]
        wanted[0] += 4 * i
        if cell.GetCellDimension() == 2:
            wanted[2] = 0.0
        error = max(abs(a - b) for a, b in zip(x, wanted))
        expect(error < 1e-12, "cell", i, cell.GetClassName(), "at", at, "lies at", x, "not", wanted)


def check_data(data, step, what):
    expect(data.GetNumberOfPoints() == n_node, what, "points", data.GetNumberOfPoints())
    expect(data.GetNumberOfCells() == n_cell, what, "cells", data.GetNumberOfCells())
    for i in range(n_cell):
        check_shape(data, i)
    for f, (name, on_cells, n) in enumerate(FIELDS):
        array = (data.GetCellData() if on_cells else data.GetPointData()).GetArray(name)
        expect(array is not None, what, "has no", name)
        expect(array.GetNumberOfComponents() == n, what, name, "has components:", array.GetNumberOfComponents())
        for row in range(n_cell if on_cells else n_node):
            got = array.GetTuple(row)
            expect(got == tuple(value(f, step, row, c) for c in range(n)), what, name, "of row", row, "is", got)


reader = OpenDataFile(folder + "/results.hdf")
reader.UpdatePipeline()
check_data(servermanager.Fetch(reader), 0, "results.hdf")
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
