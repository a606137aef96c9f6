#!/usr/bin/env python3
"""Durations of cell models from files by Sinew, step by step, beside Myokit's CVODE (`pip install myokit`, Debian's libsundials-dev)
with tolerances of 1e-9: one beat of each model of a folder from its initial state, by a stimulus of 52 mV/ms for 1 ms, 104 and 208
where that starts none. Ends with 1 if APD90 is off by more than 0.5 % at a step that Sinew does not refuse.
    cells_cvode.py SINEW FOLDER_OR_FILE.. [-- STEP_MS..]"""
import csv, glob, os, subprocess, sys, tempfile
import myokit
import myokit.formats.cellml
import numpy

LAST, TOLERATED, CYCLE = 0.01, 0.005, 1000.0
STIMULI = "i_stim", "istim", "i_st", "stim", "i_app", "i_stimulus", "i_stim_current"


def load(path):
    model = myokit.load_model(path) if path.endswith(".mmt") else myokit.formats.cellml.CellMLImporter().model(path)
    V = model.label("membrane_potential")
    for name in ("V", "Vm", "v", "V_m"):
        if V is None:
            V = next((s for s in model.states() if s.name() == name), None)
    if model.binding("pace") is None:
        stimulus = [v for v in model.variables(deep=True, state=False) if v.name().lower() in STIMULI]
        if V is None or len(stimulus) != 1:
            raise ValueError("which are the potential and the stimulus?")
        stimulus[0].set_rhs(0)
        stimulus[0].set_binding("pace")
    return model, V


def factor(variable, unit):
    own = variable.unit()
    return 1.0 if own in (None, myokit.units.dimensionless) else myokit.Unit.conversion_factor(own, unit).value()


def through(t, V, k, level):
    return t[k] + (t[k + 1] - t[k]) * (level - V[k]) / (V[k + 1] - V[k])


def duration(t, V):
    """APD90 as `sinew cell` has it: from -40 mV to the last fall through a tenth of the way from rest to peak."""
    level = V.max() - 0.9 * (V.max() - V[0])
    up, above = numpy.where((V[:-1] < -40) & (V[1:] >= -40))[0], numpy.where(V[:-1] >= level)[0]
    if not len(up) or not len(above) or V[-1] >= level:
        return numpy.nan
    return through(t, V, above[-1], level) - through(t, V, up[0], -40)


def reference(path):
    model, V = load(path)
    time = model.time()
    mV, ms = factor(V, myokit.units.mV), factor(time, myokit.units.ms)
    run = myokit.Simulation(model)
    slope = [run.evaluate_derivatives(inputs={"pace": p})[V.index()] for p in (0.0, 1.0)]
    for amplitude in (52, 104, 208):
        protocol = myokit.Protocol()
        protocol.schedule(amplitude / ((slope[1] - slope[0]) * mV / ms), 0, 1 / ms)
        run = myokit.Simulation(model, protocol)
        run.set_tolerance(1e-9, 1e-9)
        log = run.run(CYCLE / ms, log=[time.qname(), V.qname()], log_interval=LAST / ms)
        t, v = numpy.array(log[time.qname()]) * ms, numpy.array(log[V.qname()]) * mV
        if v.max() > 0:
            break
    return amplitude, duration(t, v), v.max()


def sinew(program, path, amplitude, step, folder):
    case = os.path.join(folder, "case.yaml")
    with open(case, "w") as f:
        f.write("version: 1\nmesh: {grid: [3, 2], size: [1, 1]}\nphysics: monodomain\n"
                "tissue: [{on: body, diffusivity: 0.1, ionic: {file: %s}}]\ntime: {end: 1, step: 0.001}\n" % path)
    run = subprocess.run([program, "cell", case, "--beats", "1", "--time-step", str(step), "--amplitude", str(amplitude), "--duration",
                          "1", "--overwrite", "--quiet"], capture_output=True, text=True)
    if run.returncode:
        return None, (run.stderr + run.stdout).strip()
    with open(os.path.join(folder, "cell", "beats.csv")) as f:
        row = next(csv.DictReader(f))
    return float(row["apd90"] or "nan"), ""


def main():
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    steps = [float(a) for a in sys.argv[cut + 1:]] or [0.005, 0.02, 0.05]
    paths = []
    for a in sys.argv[2:cut]:
        paths += sorted(glob.glob(os.path.join(a, "*.mmt")) + glob.glob(os.path.join(a, "*.cellml"))) if os.path.isdir(a) else [a]
    bad = 0
    print("%-34s %9s %s" % ("model", "CVODE, ms", " ".join("%16g ms" % s for s in steps)))
    for path in paths:
        try:
            amplitude, wanted, peak = reference(path)
        except Exception as error:
            print("%-34s no reference: %s" % (os.path.basename(path), str(error).strip().split("\n")[0][:90]), flush=True)
            continue
        cells, why = [], ""
        for step in steps:
            with tempfile.TemporaryDirectory() as folder:
                got, said = sinew(os.path.abspath(sys.argv[1]), os.path.abspath(path), amplitude, step, folder)
            if got is None:
                cells.append("refused"), why or (why := said)
                continue
            off = got / wanted - 1
            wrong = abs(off) > TOLERATED or numpy.isnan(got) != numpy.isnan(wanted)
            bad += wrong
            cells.append("%.2f %+.2f %%%s" % (got, 100 * off, " !" if wrong else ""))
        print("%-34s %9.2f %s" % (os.path.basename(path), wanted, " ".join("%19s" % c for c in cells)), flush=True)
        if why:
            print("    " + why.replace("\n", "\n    "), flush=True)
    print("%d beyond %g %%" % (bad, 100 * TOLERATED))
    return bad > 0


sys.exit(main())
