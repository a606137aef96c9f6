/* Any order of the nodes gives the same answer: solutions, fields, messages in the mesh's order, the same system in the
 * solver's. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "mesh/order/order.h"
#include "tests/assembly/problem.h"
#include "tests/mesh/derived_mesh.h"

#include <stdio.h>

static Exec *exec;

static void turn(double x[3]) {
  const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

/* A plane box of quads of which every second one is cut into two triangles. Owned arrays replaced. */
static Mesh *mixed_box(int n) {
  const BoxParams params = {.kind = ELEMENT_QUAD4, .n = {n, n, 1}, .size = {1, 1, 1}, .distort = 0.2};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  ElementBlock *line = &mesh->block[0], *quad = &mesh->block[1];
  assert_true(mesh->n_block == 2 && line->kind == ELEMENT_LINE2 && quad->kind == ELEMENT_QUAD4);
  int32_t *tri = testing_array(6 * quad->n, sizeof *tri), n_tri = 0, n_quad = 0;
  for (int32_t e = 0; e < quad->n; ++e) {
    int32_t v[4];
    memcpy(v, quad->nodes + 4 * e, sizeof v);
    if (e % 2) {
      const int32_t cut[2][3] = {{v[0], v[1], v[2]}, {v[0], v[2], v[3]}};
      memcpy(tri + 3 * n_tri, cut, sizeof cut);
      n_tri += 2;
    } else {
      memcpy(quad->nodes + 4 * n_quad++, v, sizeof v);
    }
  }
  assert_ok(mem_resize(3, sizeof *mesh->block, "blocks", (void **)&mesh->block));
  mesh->n_block = 3;
  mesh->block[2] = mesh->block[1];
  mesh->block[1] = testing_block(ELEMENT_TRI3, n_tri, mesh->block[0].n, tri);
  mesh->block[2].n = n_quad;
  mesh->block[2].first = mesh->block[0].n + n_tri;
  mesh->n_element = mesh->block[2].first + n_quad;
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    Group *group = &mesh->group[g];
    if (group->dim < 2) continue;
    group->n = n_tri + n_quad;
    assert_ok(mem_resize(group->n, sizeof *group->element, "group", (void **)&group->element));
    for (int32_t i = 0; i < group->n; ++i) group->element[i] = mesh->block[0].n + i;
  }
  FREE(tri);
  return mesh;
}

/* Skew supports, a prescribed displacement, springs, pressure, gravity, two materials side by side. */
static void describe(Problem *p, Mesh *mesh) {
  const int solved = mesh->block[mesh->n_block - 1].first, n = mesh->n_element - solved;
  problem_init(p, exec, mesh, mesh->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, 1000, 0.3);
  int32_t *half = testing_array(n, sizeof *half), taken = 0;
  for (int32_t e = solved; e < mesh->n_element; ++e)
    if ((e - solved) % 3 == 1) half[taken++] = e;
  testing_add_group(mesh, "inclusion", mesh->dim, taken, half);
  FREE(half);
  bend_mesh(mesh, turn);
  p->material[0].value[3] = 2;
  problem_material(p, "inclusion", 3000, 0.2);
  problem_symmetry(p, "x0");
  problem_fix(p, "x1", "0.1*y", NULL, "0");
  problem_load(p, LOAD_SPRING, "y0", "50", "60", "70");
  problem_load(p, LOAD_PRESSURE, "y1", "10+x", NULL, NULL);
  p->material[1].value[3] = 1;
  problem_load(p, LOAD_GRAVITY, "inclusion", "1", "y", "3");
}

static double largest(const double *v, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(v[i]));
  return most;
}

static void same(const char *what, const double *a, const double *b, int64_t n) {
  const double scale = largest(a, n);
  assert_true(scale > 0);
  for (int64_t i = 0; i < n; ++i)
    if (!(fabs(a[i] - b[i]) <= 1e-10 * scale))
      fail_msg("%s %lld: %.17g in the mesh's order, %.17g in another", what, (long long)i, a[i], b[i]);
}

