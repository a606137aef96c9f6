/* Diffusion: patch tests of every element with an anisotropic tensor, elements against formulas written down here,
 * convection, lumped mass, the operators and what is made of them. */
#include "core/memory.h"
#include "tests/assembly/scalar.h"
#include "tests/mesh/mixed_mesh.h"

#include <math.h>
#include <string.h>

static double linear(const double *x) { return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2]; }

/* A linear field on the skin of a patch comes out inside, with constant flux and balanced reactions; the same with the
 * nodes numbered backwards. */
static void patch(Mesh *mesh, bool backwards) {
  Scalar s;
  scalar_begin(&s, testing_exec(), mesh);
  scalar_prescribe(&s, "skin", "1+2*x-3*y+0.5*z");
  int32_t *rank = calloc((size_t)s.mesh->n_node, sizeof *rank);
  for (int32_t i = 0; i < s.mesh->n_node; ++i) rank[i] = s.mesh->n_node - 1 - i;
  if (backwards) s.params.node_rank = rank;
  s.params.steady = true;
  scalar_solve(&s);
  free(rank);
  for (int32_t i = 0; i < s.mesh->n_node; ++i) assert_near(s.x[i], linear(s.mesh->x[i]), 1e-12);
  ScalarFields f;
  assert_ok(scalar_recover(&s, s.u, DIFFUSION_FIELD_FLUX | DIFFUSION_FIELD_REACTION, &f));
  const double g[3] = {2, -3, s.mesh->dim == 3 ? 0.5 : 0}, *D = s.tensor[0];
  const double wanted[3] = {-(D[0] * g[0] + D[3] * g[1]) - (s.mesh->dim == 3 ? D[5] * g[2] : 0),
                            -(D[3] * g[0] + D[1] * g[1]) - (s.mesh->dim == 3 ? D[4] * g[2] : 0),
                            s.mesh->dim == 3 ? -(D[5] * g[0] + D[4] * g[1] + D[2] * g[2]) : 0};
  for (int32_t e = 0; e < diffusion_solved(s.d); ++e)
    for (int c = 0; c < 3; ++c) assert_near(f.flux[e][c], wanted[c], 1e-12);
  double sum = 0, most = 0, skin = 0;
  for (int32_t i = 0; i < s.mesh->n_node; ++i) {
    sum += f.reaction[i];
    most = fmax(most, fabs(f.reaction[i]));
  }
  assert_true(most > 1e-3);
  assert_near(sum / most, 0, 1e-12);
  assert_ok(diffusion_group_sum(s.mesh, scalar_group(&s, "skin"), f.reaction, &skin));
  assert_near(skin / most, 0, 1e-12);
  scalar_fields_release(&f);
  scalar_finish(&s);
}

static void patches(void **state) {
  (void)state;
  for (int pass = 0; pass < 2 * N_ELEMENT_KINDS; ++pass) {
    const ElementKind kind = (ElementKind)(pass / 2);
    if (element_type(kind)->dim >= 2) patch(patch_mesh(kind), pass % 2);
  }
}

/* Hexahedra, pyramids, tetrahedra and wedges in one body, linear and quadratic. */
static void mixed(void **state) {
  (void)state;
  Mesh *mesh;
  for (int32_t order = 1; order <= 2; ++order)
    if (mixed_mesh(order, &mesh)) patch(mesh, order == 2);
}

/* Heat through a bar of unit section between 1 and 0: what goes in at one side comes out at the other. */
static void bar(void **state) {
  (void)state;
  Scalar s;
  scalar_begin(&s, testing_exec(), scalar_box(ELEMENT_QUAD4, 4, 0.2));
  for (int32_t e = 0; e < 16; ++e) s.tensor[e][3] = 0;
  scalar_prescribe(&s, "x0", "1");
  scalar_prescribe(&s, "x1", "0");
  scalar_solve(&s);
  ScalarFields f;
  assert_ok(scalar_recover(&s, s.u, DIFFUSION_FIELD_REACTION, &f));
  assert_null(f.flux);
  double in = 0, out = 0;
  assert_ok(diffusion_group_sum(s.mesh, scalar_group(&s, "x0"), f.reaction, &in));
  assert_ok(diffusion_group_sum(s.mesh, scalar_group(&s, "x1"), f.reaction, &out));
  assert_near(in, 2 * 0.25, 1e-12); /* D_xx times thickness */
  assert_near(out, -2 * 0.25, 1e-12);
  scalar_fields_release(&f);
  scalar_finish(&s);
}

