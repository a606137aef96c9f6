#!/usr/bin/env python3
"""One problem, every program that is here: a unit cube of n^3 hexahedra (hex8, E 1000, Poisson's ratio 0.3), held at x = 0 and
pulled by 1 at x = 1; the same displacement of the corner (1, 1, 1) must come out.
    python3 bench/rival/rivals.py PROGRAM [--cells 20 40] [--backend auto] [--only NAME ...] [--repeat 3]
Each runs in a process of its own, the best of the repetitions counts. `whole`: the process from its start to its end, with what it
imports and writes; `inside`: from the mesh in memory to the displacement; `solve`: the linear system. A relative residual of 1e-8
where it iterates. What is not installed is said so, in a row of its own."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

YOUNG, POISSON, RTOL = 1000.0, 0.3, 1e-8
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]


def cube(n):
    """Nodes, elements in the order of CORNERS (from 0), and the force along x at each node of x = 1."""
    import numpy as np
    k, j, i = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    nodes = np.stack([i, j, k], -1).reshape(-1, 3) / n
    k, j, i = (a.reshape(-1) for a in np.meshgrid(*[np.arange(n)] * 3, indexing="ij"))
    elements = np.stack([i + a + (n + 1) * (j + b + (n + 1) * (k + c)) for a, b, c in CORNERS], -1)
    inner = lambda x: np.where((x > 0) & (x < 1), 1.0, 0.5)
    force = np.where(nodes[:, 0] == 1, inner(nodes[:, 1]) * inner(nodes[:, 2]) / n**2, 0.0)
    return nodes, elements, force


def sinew(n, program, backend):
    with tempfile.TemporaryDirectory() as folder:
        case = os.path.join(folder, "case.yaml")
        with open(case, "w") as out:
            out.write(f"version: 1\nmesh: {{grid: [{n + 1}, {n + 1}, {n + 1}]}}\nphysics: elasticity\nmodel: 3d\n"
                      f"formulation: displacement\nmaterials: [{{on: body, young: {YOUNG}, poisson: {POISSON}}}]\n"
                      "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\n"
                      f"solver: {{rtol: {RTOL}}}\n"
                      "output: {fields: [displacement], probes: [{name: tip, at: [1, 1, 1], field: displacement-x}]}\n")
        subprocess.run([program, "run", case, "-q", "--backend", backend, "-o", folder + "/r"], check=True)
        report = json.load(open(folder + "/r/report.json"))
        with open(folder + "/r/probes.csv") as rows:
            names, values = rows.readline().strip().split(","), rows.readlines()[-1].strip().split(",")
    tip = next(float(v) for name, v in zip(names, values) if name.startswith("tip"))
    seconds = report["seconds"]
    around = sum(seconds[phase] for phase in ("start", "mesh", "write", "end"))
    return {"tip": tip, "inside": seconds["total"] - around, "solve": seconds["preconditioner"] + seconds["solve"]}


def calculix(n):
    nodes, elements, force = cube(n)
    corner = len(nodes)
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/cube.inp", "w") as out:
            out.write("*NODE\n" + "".join("%d,%.17g,%.17g,%.17g\n" % (i + 1, *x) for i, x in enumerate(nodes)))
            out.write("*ELEMENT,TYPE=C3D8,ELSET=BODY\n")
            out.writelines("%d,%s\n" % (e + 1, ",".join(str(i + 1) for i in v)) for e, v in enumerate(elements))
            out.write(f"*NSET,NSET=TIP\n{corner}\n*MATERIAL,NAME=M\n*ELASTIC\n{YOUNG},{POISSON}\n"
                      "*SOLID SECTION,ELSET=BODY,MATERIAL=M\n*STEP\n*STATIC\n*BOUNDARY\n")
            out.writelines("%d,1,3\n" % (i + 1) for i in range(corner) if nodes[i, 0] == 0)
            out.write("*CLOAD\n" + "".join("%d,1,%.17g\n" % (i + 1, f) for i, f in enumerate(force) if f))
            out.write("*NODE PRINT,NSET=TIP\nU\n*END STEP\n")
        begin = time.perf_counter()
        subprocess.run(["ccx", "cube"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        spent = time.perf_counter() - begin
        tip = float(open(folder + "/cube.dat").read().split()[-3])
    return {"tip": tip, "inside": spent, "solve": None}


def scikit_fem(n):
    import numpy as np
    import skfem
    from skfem.models.elasticity import lame_parameters, linear_elasticity
    nodes, elements, force = cube(n)
    begin = time.perf_counter()
    # its corners: (0,0,0), (0,0,1), (0,1,0), (1,0,0), (0,1,1), (1,0,1), (1,1,0), (1,1,1)
    order = [CORNERS.index(c) for c in ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1))]
    mesh = skfem.MeshHex(np.ascontiguousarray(nodes.T), np.ascontiguousarray(elements[:, order].T))
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex1()), intorder=2)
    matrix = skfem.asm(linear_elasticity(*lame_parameters(YOUNG, POISSON)), basis)
    load = np.zeros(matrix.shape[0])
    load[basis.nodal_dofs[0]] = force
    held = basis.get_dofs(lambda x: x[0] == 0).flatten()
    import scipy.sparse.linalg as la
    reduced, right, whole, free = skfem.condense(matrix, load, D=held)
    middle = time.perf_counter()
    diagonal = 1 / reduced.diagonal()
    u, failed = la.cg(reduced, right, rtol=RTOL, atol=0, maxiter=20000, M=la.LinearOperator(reduced.shape, lambda r: diagonal * r))
    assert not failed
    end = time.perf_counter()
    whole[free] = u
    return {"tip": float(whole[basis.nodal_dofs[0, -1]]), "inside": end - begin, "solve": end - middle}


def torch_fem(n):
    import torch
    from torchfem import Solid
    from torchfem.materials import IsotropicElasticity3D
    torch.set_default_dtype(torch.float64)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_default_device(device)
    nodes, elements, force = (torch.as_tensor(a, device=device) for a in cube(n))
    begin = time.perf_counter()
    body = Solid(nodes, elements, IsotropicElasticity3D(E=YOUNG, nu=POISSON))
    body.forces[:, 0] = force
    body.constraints[nodes[:, 0] == 0] = True
    u = body.solve(rtol=RTOL)[0]
    if device == "cuda":
        torch.cuda.synchronize()
    return {"tip": float(u[-1, 0]), "inside": time.perf_counter() - begin, "solve": None}


RIVALS = {"calculix": calculix, "scikit-fem": scikit_fem, "torch-fem": torch_fem}
NEEDS = {"calculix": "numpy", "scikit-fem": "skfem", "torch-fem": "torchfem"}


def missing(name):
    """Why it cannot run here, or None."""
    import importlib.util
    if name == "calculix" and not shutil.which("ccx"):
        return "ccx is not in PATH"
    if name != "sinew" and not importlib.util.find_spec(NEEDS[name]):
        return f"no module {NEEDS[name]}"
    return None


def best(name, n, args):
    found = None
    for _ in range(args.repeat):
        begin = time.perf_counter()
        if name == "sinew":
            one = sinew(n, os.path.abspath(args.program), args.backend)
        else:
            done = subprocess.run([sys.executable, __file__, "--one", name, str(n)], stdout=subprocess.PIPE, text=True)
            if done.returncode:
                return None
            one = json.loads(done.stdout.strip().splitlines()[-1])
        one["whole"] = time.perf_counter() - begin
        if not found or one["inside"] < found["inside"]:
            found = one
    return found


def main():
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(RIVALS[sys.argv[2]](int(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cells", type=int, nargs="+", default=[20, 40])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--only", nargs="+", choices=["sinew", *RIVALS])
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    seconds = lambda s: "" if s is None else "%.3g" % s
    print("| program | unknowns | whole, s | inside, s | solve, s | displacement of the corner |\n|---|---|---|---|---|---|")
    for n in args.cells:
        first = None
        for name in args.only or ["sinew", *RIVALS]:
            why = missing(name)
            got = None if why else best(name, n, args)
            if not got:
                print(f"| {name} | | {why or 'failed, see above'} | | | |")
                continue
            first = first or got["tip"]
            apart = "" if got["tip"] == first else " (%.1e)" % (got["tip"] / first - 1)
            print(f"| {name} | {3 * (n + 1)**3:,} | {seconds(got['whole'])} | {seconds(got['inside'])} | {seconds(got['solve'])} "
                  f"| {got['tip']:.10g}{apart} |", flush=True)


if __name__ == "__main__":
    main()