static void same_fields(const Problem *p, const ElasticFields *a, const ElasticFields *b) {
  const int64_t n = p->mesh->n_node, n_solved = p->e->space->set.n_solved;
  same("displacement", a->displacement[0], b->displacement[0], 3 * n);
  same("reaction", a->reaction[0], b->reaction[0], 3 * n);
  same("stress", a->stress[0], b->stress[0], 6 * n);
  same("von Mises", a->von_mises, b->von_mises, n);
  same("principal", a->principal[0], b->principal[0], 3 * n);
  same("strain energy", a->strain_energy, b->strain_energy, n_solved);
  same("element stress", a->element_stress[0], b->element_stress[0], 6 * n_solved);
  assert_memory_equal(a->point_start, b->point_start, sizeof *a->point_start * (size_t)(n_solved + 1));
  same("point stress", a->point_stress[0], b->point_stress[0], 6 * a->point_start[n_solved]);
  same("energy", &a->energy, &b->energy, 1);
  for (int64_t i = 0; i < n; ++i) /* free nodes stay exactly free */
    for (int c = 0; c < 3; ++c) assert_int_equal(a->reaction[i][c] == 0, b->reaction[i][c] == 0);
}

/* The system of q is that of p with node i as number rank[i]. */
static void same_system(const Problem *p, const Problem *q, const int32_t *rank) {
  const Pattern *a = elasticity_pattern(p->e), *b = elasticity_pattern(q->e);
  const int32_t size = a->block;
  const double scale = largest(p->values, p->slots.n_value);
  for (int32_t i = 0; i < a->n; ++i) {
    assert_int_equal(elasticity_node(q->e, (int64_t)rank[i] * size + size - 1), i);
    assert_int_equal(elasticity_node(p->e, (int64_t)i * size), i);
    assert_int_equal(b->start[rank[i] + 1] - b->start[rank[i]], a->start[i + 1] - a->start[i]);
    for (int64_t k = b->start[rank[i]] + 1; k < b->start[rank[i] + 1]; ++k)
      assert_true(b->column[k] > b->column[k - 1]);
    for (int32_t r = 0; r < size; ++r) assert_near(q->u[rank[i] * size + r], p->u[i * size + r], 1e-10);
    for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
      int64_t l = b->start[rank[i]];
      while (l + 1 < b->start[rank[i] + 1] && b->column[l] != rank[a->column[k]]) ++l;
      assert_int_equal(b->column[l], rank[a->column[k]]);
      for (int64_t r = 0; r < size; ++r)
        for (int64_t c = 0; c < size; ++c)
          assert_near(q->values[q->slots.slot[l] + r * q->slots.row_step[rank[i]] + c] / scale,
                      p->values[p->slots.slot[k] + r * p->slots.row_step[i] + c] / scale, 1e-14);
    }
  }
}

static void in_every_order(Mesh *(*make)(int variant), int variant) {
  Problem p;
  ElasticFields natural;
  describe(&p, make(variant));
  problem_solve(&p);
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &natural));
  const int32_t n = p.mesh->n_node;
  int32_t *rank = testing_array(n, sizeof *rank);
  for (int k = 0; k <= N_MESH_ORDERS; ++k) {
    Problem q;
    ElasticFields f;
    double a[3], b[3];
    describe(&q, make(variant));
    if (k < N_MESH_ORDERS) assert_ok(mesh_order(q.mesh, (MeshOrder)k, rank));
    else
      for (int32_t i = 0; i < n; ++i) rank[i] = n - 1 - i;
    q.params.node_rank = rank;
    problem_solve(&q);
    assert_ok(elasticity_recover(q.e, q.exec_u, FIELD_ALL, &f));
    same_fields(&p, &natural, &f);
    same_system(&p, &q, rank);
    assert_int_equal(elasticity_unknowns(q.e), elasticity_unknowns(p.e));
    assert_int_equal(elasticity_part_count(q.e), elasticity_part_count(p.e));
    assert_ok(elasticity_total_load(p.e, a));
    assert_ok(elasticity_total_load(q.e, b));
    assert_memory_equal(a, b, sizeof a);
    elastic_fields_release(&f);
    problem_release(&q);
  }
  FREE(rank);
  elastic_fields_release(&natural);
  problem_release(&p);
}

static Mesh *box_of(int kind) {
  const int solid = element_type((ElementKind)kind)->dim == 3, quadratic = element_type((ElementKind)kind)->order == 2;
  const int n = (solid ? 4 : 8) / (quadratic ? 2 : 1);
  const BoxParams params = {.kind = (ElementKind)kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = 0.2};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

static void boxes(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) in_every_order(box_of, (int)kinds[k]);
}

