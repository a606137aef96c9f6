/* The largest stress at a re-entrant corner is told of corners, not of kinks that straight edges make along a curve: rings of a few
 * elements in the plane, around the axis, in space and with edges of order 2, against an L and grooves. */
#include "output/text.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 200 };
/* Quadrilaterals; edges with the group 'in', and those with 'out'. */
typedef struct Plan {
  int n, n_quad, n_in, n_out;
  double x[ROOM][2];
  int quad[ROOM][4], in[ROOM][2], out[ROOM][2];
} Plan;

/* From the angle `turn` on in n parts, about (3, 0); radii 1 and 2. */
static Plan ring(int n, double turn) {
  Plan p = {0};
  const int closed = turn > 6, last = closed ? n : n + 1;
  for (int i = 0; i < last; ++i)
    for (int k = 0; k < 2; ++k, ++p.n)
      p.x[p.n][0] = 3 + (1 + k) * cos(turn * i / n), p.x[p.n][1] = (1 + k) * sin(turn * i / n);
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i, b = 2 * ((i + 1) % last), quad[] = {a, a + 1, b + 1, b};
    memcpy(p.quad[p.n_quad++], quad, sizeof quad);
    p.in[p.n_in][0] = a, p.in[p.n_in++][1] = b;
    p.out[p.n_out][0] = a + 1, p.out[p.n_out++][1] = b + 1;
  }
  return p;
}

/* Strips of m elements across a profile y(x) and its top, whose largest stress is at the profile's points. */
static Plan strip(int n, const double (*profile)[2], double top) {
  Plan p = {0};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k, ++p.n) p.x[p.n][0] = profile[i][0], p.x[p.n][1] = k ? top : profile[i][1];
  for (int i = 0; i + 1 < n; ++i) {
    const int quad[] = {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1};
    memcpy(p.quad[p.n_quad++], quad, sizeof quad);
  }
  p.in[0][1] = 1, p.n_in = 1;
  p.out[0][0] = 2 * n - 2, p.out[0][1] = 2 * n - 1, p.n_out = 1;
  return p;
}

static void write_head(Text *text, int dim, int n) {
  text_add(text,
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n%d 1 \"body\"\n%d 2 \"in\"\n%d 3 "
           "\"out\"\n$EndPhysicalNames\n$Nodes\n%d\n",
           dim, dim - 1, dim - 1, n);
}

static void add_edges(Text *text, int dim, int n_point, const int (*edge)[2], int n, int tag, int *id) {
  for (int k = 0; k < n; ++k) {
    const int a = edge[k][0] + 1, b = edge[k][1] + 1;
    if (dim == 2) text_add(text, "%d 1 2 %d %d %d %d\n", ++*id, tag, tag, a, b);
    else text_add(text, "%d 3 2 %d %d %d %d %d %d\n", ++*id, tag, tag, a, b, b + n_point, a + n_point);
  }
}

/* In space 0.8 thick. */
static void write_plan(const char *folder, const Plan *p, int dim) {
  Text text = {0};
  int id = 0;
  write_head(&text, dim, p->n * (dim - 1));
  for (int layer = 0; layer < dim - 1; ++layer)
    for (int i = 0; i < p->n; ++i)
      text_add(&text, "%d %.17g %.17g %g\n", layer * p->n + i + 1, p->x[i][0], p->x[i][1], 0.8 * layer);
  text_add(&text, "$EndNodes\n$Elements\n%d\n", p->n_quad + p->n_in + p->n_out);
  add_edges(&text, dim, p->n, p->in, p->n_in, 2, &id);
  add_edges(&text, dim, p->n, p->out, p->n_out, 3, &id);
  for (int k = 0; k < p->n_quad; ++k) {
    text_add(&text, "%d %d 2 1 1", ++id, dim == 2 ? 3 : 5);
    for (int layer = 0; layer < dim - 1; ++layer)
      for (int a = 0; a < 4; ++a) text_add(&text, " %d", layer * p->n + p->quad[k][a] + 1);
    text_add(&text, "\n");
  }
  text_add(&text, "$EndElements\n");
  scratch_write(folder, "mesh.msh", text.data);
  text_release(&text);
}