/* -D u'' = 0 between flux q on one side and convection on the other: u(1) = ambient + q / h, slope q / D. */
static void convection(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD8, ELEMENT_TET10, ELEMENT_HEX8};
  for (int k = 0; k < 4; ++k) {
    Scalar s;
    scalar_begin(&s, testing_exec(), scalar_box(kinds[k], 3, 0));
    int32_t n = 0;
    for (int32_t b = 0; b < s.mesh->n_block; ++b)
      if (element_type(s.mesh->block[b].kind)->dim == s.mesh->dim) n += s.mesh->block[b].n;
    for (int32_t e = 0; e < n; ++e) s.tensor[e][3] = s.tensor[e][4] = s.tensor[e][5] = 0;
    scalar_load(&s, LOAD_FLUX, "x0", "6", "0");
    scalar_load(&s, LOAD_CONVECTION, "x1", "4", "20");
    s.params.steady = true;
    scalar_solve(&s);
    for (int32_t i = 0; i < s.mesh->n_node; ++i)
      assert_near(s.x[i], 20 + 6.0 / 4 + 6.0 / 2 * (1 - s.mesh->x[i][0]), 1e-11);
    assert_near(diffusion_total_load(s.d), (6 + 4 * 20) * (s.mesh->dim == 2 ? 0.25 : 1), 1e-12);
    scalar_finish(&s);
  }
}

/* K and M of one triangle and one tetrahedron against the formulas by cofactors: grad N_a = c_a / (dim! V). */
static void simplices(void **state) {
  (void)state;
  const double tri[3][3] = {{0.1, 0.2, 0}, {1.3, 0.1, 0}, {0.4, 0.9, 0}},
               tet[4][3] = {{0.1, 0.2, 0}, {1.3, 0.1, 0.2}, {0.4, 0.9, -0.1}, {0.3, 0.4, 1.1}};
  for (int dim = 2; dim <= 3; ++dim) {
    const int n = dim + 1;
    double g[4][3] = {{0}}, V;
    const double(*x)[3] = dim == 2 ? tri : tet;
    if (dim == 2) {
      V = 0.5 * ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]));
      for (int a = 0; a < 3; ++a) {
        g[a][0] = (x[(a + 1) % 3][1] - x[(a + 2) % 3][1]) / (2 * V);
        g[a][1] = (x[(a + 2) % 3][0] - x[(a + 1) % 3][0]) / (2 * V);
      }
    } else { /* the gradient of N_a is the normal of the opposite face over the height */
      V = 0;
      for (int a = 0; a < 4; ++a) {
        const double *p = x[(a + 1) % 4], *q = x[(a + 2) % 4], *r = x[(a + 3) % 4];
        double normal[3], height = 0;
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          normal[i] = (q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j]);
          height += normal[i] * (x[a][i] - p[i]);
        }
        for (int i = 0; i < 3; ++i) g[a][i] = normal[i] / height;
        V = fabs(height) / 6;
      }
    }
    Scalar s;
    Mesh *mesh = scalar_box(dim == 2 ? ELEMENT_TRI3 : ELEMENT_TET4, 1, 0);
    ElementBlock *block = NULL;
    for (int32_t b = 0; b < mesh->n_block; ++b)
      if (element_type(mesh->block[b].kind)->dim == dim) block = &mesh->block[b];
    int32_t node[4];
    memcpy(node, block->nodes, sizeof node);
    block->n = 1; /* the others are left out: their nodes have no elements */
    mesh->n_element = block->first + 1;
    for (int a = 0; a < n; ++a) memcpy(mesh->x[node[a]], x[a], sizeof x[a]);
    scalar_begin(&s, testing_exec(), mesh);
    scalar_create(&s);
    assert_int_equal(diffusion_unknowns(s.d), n);
    for (int what = 0; what < 2; ++what) {
      scalar_matrix(&s, what == 0, what == 1);
      const Pattern *p = diffusion_pattern(s.d);
      const double *D = s.tensor[0];
      const double full[3][3] = {{D[0], D[3], D[5]}, {D[3], D[1], D[4]}, {D[5], D[4], D[2]}};
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
          double wanted = 1.5 * s.thickness[0] * V * (a == b ? 2 : 1) / ((dim + 1) * (dim + 2));
          if (what == 0) {
            wanted = 0;
            for (int i = 0; i < dim; ++i)
              for (int j = 0; j < dim; ++j) wanted += V * s.thickness[0] * g[a][i] * full[i][j] * g[b][j];
          }
          for (int64_t k = p->start[node[a]]; k < p->start[node[a] + 1]; ++k)
            if (p->column[k] == node[b]) assert_near(s.A[s.slots.slot[k]], wanted, 1e-14);
        }
    }
    scalar_finish(&s);
  }
}