static void two_kinds_of_elements(void **state) {
  (void)state;
  in_every_order(mixed_box, 6);
}

/* Elements stand in the order of their smallest node number, each once. */
static void elements_follow_their_nodes(void **state) {
  (void)state;
  Mesh *mesh = mixed_box(7);
  ElementSet set;
  Numbering numbering;
  int32_t *rank = testing_array(mesh->n_node, sizeof *rank);
  assert_ok(mesh_order(mesh, ORDER_HILBERT, rank));
  element_set_create(mesh, 2, true, &set);
  assert_ok(numbering_create(exec, &set, rank, (HaloOrder){0}, true, &numbering));
  assert_int_equal(set.n_block, 2);
  for (int32_t k = 0; k < set.n_block; ++k) {
    const SetBlock *from = &set.block[k], *to = &numbering.set.block[k];
    const int32_t n = from->type->n_node;
    int32_t *seen = testing_array(from->n, sizeof *seen), before = -1;
    for (int32_t e = 0; e < from->n; ++e) {
      const int32_t old = numbering.element[k][e];
      int32_t least = INT32_MAX;
      assert_in_range(old, 0, from->n - 1);
      assert_int_equal(seen[old]++, 0);
      for (int32_t a = 0; a < n; ++a) {
        assert_int_equal(to->nodes[e * n + a], rank[from->nodes[old * n + a]]);
        if (to->nodes[e * n + a] < least) least = to->nodes[e * n + a];
      }
      assert_true(least > before || (least == before && old > numbering.element[k][e - 1]));
      before = least;
    }
    FREE(seen);
  }
  numbering_release(&numbering);
  FREE(rank);
  mesh_destroy(&mesh);
}

static void messages_name_the_mesh(void **state) {
  (void)state;
  Problem p;
  char text[2048];
  problem_box(&p, exec, ELEMENT_QUAD4, 3, 0);
  int32_t *rank = testing_array(p.mesh->n_node, sizeof *rank);
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    p.mesh->node_tag[i] = 100 + 7 * i;
    rank[i] = p.mesh->n_node - 1 - i;
  }
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_fix(&p, "y0", "1", NULL, NULL);
  problem_fix(&p, "y1", "2", NULL, NULL);
  assert_fails(problem_create(&p), ERR_INPUT, "conflicting supports at node 100 (0, 0, 0)");
  snprintf(text, sizeof text, "%s", status_message());
  p.params.node_rank = rank;
  assert_fails(problem_create(&p), ERR_INPUT, text);
  p.n_support = 1;
  rank[3] = rank[2];
  assert_fails(problem_create(&p), ERR_BUG, "rank[3] = 13 is not a permutation of 16 nodes");
  rank[3] = 16;
  assert_fails(problem_create(&p), ERR_BUG, "rank[3] = 16");
  FREE(rank);
  problem_release(&p);
}

/* Residual and tangent to the bit for any number of threads. */
static void same_bits_for_any_threads(void **state) {
  (void)state;
  Exec *given = exec;
  double *values[2], *r[2];
  for (int k = 0; k < 2; ++k) {
    Problem p;
    assert_ok(exec_create_cpu(k ? 3 : 1, &exec));
    describe(&p, box_of(ELEMENT_TET4));
    int32_t *rank = testing_array(p.mesh->n_node, sizeof *rank);
    assert_ok(mesh_order(p.mesh, ORDER_NESTED_DISSECTION, rank));
    p.params.node_rank = rank;
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    const size_t n = (size_t)elasticity_dofs(p.e), n_value = (size_t)p.slots.n_value;
    r[k] = calloc(n, sizeof(double));
    values[k] = calloc(n_value, sizeof(double));
    problem_residual(&p, r[k]);
    memcpy(values[k], p.values, n_value * sizeof(double));
    if (k) {
      assert_memory_equal(r[0], r[1], n * sizeof(double));
      assert_memory_equal(values[0], values[1], n_value * sizeof(double));
    }
    FREE(rank);
    problem_release(&p);
    exec_destroy(&exec);
  }
  for (int k = 0; k < 2; ++k) free(r[k]), free(values[k]);
  exec = given;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes), cmocka_unit_test(two_kinds_of_elements), cmocka_unit_test(elements_follow_their_nodes),
      cmocka_unit_test(messages_name_the_mesh), cmocka_unit_test(same_bits_for_any_threads)};
  return testing_run("assembly/numbering", tests, exec);
}
