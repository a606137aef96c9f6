"""Makes emblem.pgm: a ring, a cross of bars, a disc and checks in grey, n x n pixels.  python3 make_image.py [n]
Prints the heat that it holds on the unit square, which is the mean with the weights of the trapezoidal rule."""
import math
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 256


def grey(x, y):
    r = math.hypot(x - 0.5, y - 0.5)
    if 0.34 < r < 0.42:
        return 255
    if r >= 0.3:
        return 0
    if abs(x - 0.5) < 0.03 or abs(y - 0.5) < 0.03:
        return 230
    if math.hypot(x - 0.38, y - 0.38) < 0.07:
        return 190
    return 153 if x > 0.53 and y > 0.53 and (math.floor(20 * x) + math.floor(20 * y)) % 2 else 0


pixel = [[grey(i / (n - 1), j / (n - 1)) for i in range(n)] for j in range(n)]
weight = [0.5 if i in (0, n - 1) else 1.0 for i in range(n)]
total = sum(weight[j] * sum(w * p for w, p in zip(weight, pixel[j])) for j in range(n))
with open("emblem.pgm", "wb") as f:
    f.write(b"P5\n%d %d\n255\n" % (n, n) + bytes(p for row in pixel for p in row))
print("%.12g" % (total / 255 / (n - 1) ** 2))
