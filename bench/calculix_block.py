"""A block of hexahedra as a deck for CalculiX (`ccx`), and runs with their seconds; for the comparisons beside this file."""
import os, resource, subprocess, sys, time


def write_block(f, n, size, element="C3D8"):
    """Nodes ALL and elements BODY of n = (nodes along x, y, z) over `size`; sets FOOT at x = 0 and HEAD at the other end."""
    nx, ny, nz = n

    def node(i, j, k):
        return 1 + i + nx * (j + ny * k)

    f.write("*NODE,NSET=ALL\n")
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                x = (size[0] * i / (nx - 1), size[1] * j / (ny - 1), size[2] * k / (nz - 1))
                f.write("%d,%.12g,%.12g,%.12g\n" % (node(i, j, k), *x))
    f.write("*ELEMENT,TYPE=%s,ELSET=BODY\n" % element)
    e = 0
    for k in range(nz - 1):
        for j in range(ny - 1):
            for i in range(nx - 1):
                e += 1
                at = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
                f.write("%d,%s\n" % (e, ",".join(str(node(i + a, j + b, k + c)) for a, b, c in at)))
    for name, i in (("FOOT", 0), ("HEAD", nx - 1)):
        f.write("*NSET,NSET=%s\n" % name)
        for k in range(nz):
            for j in range(ny):
                f.write("%d,\n" % node(i, j, k))


def timed(words, folder):
    """Seconds and processor seconds of a command."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (words[0], done.stdout[-2000:]))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, busy


def tell(ours, theirs):
    print("load of the machine %.1f" % os.getloadavg()[0])
    print("Sinew %.2f s, CalculiX %.2f s: %.1f times" % (ours[0], theirs[0], theirs[0] / ours[0]))
    print("processors: Sinew %.2f s, CalculiX %.2f s: %.1f times" % (ours[1], theirs[1], theirs[1] / ours[1]))
