"""Cases that the tests of the Python module run, and how they are stopped."""
import glob
import os
import signal
import threading
import time

import h5py

import sinew

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
    test.assertIn("resume=True", str(caught.exception))
    test.assertNotIn("sinew run", str(caught.exception))
    test.assertEqual(sinew.Result(folder).report["status"], "stopped")
    return case