/* M adds up to capacity times volume, lumped or not; the lumped one is positive, and linear elements' is the row
 * sum, which that of means is for all. */
static void masses(void **state) {
  (void)state;
  for (int pass = 0; pass < 2 * N_ELEMENT_KINDS; ++pass) {
    const ElementKind kind = (ElementKind)(pass / 2);
    if (element_type(kind)->dim < 2) continue;
    Scalar s;
    scalar_begin(&s, testing_exec(), scalar_box(kind, 2, 0.2));
    s.params.lumped = pass % 2;
    scalar_create(&s);
    scalar_matrix(&s, 0, 1);
    const int64_t n = diffusion_dofs(s.d);
    double *one = calloc((size_t)n, 8), *row = calloc((size_t)n, 8), *lumped = calloc((size_t)n, 8), sum = 0, total = 0;
    for (int64_t i = 0; i < n; ++i) one[i] = 1;
    scalar_multiply(&s, one, row);
    assert_ok(diffusion_lumped_mass(s.d, s.u));
    assert_ok(exec_download(s.exec, lumped, s.u, scalar_bytes(&s)));
    const Pattern *p = diffusion_pattern(s.d);
    for (int32_t i = 0; i < n; ++i) {
      sum += row[i];
      total += lumped[i];
      assert_true(lumped[i] > 0);
      if (s.params.lumped || element_type(kind)->order == 1) assert_near(row[i], lumped[i], 1e-15);
      for (int64_t k = p->start[i]; k < p->start[i + 1] && s.params.lumped; ++k)
        if (p->column[k] != i) assert_true(s.A[s.slots.slot[k]] == 0);
    }
    const double wanted = 1.5 * (s.mesh->dim == 2 ? 0.25 : 1);
    assert_near(sum, wanted, 1e-14);
    assert_near(total, wanted, 1e-14);
    assert_ok(diffusion_integrals(s.d, s.u)); /* row sums of what is not lumped, whatever `lumped` says */
    assert_ok(exec_download(s.exec, one, s.u, scalar_bytes(&s)));
    for (int64_t i = 0; i < n && !s.params.lumped; ++i) assert_near(one[i], row[i], 1e-15);
    for (int64_t i = total = 0; i < n; ++i) total += one[i];
    assert_near(total, wanted, 1e-14);
    free(one), free(row), free(lumped);
    scalar_finish(&s);
  }
}

/* Symmetric, eliminated, and the same whether from elements or combined from the operators; residual = f - K u - M
 * v. */
