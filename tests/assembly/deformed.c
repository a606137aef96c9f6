/* A body that is deformed: the operator on the mesh as it was against that on the mesh where it has gone to, with the tensors of fibres
 * that went along, for all elements; and channels that stretch opens, and nodes between others. */
#include "assembly/diffusion/deformed.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "tests/assembly/problem.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static const double F[3][3] = {{1.3, 0.2, 0.1}, {-0.15, 0.85, 0.05}, {0.1, -0.1, 0.95}}, D[3] = {0.3, 0.1, 0.04},
                    OPENS = 0.02, REVERSAL = -30;

static void times_F(const double a[3], bool plane, double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] = 0;
    for (int k = 0; k < 3; ++k) out[i] += (plane && (i == 2 || k == 2) ? i == k : F[i][k]) * a[k];
  }
}

/* F^-T a by cofactors, up to a factor: that of two vectors across a. */
static void normal_by_F(const double a[3], bool plane, double out[3]) {
  const double other[3] = {a[1] + 0.3, a[2] - 0.7, a[0] + 0.1};
  double s[3], t[3], Fs[3], Ft[3];
  vec3_cross(a, other, s);
  vec3_cross(a, s, t);
  times_F(s, plane, Fs);
  times_F(t, plane, Ft);
  vec3_cross(Fs, Ft, out);
  if (vec3_dot(out, a) < 0)
    for (int i = 0; i < 3; ++i) out[i] = -out[i];
  vec3_normalize(out);
}

/* Unit fibres and normals of an element, at right angles; in a plane, fibres in it. */
static void axes_of(int32_t e, bool plane, double f[3], double n[3]) {
  const double z[3] = {0, 0, 1}, to[3] = {cos(1.0 + e), sin(1.0 + e), plane ? 0 : 0.4}, some[3] = {0.3, -0.5, 0.9};
  memcpy(f, to, sizeof to);
  vec3_normalize(f);
  vec3_cross(f, plane ? z : some, n);
  if (plane) memcpy(n, z, sizeof z);
  vec3_normalize(n);
}

/* d_s I + (d_f - d_s) f f^T + (d_n - d_s) n n^T */
static void tensor_of(const double f[3], const double n[3], double out[6]) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    out[k] = (i == j) * D[1] + (D[0] - D[1]) * f[i] * f[j] + (D[2] - D[1]) * n[i] * n[j];
  }
}

/* K u of a mesh with these tensors, u and K u [n_node] in the mesh's order. */
static Diffusion *diffusion_of(const Mesh *mesh, const double (*tensor)[6], const int32_t *rank) {
  Diffusion *d;
  assert_ok(diffusion_create(
      exec, &(DiffusionParams){.mesh = mesh, .tensor = tensor, .lumped = true, .node_rank = rank}, &d));
  return d;
}
static void product(Diffusion *d, const double *u, double *out) {
  const int64_t n = diffusion_dofs(d);
  double *there, *r;
  assert_ok(exec_alloc(exec, n, sizeof *there, "u", (void **)&there));
  assert_ok(exec_alloc(exec, n, sizeof *r, "K u", (void **)&r));
  assert_ok(diffusion_initial(d, u, there));
  assert_ok(diffusion_residual(d, there, NULL, NULL, true, r));
  assert_ok(diffusion_download(d, r, out));
  exec_release(exec, n, sizeof *there, (void **)&there);
  exec_release(exec, n, sizeof *r, (void **)&r);
}

static void means(Diffusion *d, Deformed *deformed, double stretch_least, double stretch_most) {
  const int64_t n = diffusion_dofs(d);
  double *there[3], *value = calloc((size_t)n, sizeof *value), *level = calloc((size_t)n, sizeof *level);
  for (int k = 0; k < 3; ++k) assert_ok(exec_alloc(exec, n, sizeof(double), "means", (void **)&there[k]));
  assert_ok(diffusion_lumped_mass(d, there[0]));
  assert_ok(deformed_open(deformed, there[0], there[1], there[2]));
  assert_ok(diffusion_download(d, there[1], value));
  assert_ok(diffusion_download(d, there[2], level));
  for (int64_t i = 0; i < n; ++i) {
    assert_true(value[i] >= OPENS * fmax(0, stretch_least - 1) - 1e-15);
    assert_true(value[i] <= OPENS * fmax(0, stretch_most - 1) + 1e-15);
    assert_near(level[i], REVERSAL * value[i], 1e-14);
  }
  for (int k = 0; k < 3; ++k) exec_release(exec, n, sizeof(double), (void **)&there[k]);
  free(value), free(level);
}

