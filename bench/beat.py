#!/usr/bin/env python3
"""A beat of both ventricles in a closed loop: ten Tusscher's cells on the elements of the muscle split once more, Land's tension, Guccione's
muscle of order 2, from file to file: nodes, seconds by part, iterations of Newton's method, and the loops of the ventricles.
   beat.py SINEW [--size MM] [--end MS] [--step MS] [--mesh FILE [--rabbit]] [--backend cpu|cuda] [--set KEY=VALUE ...]"""
import argparse, csv, json, os, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sinew")
parser.add_argument("--size", type=float, default=2.7, help="of elements, before all is made larger by a quarter; 2.7: 50 thousand nodes of muscle")
parser.add_argument("--mesh", help="of such ventricles, with those groups, in place of one made by gmsh")
parser.add_argument("--rabbit", action="store_true", help="the mesh is that of a rabbit in mm: stiffer muscle with viscosity, held base, Windkessels of its size")
parser.add_argument("--end", type=float, default=800)
parser.add_argument("--step", type=float, default=1)
parser.add_argument("--backend", default="auto")
parser.add_argument("--set", action="append", default=[])
TISSUE = """tissue:
  - on: myocardium
    ionic: {model: ten-tusscher, preset: epi}
    diffusivity: {along: 0.154, across: 0.077}
    velocity: 0.6
    fibers: {rule: ldrb, lv: lv_endo, rv: rv_endo, epi: epi, base: base, alpha: {endo: 60, epi: -60}}
stimuli: [{name: left, on: lv_endo, depth: %g, duration: 2, amplitude: 50}, {name: right, on: rv_endo, depth: %g, duration: 2, amplitude: 50}]
eikonal: {}
"""
CASE = """version: 1
title: A beat
units: mm, ms, mV, kPa
mesh: {file: %s, scale: 1.25, order: 2%s}
physics: electromechanics
%smuscle: [{on: myocardium, type: guccione, c: 1, bf: 8, bt: 2, bfs: 4, bulk: 200, tension: {model: land, preset: whole-organ}}]
boundary:
  - {on: base, fix: {z: 0}}
  - {on: base, spring: 0.1}
  - {on: epi, spring: {normal: 0.02}, dashpot: {normal: 1}}
cavities: [{name: lv, on: lv_endo, pressure: 1.2, wall: epi}, {name: rv, on: rv_endo, pressure: 0.6}]
circulation:
  model: closed-loop
  cycle: 800
  ventricles: {lv: lv, rv: rv}
  begin: {beats: 40}
  lv: {elastance: {active: 0.416, passive: 0.015, v0: 20, start: 50, contraction: 216, relaxation: 104}}
  rv: {elastance: {active: 0.246, passive: 0.011, v0: 10, start: 50, contraction: 216, relaxation: 104}}
solver: {rtol: 1e-6}
time: {end: %g, step: %g, cells: {step: 0.05, refine: 1}}
output: {every: %g, fields: [displacement, potential, tension], maps: [activation]}
"""
RABBIT = """version: 1
title: A beat of a rabbit
units: mm, ms, mV, kPa
mesh: {file: %s, order: 2%s}
physics: electromechanics
%smuscle: [{on: myocardium, type: guccione, c: 2, viscosity: 10, bf: 8, bt: 2, bfs: 4, bulk: 200, tension: {model: land, preset: whole-organ}}]
boundary:
  - {on: base, fix: all}
  - {on: epi, spring: {normal: 0.06}, dashpot: {normal: 1}}
cavities: [{name: lv, on: lv_endo, pressure: 0.8, lid: carries}, {name: rv, on: rv_endo, pressure: 0.4, lid: carries}]
circulation:
  lv: {from: {pressure: 0.8, valve: {open: 100}}, to: {valve: {open: 100}, windkessel: {zc: 300, r: 5500, c: 0.24, pressure: 8.5}}}
  rv: {from: {pressure: 0.4, valve: {open: 100}}, to: {valve: {open: 100}, windkessel: {zc: 100, r: 900, c: 0.5, pressure: 1.5}}}
solver: {rtol: 1e-6}
time: {end: %g, step: %g, cells: {step: 0.05}}
output: {every: %g, fields: [displacement, potential, tension], maps: [activation]}
"""


def main():
    asked = parser.parse_args()
    if asked.rabbit and not asked.mesh:
        parser.error("--rabbit needs --mesh")
    made = ", gmsh: {h: %g}" % asked.size
    geometry = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cases/bi-ventricle/mesh.geo")
    with tempfile.TemporaryDirectory() as folder:
        case = os.path.join(folder, "case.yaml")
        with open(case, "w") as file:
            text, depth = (RABBIT, 0.5) if asked.rabbit else (CASE, 1)
            tissue = TISSUE % (depth, depth)
            file.write(text % (os.path.realpath(asked.mesh or geometry), "" if asked.mesh else made, tissue, asked.end, asked.step, min(100, asked.end)))
        begin = time.time()
        done = subprocess.run([asked.sinew, "run", case, "--backend", asked.backend, "--overwrite",
                               *(word for pair in asked.set for word in ("--set", pair))], stdout=subprocess.PIPE, text=True)
        spent = time.time() - begin
        lines = done.stdout.splitlines()
        print(*lines, sep="\n")
        if done.returncode:
            sys.exit(done.returncode)
        with open(os.path.join(folder, "results/report.json")) as file:
            report = json.load(file)
        print(json.dumps({key: report[key] for key in ("seconds", "steps", "newton", "iterations", "loops") if key in report}, indent=1)[:3000])
        with open(os.path.join(folder, "results/loops.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        print(f"{spent:.1f} s from file to file, {len(rows)} rows of loops.csv")


main()