static void operators(void **state) {
  (void)state;
  for (int lumped = 0; lumped < 2; ++lumped) {
    Scalar s;
    scalar_begin(&s, testing_exec(), scalar_box(ELEMENT_HEX8, 3, 0.2));
    s.params.lumped = lumped;
    scalar_prescribe(&s, "x0", "2");
    scalar_load(&s, LOAD_CONVECTION, "y1", "3+x", "7");
    scalar_create(&s);
    scalar_matrix(&s, 0.5, 8);
    const Pattern *p = diffusion_pattern(s.d);
    const int64_t n = p->n, n_value = s.slots.n_value;
    double *K = NULL, *M = NULL, *factor = NULL, *v = NULL, *r = NULL, *B = calloc((size_t)n_value, 8);
    const double two[2] = {0.5, 8};
    assert_ok(exec_alloc(s.exec, n_value, 8, "test", (void **)&K));
    assert_ok(exec_alloc(s.exec, n_value, 8, "test", (void **)&M));
    assert_ok(exec_alloc(s.exec, n, 8, "test", (void **)&v));
    assert_ok(exec_alloc(s.exec, n, 8, "test", (void **)&r));
    assert_ok(exec_alloc_upload(s.exec, 2, 8, two, "test", (void **)&factor));
    assert_ok(diffusion_operators(s.d, K, M));
    assert_ok(diffusion_combine(s.d, K, M, factor, s.values));
    assert_ok(exec_download(s.exec, B, s.values, (size_t)n_value * 8));
    int fixed = 0;
    for (int32_t i = 0; i < n; ++i)
      for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
        const int32_t j = p->column[k];
        assert_near(B[s.slots.slot[k]], s.A[s.slots.slot[k]], 1e-15);
        for (int64_t l = p->start[j]; l < p->start[j + 1]; ++l)
          if (p->column[l] == i) assert_true(s.A[s.slots.slot[l]] == s.A[s.slots.slot[k]]);
        if (s.mesh->x[i][0] == 0) assert_true(s.A[s.slots.slot[k]] == (i == j));
        fixed += s.mesh->x[i][0] == 0 && i == j;
      }
    assert_int_equal(fixed, 16);
    assert_int_equal(diffusion_unknowns(s.d), n - 16);
    double *hu = calloc((size_t)n, 8), *hv = calloc((size_t)n, 8), *ku = calloc((size_t)n, 8),
           *mv = calloc((size_t)n, 8), *hr = calloc((size_t)n, 8);
    for (int32_t i = 0; i < n; ++i) {
      hu[i] = sin(3.0 * i);
      hv[i] = cos(2.0 * i);
    }
    assert_ok(exec_upload(s.exec, s.u, hu, (size_t)n * 8));
    assert_ok(exec_upload(s.exec, v, hv, (size_t)n * 8));
    assert_ok(diffusion_residual(s.d, s.u, v, NULL, true, r));
    assert_ok(exec_download(s.exec, hr, r, (size_t)n * 8));
    assert_ok(exec_download(s.exec, s.A, K, (size_t)n_value * 8));
    scalar_multiply(&s, hu, ku);
    assert_ok(exec_download(s.exec, s.A, M, (size_t)n_value * 8));
    scalar_multiply(&s, hv, mv);
    for (int32_t i = 0; i < n; ++i) assert_near(hr[i], -ku[i] - mv[i], 1e-13);
    assert_ok(diffusion_residual(s.d, s.u, v, NULL, false, r));
    assert_ok(exec_download(s.exec, hr, r, (size_t)n * 8));
    for (int32_t i = 0; i < n; ++i)
      if (s.mesh->x[i][0] == 0) assert_true(hr[i] == 0);
    EXEC_RELEASE(s.exec, K, n_value);
    EXEC_RELEASE(s.exec, M, n_value);
    EXEC_RELEASE(s.exec, factor, 2);
    EXEC_RELEASE(s.exec, v, n);
    EXEC_RELEASE(s.exec, r, n);
    free(B), free(hu), free(hv), free(ku), free(mv), free(hr);
    scalar_finish(&s);
  }
}