static void one(Mesh *mesh, bool backwards) {
  const bool plane = mesh->dim == 2;
  const int32_t n = mesh->n_node;
  int32_t solved = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) solved += mesh->block[b].n;
  double(*before)[6] = calloc((size_t)solved, sizeof *before), (*after)[6] = calloc((size_t)solved, sizeof *after);
  double *u = calloc((size_t)n, sizeof *u), *here = calloc((size_t)n, sizeof *here),
         *there = calloc((size_t)n, sizeof *there);
  double(*moved)[3] = calloc((size_t)n, sizeof *moved), least = HUGE_VAL, most = 0;
  int32_t *rank = calloc((size_t)n, sizeof *rank);
  DeformedElement *element = calloc((size_t)solved, sizeof *element);
  for (int32_t e = 0; e < solved; ++e) {
    DeformedElement *to = &element[e];
    double f[3], normal[3];
    *to = (DeformedElement){.D = {D[0], D[1], D[2]}, .opens = OPENS, .reversal = REVERSAL};
    axes_of(e, plane, to->fiber, to->normal);
    tensor_of(to->fiber, to->normal, before[e]);
    times_F(to->fiber, plane, f);
    const double stretch = vec3_normalize(f);
    normal_by_F(to->normal, plane, normal);
    tensor_of(f, normal, after[e]);
    least = fmin(least, stretch), most = fmax(most, stretch);
  }
  for (int32_t i = 0; i < n; ++i) {
    double x[3];
    times_F(mesh->x[i], plane, x);
    vec3_minus(x, mesh->x[i], moved[i]);
    u[i] = sin(3 * mesh->x[i][0]) + mesh->x[i][1] * mesh->x[i][1] - 0.4 * mesh->x[i][2] * mesh->x[i][0];
    rank[i] = n - 1 - i;
  }
  Diffusion *d = diffusion_of(mesh, (const double(*)[6])before, backwards ? rank : NULL);
  Deformed *deformed;
  assert_ok(deformed_create(d, &(DeformedParams){.element = element, .conducts = true, .opens = true}, &deformed));
  product(d, u, there);
  assert_ok(deformed_see(deformed)); /* at rest */
  product(d, u, here);
  for (int32_t i = 0; i < n; ++i) assert_near(here[i], there[i], 1e-13);
  assert_ok(exec_upload(exec, deformed_moved(deformed), moved, (size_t)n * sizeof *moved));
  assert_ok(deformed_see(deformed));
  product(d, u, here);
  means(d, deformed, least, most);
  deformed_destroy(&deformed);
  diffusion_destroy(&d);
  for (int32_t i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) mesh->x[i][c] += moved[i][c];
  d = diffusion_of(mesh, (const double(*)[6])after, NULL);
  product(d, u, there);
  double size = 0;
  for (int32_t i = 0; i < n; ++i) size = fmax(size, fabs(there[i]));
  assert_true(size > 1e-3);
  for (int32_t i = 0; i < n; ++i) assert_within(here[i], there[i], 1e-12 * size);
  diffusion_destroy(&d);
  free(before), free(after), free(u), free(here), free(there), free(moved), free(rank), free(element);
  mesh_destroy(&mesh);
}

static void all_elements(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    if (element_type((ElementKind)kind)->dim >= 2) one(patch_mesh((ElementKind)kind), kind % 2);
}

/* Nodes of a mesh that is split twice lie where their sources say. */
static void between(void **state) {
  (void)state;
  Mesh *coarse = patch_mesh(ELEMENT_HEX8), *middle, *fine;
  NodeSources level[2] = {{0}};
  assert_ok(mesh_refine_from(coarse, &level[0], &middle));
  assert_ok(mesh_refine_from(middle, &level[1], &fine));
  double(*D_of)[6] = calloc((size_t)fine->n_element, sizeof *D_of);
  DeformedElement *element = calloc((size_t)fine->n_element, sizeof *element);
  double(*x)[3] = calloc((size_t)fine->n_node, sizeof *x);
  for (int32_t e = 0; e < fine->n_element; ++e) D_of[e][0] = D_of[e][1] = D_of[e][2] = 1;
  Diffusion *d = diffusion_of(fine, (const double(*)[6])D_of, NULL);
  Deformed *deformed;
  assert_ok(deformed_create(d, &(DeformedParams){.element = element, .opens = true, .n_level = 2, .level = level},
                            &deformed));
  /* the coordinates themselves as displacements */
  assert_ok(exec_upload(exec, deformed_moved(deformed), coarse->x, (size_t)coarse->n_node * sizeof *coarse->x));
  assert_ok(deformed_see(deformed));
  assert_ok(exec_download(exec, x, deformed_moved(deformed), (size_t)fine->n_node * sizeof *x));
  for (int32_t i = 0; i < fine->n_node; ++i)
    for (int c = 0; c < 3; ++c) assert_near(x[i][c], fine->x[i][c], 1e-14);
  deformed_destroy(&deformed);
  diffusion_destroy(&d);
  for (int k = 0; k < 2; ++k) node_sources_release(&level[k]);
  free(D_of), free(element), free(x);
  mesh_destroy(&coarse), mesh_destroy(&middle), mesh_destroy(&fine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_elements), cmocka_unit_test(between)};
  return testing_run("deformed", tests, exec);
}