/* A ring of n quad8 whose edges follow the circles. */
static void write_curved(const char *folder, int n) {
  Text text = {0};
  int id = 0;
  write_head(&text, 2, 5 * n);
  for (int i = 0; i < 2 * n; ++i)
    for (int k = 0; k < 2; ++k)
      text_add(&text, "%d %.17g %.17g 0\n", 2 * i + k + 1, 3 + (1 + k) * cos(M_PI * i / n),
               (1 + k) * sin(M_PI * i / n));
  for (int i = 0; i < n; ++i)
    text_add(&text, "%d %.17g %.17g 0\n", 4 * n + i + 1, 3 + 1.5 * cos(2 * M_PI * i / n), 1.5 * sin(2 * M_PI * i / n));
  text_add(&text, "$EndNodes\n$Elements\n%d\n", 3 * n);
  for (int i = 0; i < n; ++i) {
    const int a = 4 * i + 1, b = 4 * ((i + 1) % n) + 1, m = a + 2;
    text_add(&text, "%d 8 2 2 2 %d %d %d\n%d 8 2 3 3 %d %d %d\n", id + 1, a, b, m, id + 2, a + 1, b + 1, m + 1);
    text_add(&text, "%d 16 2 1 1 %d %d %d %d %d %d %d %d\n", id + 3, a, a + 1, b + 1, b, 4 * n + i + 1, m + 1,
             4 * n + (i + 1) % n + 1, m);
    id += 3;
  }
  text_add(&text, "$EndElements\n");
  scratch_write(folder, "mesh.msh", text.data);
  text_release(&text);
}

/* What a run says of corners. */
static void says(const char *folder, const char *model, const char *mesh, const char *boundary, bool corner) {
  char text[1000];
  snprintf(text, sizeof text,
           "version: 1\nphysics: elasticity\nmodel: %s\nmesh: {file: mesh.msh%s}\n"
           "materials: [{on: body, young: 300, poisson: 0.25}]\nboundary: [%s]\n",
           model, mesh, boundary);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
  if (said.code) fail_msg("exit code %d: %s\n%s", said.code, said.err, text);
  if (corner != (strstr(said.err, "re-entrant corner") != NULL)) fail_msg("%s\n%s\n%s", said.out, said.err, text);
  said_release(&said);
}

#define PRESSED "{on: in, pressure: 1}, {on: out, spring: 2}"

static void of_rings(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int n = 6; n <= 14; n += 4) {
    const Plan whole = ring(n, 2 * M_PI);
    write_plan(folder, &whole, 2);
    says(folder, "plane-strain", "", PRESSED, false);
    says(folder, "plane-stress", ", order: 2", PRESSED, false);
    says(folder, "axisymmetric", ", order: 2", PRESSED, false);
    write_plan(folder, &whole, 3);
    says(folder, "3d", "", PRESSED, false);
    says(folder, "3d", ", order: 2", PRESSED, false);
    if (n > 6) continue;
    write_plan(folder, &whole, 2); /* finer elements along its flats: a polygon, whose corners are ones */
    says(folder, "plane-strain", ", order: 2, refine: 2", PRESSED, true);
  }
  const Plan quarter = ring(2, M_PI / 2);
  write_plan(folder, &quarter, 2);
  says(folder, "plane-strain", ", order: 2", PRESSED, false);
  write_plan(folder, &quarter, 3);
  says(folder, "3d", "", PRESSED, false);
  for (int n = 4; n <= 8; n += 2) {
    write_curved(folder, n);
    says(folder, "plane-strain", "", PRESSED, false);
    says(folder, "axisymmetric", "", PRESSED, false);
  }
  scratch_remove(&folder);
}

/* A groove in the lower side of a bar that is bent by its own pull: one that goes up at once, an edge between flats of the same
 * slope as a ring's of 8, and a round one of as few parts. */
static void of_grooves(void **state) {
  (void)state;
  static const double step[][2] = {{0, 0},     {0.5, 0},   {1, 0},   {1.3, 0.7}, {1.6, 1.4}, {1.9, 2.1},
                                   {2.2, 1.4}, {2.5, 0.7}, {2.8, 0}, {3.4, 0},   {4, 0}};
  static const double slope[][2] = {{0, 0}, {1, 0}, {1.5, 0.6}, {2, 1.2}, {2.6, 1.2}, {3.2, 1.2}, {4, 1.2}};
  static const double rounded[][2] = {{0, 0}, {1, 0}, {1.25, 0.67}, {2, 1}, {2.75, 0.67}, {3, 0}, {4, 0}};
  char *folder = scratch_create();
  const Plan notch = strip(11, step, 3), edge = strip(7, slope, 2), groove = strip(7, rounded, 2);
  for (int dim = 2; dim <= 3; ++dim) {
    const char *model = dim == 2 ? "plane-strain" : "3d",
               *boundary = dim == 2 ? "{on: in, fix: {x: 0, y: 0}}, {on: out, traction: [1, 0]}"
                                    : "{on: in, fix: {x: 0, y: 0, z: 0}}, {on: out, traction: [1, 0, 0]}";
    write_plan(folder, &notch, dim);
    says(folder, model, "", boundary, true);
    says(folder, model, ", order: 2", boundary, true);
    write_plan(folder, &edge, dim);
    says(folder, model, ", order: 2", boundary, true);
    write_plan(folder, &groove, dim);
    says(folder, model, "", boundary, false);
    says(folder, model, ", order: 2", boundary, false);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_rings), cmocka_unit_test(of_grooves)};
  return cmocka_run_group_tests_name("app/corners", tests, NULL, NULL);
}