/* A drawn rotation: rows of R. */
static void draw_rotation(double R[3][3]) {
  static uint64_t seed = 42;
  double q[4], length = 0;
  for (int k = 0; k < 4; ++k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    q[k] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    length += q[k] * q[k];
  }
  for (int k = 0; k < 4; ++k) q[k] /= sqrt(length);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double all[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(R, all, sizeof all);
}

static void rotate(const double R[3][3], const double from[3], double to[3]) {
  for (int i = 0; i < 3; ++i) to[i] = R[i][0] * from[0] + R[i][1] * from[1] + R[i][2] * from[2];
}

/* Into space, with its tensors. */
static void turn(Scalar *s, const double R[3][3]) {
  static const int part[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (int32_t i = 0; i < s->mesh->n_node; ++i) {
    const double from[3] = {s->mesh->x[i][0], s->mesh->x[i][1], s->mesh->x[i][2] + 0.4};
    rotate(R, from, s->mesh->x[i]);
  }
  s->mesh->in_space = mesh_leaves_plane(s->mesh);
  assert_true(s->mesh->in_space);
  for (int32_t e = 0; e < mesh_group(s->mesh, "body")->n; ++e) {
    double D[6] = {0};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) D[part[i][j]] += R[i][k] * s->tensor[e][part[k][l]] * R[j][l];
    memcpy(s->tensor[e], D, sizeof D);
  }
}

/* Matrices, and the residual and fluxes of one field, of a box that lies in a plane and of the same in space. */
static void in_space(ElementKind kind, bool lumped) {
  Scalar s[2];
  ScalarFields f[2];
  double R[3][3], *r[2], *value = NULL;
  draw_rotation(R);
  for (int k = 0; k < 2; ++k) {
    scalar_begin(&s[k], testing_exec(), scalar_box(kind, 3, 0.2));
    if (k) turn(&s[k], (const double(*)[3])R);
    s[k].params.lumped = lumped;
    scalar_load(&s[k], LOAD_CONVECTION, "x1", "3", "5");
    scalar_load(&s[k], LOAD_SOURCE, "body", "7", "0");
    scalar_create(&s[k]);
    scalar_matrix(&s[k], 0.7, 1.3);
    const int64_t n = diffusion_dofs(s[k].d);
    if (!k) value = calloc((size_t)n, sizeof *value);
    for (int64_t i = 0; i < n && !k; ++i) value[i] = sin(3.0 * (double)i + 1);
    assert_ok(diffusion_initial(s[k].d, value, s[k].u));
    double *load = NULL, *out = NULL;
    assert_ok(exec_alloc(s[k].exec, n, sizeof *load, "test", (void **)&load));
    assert_ok(exec_alloc(s[k].exec, n, sizeof *out, "test", (void **)&out));
    assert_ok(diffusion_load(s[k].d, 0, load));
    assert_ok(diffusion_residual(s[k].d, s[k].u, s[k].u, load, true, out));
    r[k] = calloc((size_t)n, sizeof *r[k]);
    assert_ok(exec_download(s[k].exec, r[k], out, (size_t)n * sizeof *out));
    EXEC_RELEASE(s[k].exec, load, n);
    EXEC_RELEASE(s[k].exec, out, n);
    assert_ok(scalar_recover(&s[k], s[k].u, DIFFUSION_FIELD_FLUX, &f[k]));
  }
  for (int64_t i = 0; i < s[0].slots.n_value; ++i) assert_near(s[1].A[i], s[0].A[i], 1e-12);
  for (int64_t i = 0; i < diffusion_dofs(s[0].d); ++i) assert_near(r[1][i], r[0][i], 1e-11);
  for (int32_t e = 0; e < diffusion_solved(s[0].d); ++e) {
    double flux[3];
    rotate((const double(*)[3])R, f[0].flux[e], flux);
    for (int i = 0; i < 3; ++i) assert_near(f[1].flux[e][i], flux[i], 1e-11);
  }
  for (int k = 0; k < 2; ++k) {
    free(r[k]);
    scalar_fields_release(&f[k]);
    scalar_finish(&s[k]);
  }
  free(value);
}

static void surfaces(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    for (int lumped = 0; lumped < 2; ++lumped)
      if (element_type((ElementKind)kind)->dim == 2) in_space((ElementKind)kind, lumped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches),   cmocka_unit_test(mixed),  cmocka_unit_test(bar),       cmocka_unit_test(convection),
      cmocka_unit_test(simplices), cmocka_unit_test(masses), cmocka_unit_test(operators), cmocka_unit_test(surfaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
