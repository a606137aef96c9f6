/* Element matrices and forces in parts, the way of a GPU, beside those of an element at once, the way of a CPU: every element with every
 * material at finite strain, mean dilatation, an axis, and a room that holds few elements. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/tangent.h"
#include "tests/assembly/problem.h"
#include "tests/physics/material_samples.h"

#include <math.h>
#include <stdlib.h>

static Exec *exec;

typedef struct Kind {
  ElementKind element;
  ElasticModel model;
  bool finite, mean, bends;
} Kind;

static void begin(Problem *p, const Kind *of, int n, int material, const double *value) {
  problem_box(p, exec, of->element, n, 0.1);
  if (p->mesh->dim == 2) p->model = of->model;
  for (int32_t i = 0; of->model == MODEL_AXISYMMETRIC && i < p->mesh->n_node; ++i) p->mesh->x[i][0] += 0.5;
  p->material[0] = (MaterialValues){.kind = material};
  for (int i = 0; i < 32; ++i) p->material[0].value[i] = value[i];
  const int thickness = material_parameter(material, "thickness");
  if (thickness >= 0) p->material[0].value[thickness] = 0.7;
  p->params.allow_free_motion = p->params.no_load = true;
  p->params.finite = of->finite;
  if (of->mean) p->params.formulation = FORMULATION_MEAN_DILATATION;
  if (of->bends) p->params.formulation = FORMULATION_INCOMPATIBLE_MODES;
  assert_ok(problem_create(p));
  problem_assemble(p);
  for (int64_t i = 0; i < elasticity_dofs(p->e); ++i) {
    const double *x = p->mesh->x[i / p->mesh->dim];
    p->u[i] = 0.05 * sin(2.1 * x[0] - 1.3 * x[1] + 0.7 * x[2] + 1.9 * (double)(i % p->mesh->dim));
  }
  problem_put(p);
}

/* Forces of nodes too. */
static void same_forces(const Kind *of, int material, Problem *p, const double *at_once) {
  const int64_t n = elasticity_dofs(p->e);
  double *in_parts = calloc((size_t)n, sizeof *in_parts), size = 0;
  problem_residual(p, in_parts);
  for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(at_once[i]));
  assert_true(size > 0);
  for (int64_t i = 0; i < n; ++i)
    if (!(fabs(in_parts[i] - at_once[i]) <= 2e-14 * size))
      fail_msg("%s, %s, model %d, mean %d: force %.17g in parts, %.17g at once", element_type(of->element)->name,
               material_type(material)->name, (int)of->model, of->mean, in_parts[i], at_once[i]);
  free(in_parts);
}

/* `few`: a room for TANGENT_WIDTH elements of the largest kind. */
static void check(const Kind *of, int n, int material, const double *value, bool few) {
  Problem p;
  begin(&p, of, n, material, value);
  problem_tangent(&p);
  double *at_once = calloc((size_t)p.slots.n_value, sizeof *at_once), size = 0;
  double *force = calloc((size_t)elasticity_dofs(p.e), sizeof *force);
  problem_residual(&p, force);
  for (int64_t i = 0; i < p.slots.n_value; ++i) at_once[i] = p.values[i], size = fmax(size, fabs(at_once[i]));
  assert_true(size > 0);
  ElasticityPoints *points = &p.e->points;
  assert_null(points->room);
  assert_ok(tangents_make_room(exec, &p.e->space->set, true, points));
  assert_non_null(points->room);
  const int64_t all = points->n_room;
  if (few)
    points->n_room =
        TANGENT_WIDTH * tangent_numbers(points->n_node[0], points->dim[0], points->mean_modes[0], points->n_q[0]);
  assert_true(!few || 2 * points->n_room < all);
  problem_tangent(&p);
  same_forces(of, material, &p, force);
  points->n_room = all;
  for (int64_t i = 0; i < p.slots.n_value; ++i)
    if (!(fabs(p.values[i] - at_once[i]) <= 2e-14 * size))
      fail_msg("%s, %s, model %d, mean %d: %.17g in parts, %.17g at once", element_type(of->element)->name,
               material_type(material)->name, (int)of->model, of->mean, p.values[i], at_once[i]);
  free(force);
  free(at_once);
  problem_release(&p);
}

static void all_materials(void **state) {
  (void)state;
  double value[32];
  int material;
  for (int s = 0; s < N_MATERIAL_SAMPLES; ++s) {
    if (!material_sample(s, &material, value)) continue;
    if (material_samples[s].shear > 0) /* fibres that are pressed give way */
      check(&(Kind){ELEMENT_HEX8, MODEL_SOLID, true, .bends = true}, 2, material, value, false);
    for (int mean = 0; mean < 2; ++mean) {
      check(&(Kind){ELEMENT_HEX8, MODEL_SOLID, true, mean}, 2, material, value, false);
      check(&(Kind){ELEMENT_QUAD9, MODEL_PLANE_STRAIN, true, mean}, 2, material, value, false);
      check(&(Kind){ELEMENT_TRI6, MODEL_AXISYMMETRIC, true, mean}, 2, material, value, false);
    }
  }
}

static void all_elements(void **state) {
  (void)state;
  double value[32];
  int material, n = 0;
  assert_true(material_sample(0, &material, value));
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    if (type->dim < 2) continue;
    for (int mean = 0; mean <= (type->mean_modes > 0); ++mean, ++n) {
      check(&(Kind){(ElementKind)k, type->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, true, mean}, 2, material, value,
            false);
      if (type->dim == 2) check(&(Kind){(ElementKind)k, MODEL_AXISYMMETRIC, true, mean}, 2, material, value, false);
    }
  }
  assert_true(n > 25);
}

/* Linear laws with mean dilatation under small strains, and metals that flow. */
static void small_strains(void **state) {
  (void)state;
  double value[32] = {0};
  const int material = material_by_name("isotropic");
  for (int i = 0; i < material_type(material)->n_param; ++i) value[i] = material_type(material)->param[i].value;
  value[material_parameter(material, "young")] = 10;
  value[material_parameter(material, "poisson")] = 0.45;
  check(&(Kind){ELEMENT_HEX8, MODEL_SOLID, false, true}, 2, material, value, false);
  check(&(Kind){ELEMENT_HEX27, MODEL_SOLID, false, true}, 2, material, value, false);
  check(&(Kind){ELEMENT_QUAD8, MODEL_AXISYMMETRIC, false, true}, 2, material, value, false);
}

static void many_parts(void **state) {
  (void)state;
  double value[32];
  int material;
  assert_true(material_sample(0, &material, value));
  for (int mean = 0; mean < 2; ++mean) {
    check(&(Kind){ELEMENT_HEX8, MODEL_SOLID, true, mean}, 4, material, value, true);
    check(&(Kind){ELEMENT_TET10, MODEL_SOLID, true, mean}, 3, material, value, true);
    check(&(Kind){ELEMENT_TRI6, MODEL_AXISYMMETRIC, true, mean}, 5, material, value, true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_materials), cmocka_unit_test(all_elements),
                                     cmocka_unit_test(small_strains), cmocka_unit_test(many_parts)};
  return testing_run("tangent_parts", tests, exec);
}
