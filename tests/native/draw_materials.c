/* Materials and their axes. */
#include "tests/native/draw_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Inverse of the compliance in its axes, turned by brute force; axes R[k] are rows. */
static void turn(const double local[6][6], const double R[3][3], double C[6][6]) {
  static const int voigt[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}, first[6] = {0, 1, 2, 0, 1, 0},
                   second[6] = {0, 1, 2, 1, 2, 2};
  for (int m = 0; m < 36; ++m) {
    const int i = first[m / 6], j = second[m / 6], k = first[m % 6], l = second[m % 6];
    double v = 0;
    for (int q = 0; q < 81; ++q) {
      const int a = q % 3, b = q / 3 % 3, c = q / 9 % 3, e = q / 27;
      v += R[a][i] * R[b][j] * R[c][k] * R[e][l] * local[voigt[a][b]][voigt[c][e]];
    }
    C[m / 6][m % 6] = v;
  }
}

static void draw_axes(Build *b, double R[3][3]) {
  const bool space = b->d->p.dim == 3;
  double x[3] = {uniform(b, 0.5, 1), uniform(b, -1, 1), space ? uniform(b, -1, 1) : 0},
         y[3] = {uniform(b, -0.3, 0.3), 1, space ? uniform(b, -1, 1) : 0};
  memset(R, 0, 9 * sizeof(double)), R[0][0] = R[1][1] = R[2][2] = 1;
  if (chance(b, 0.3)) return;
  double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), along = 0;
  for (int d = 0; d < 3; ++d) R[0][d] = x[d] / length, along += R[0][d] * y[d];
  double left = 0;
  for (int d = 0; d < 3; ++d) R[1][d] = y[d] - along * R[0][d], left += R[1][d] * R[1][d];
  for (int d = 0; d < 3; ++d) R[1][d] /= sqrt(left);
  for (int d = 0; d < 3; ++d) R[2][d] = R[0][(d + 1) % 3] * R[1][(d + 2) % 3] - R[0][(d + 2) % 3] * R[1][(d + 1) % 3];
  say(b->text, ", axes: {x: "), say_vector(b->text, x, space ? 3 : 2);
  if (space) say(b->text, ", y: "), say_vector(b->text, y, 3);
  say(b->text, "}");
}

static void draw_material(Build *b, int m) {
  PlainMaterial *out = &b->d->p.material[m];
  double S[36] = {0}, C[36] = {0}, R[3][3], expansion[3];
  const int type = pick(b, 3); /* isotropic, orthotropic, transverse */
  double E[3], nu[3], G[3];
  for (int k = 0; k < 3; ++k)
    E[k] = uniform(b, 500, 2000), nu[k] = uniform(b, 0.05, 0.3), G[k] = uniform(b, 200, 800),
    expansion[k] = uniform(b, 1e-5, 4e-5);
  if (type == 0) E[1] = E[2] = E[0], nu[1] = nu[2] = nu[0], G[0] = G[1] = G[2] = E[0] / (2 + 2 * nu[0]);
  if (type == 2) E[2] = E[1], nu[2] = uniform(b, 0.05, 0.3), nu[1] = nu[0], G[1] = G[0], G[2] = E[1] / (2 + 2 * nu[2]);
  if (type == 0) say(b->text, "young: %.17g, poisson: %.17g", E[0], nu[0]);
  if (type == 1)
    say(b->text, "type: orthotropic, young: "), say_vector(b->text, E, 3), say(b->text, ", poisson: "),
        say_vector(b->text, nu, 3), say(b->text, ", shear: "), say_vector(b->text, G, 3);
  if (type == 2)
    say(b->text, "type: transverse, young: [%.17g, %.17g], poisson: [%.17g, %.17g], shear: %.17g", E[0], E[1], nu[0],
        nu[2], G[0]);
  out->density = uniform(b, 0.5, 2), out->thickness = 1;
  say(b->text, ", density: %.17g", out->density);
  if (b->d->p.model <= PLANE_STRAIN)
    out->thickness = uniform(b, 0.2, 2), say(b->text, ", thickness: %.17g", out->thickness);
  if (type == 0 || chance(b, 0.5))
    expansion[1] = expansion[2] = expansion[0], say(b->text, ", expansion: %.17g", expansion[0]);
  else say(b->text, ", expansion: "), say_vector(b->text, expansion, 3);
  memset(R, 0, sizeof R), R[0][0] = R[1][1] = R[2][2] = 1;
  if (type && b->d->p.model != AXISYMMETRIC) draw_axes(b, R);
  for (int k = 0; k < 3; ++k) S[7 * k] = 1 / E[k], C[7 * k] = C[21 + 7 * k] = 1;
  S[1] = S[6] = -nu[0] / E[0], S[2] = S[12] = -nu[1] / E[0], S[8] = S[13] = -nu[2] / E[1];
  S[21] = 1 / G[0], S[28] = 1 / G[2], S[35] = 1 / G[1]; /* xy yz xz of G12 G13 G23 */
  plain_solve(S, C, 6, 6);
  turn((const double(*)[6])C, (const double(*)[3])R, out->C);
  for (int k = 0; k < 6; ++k) {
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    out->expansion[k] = 0;
    for (int a = 0; a < 3; ++a) out->expansion[k] += (k < 3 ? 1 : 2) * R[a][first[k]] * R[a][second[k]] * expansion[a];
  }
}

void draw_materials(Build *b) {
  bool used[2] = {false, false};
  for (int e = 0; e < b->d->p.n_element; ++e) used[b->d->p.element[e].material] = true;
  say(b->text, "materials:\n");
  for (int m = 0; m < 2; ++m) {
    if (!used[m]) continue;
    say(b->text, "  - {on: %s, ", m ? "right" : "left");
    draw_material(b, m);
    say(b->text, "}\n");
  }
  if (b->d->p.model <= PLANE_STRAIN && used[0] && used[1]) { /* a force over both goes by length */
    b->d->p.material[1].thickness = b->d->p.material[0].thickness;
    char *at = strstr(strstr(b->text, "on: right"), "thickness: ");
    char rest[4000];
    strcpy(rest, strpbrk(at, ",}")), at[0] = 0;
    say(b->text, "thickness: %.17g%s", b->d->p.material[0].thickness, rest);
  }
}
