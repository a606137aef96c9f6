/* `sinew bench points`: integration points a second by each law that is integrated point by point. Hexahedra in one block, all
 * of whose points flow or are strained by per cents; the GPU is timed in its stream. */
#include "assembly/elasticity/elasticity.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"
#include "physics/material.h"

#include <string.h>

enum { LAW_LIST = 6, LAW_VALUES = 4, POINTS_CELLS = 99, CELL_POINTS = 8 };
/* A number, or the points of a curve or pairs, n > 0. */
typedef struct LawValue {
  const char *name;
  double value;
  int n;
  double list[LAW_LIST];
} LawValue;
#define NUMBER(word, number)                                                                                           \
  { .name = word, .value = number }
#define CURVE(word, points, ...)                                                                                       \
  {                                                                                                                    \
    .name = word, .n = points, .list = { __VA_ARGS__ }                                                                 \
  }
#define STEEL NUMBER("young", 200e3), NUMBER("poisson", 0.3)

static const struct {
  const char *name, *material;
  bool finite;
  LawValue set[LAW_VALUES];
} LAWS[] = {{"elastic", "neo-hooke", true, {STEEL}},
            {"isotropic", "plastic", false, {STEEL, CURVE("yield", 2, 0, 200, 0.1, 300)}},
            {"backstresses",
             "plastic",
             false,
             {STEEL, CURVE("yield", 1, 0, 200), CURVE("backstress", 3, 60e3, 400, 20e3, 100, 5e3, 10)}},
            {"finite", "plastic", true, {STEEL, CURVE("yield", 2, 0, 200, 0.1, 300)}},
            {"relaxing", "viscoelastic", false, {STEEL, CURVE("prony", 2, 0.3, 1, 0.2, 10)}}};

static MaterialValues material_of(int law) {
  MaterialValues out = {.kind = material_by_name(LAWS[law].material)};
  const MaterialType *type = material_type(out.kind);
  int end = PARAM_MOST;
  for (int k = 0; k < type->n_param; ++k) out.value[k] = type->param[k].value;
  for (int k = 0; k < LAW_VALUES && LAWS[law].set[k].name; ++k) {
    const LawValue *set = &LAWS[law].set[k];
    out.value[material_parameter(out.kind, set->name)] = set->n ? end : set->value;
    if (!set->n) continue;
    out.value[end++] = set->n;
    memcpy(out.value + end, set->list, 2 * (size_t)set->n * sizeof *set->list);
    end += 2 * set->n;
  }
  return out;
}

/* A block that is pulled by 2 % and sheared by less, more in some places than in others. */
static Status strained(Exec *exec, const Mesh *mesh, double **u) {
  double *host;
  ALLOC(host, 3 * (int64_t)mesh->n_node, "displacement");
  for (int64_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], more = 1 + 0.3 * x[1] * x[2];
    host[3 * i] = 0.02 * x[0] * more;
    host[3 * i + 1] = -0.008 * x[1] * more;
    host[3 * i + 2] = 0.01 * x[0] - 0.008 * x[2];
  }
  const Status status =
      exec_alloc_upload(exec, 3 * (int64_t)mesh->n_node, sizeof *host, host, "displacement", (void **)u);
  FREE(host);
  return status;
}

typedef struct PointsRun {
  Elasticity *elasticity;
  double *u, *r, *values;
} PointsRun;

static Status residual_once(void *context) {
  const PointsRun *run = context;
  return elasticity_residual(run->elasticity, run->u, run->r);
}
static Status tangent_once(void *context) {
  const PointsRun *run = context;
  return elasticity_tangent(run->elasticity, run->u, run->values);
}

static Status create(Exec *exec, const Mesh *mesh, int law, Elasticity **out) {
  int32_t *element;
  ALLOC(element, mesh->n_element, "material of the elements");
  for (int32_t e = 0; e < mesh->n_element; ++e)
    element[e] = element_type(mesh_block_of(mesh, e)->kind)->dim == 3 ? 0 : -1;
  const MaterialValues material = material_of(law);
  const Support held = {mesh_group(mesh, "x0"), false, {expr_constant(0), expr_constant(0), expr_constant(0)}, "bench"};
  const ElasticityParams params = {.mesh = mesh,
                                   .model = MODEL_SOLID,
                                   .n_material = 1,
                                   .material = &material,
                                   .element_material = element,
                                   .n_support = 1,
                                   .support = &held,
                                   .no_load = true,
                                   .finite = LAWS[law].finite};
  Status status = material_check(material.kind, material.value);
  if (status == OK) status = elasticity_create(exec, &params, out);
  FREE(element);
  return status;
}

/* Seconds of forces with new states, and of a tangent. */
static Status measure(Exec *exec, const Mesh *mesh, int law, int32_t repeat, double seconds[2]) {
  PointsRun run = {0};
  Mat *a = NULL;
  int64_t n = 0;
  Status status;
  TRY_DONE(create(exec, mesh, law, &run.elasticity));
  n = elasticity_dofs(run.elasticity);
  const MatParams params = {.format = "sbell"};
  TRY_DONE(mat_create(exec, &params, elasticity_pattern(run.elasticity), &a));
  TRY_DONE(elasticity_bind(run.elasticity, mat_slots(a)));
  run.values = mat_values(a);
  TRY_DONE(strained(exec, mesh, &run.u));
  TRY_DONE(exec_alloc(exec, n, sizeof *run.r, "residual", (void **)&run.r));
  elasticity_set_step(run.elasticity, 1);
  TRY_DONE(bench_time(exec, residual_once, &run, repeat, &seconds[0]));
  TRY_DONE(elasticity_check_answer(run.elasticity));
  TRY_DONE(bench_time(exec, tangent_once, &run, repeat, &seconds[1]));
done:
  exec_release(exec, n, sizeof *run.u, (void **)&run.u);
  exec_release(exec, n, sizeof *run.r, (void **)&run.r);
  mat_destroy(&a);
  elasticity_destroy(&run.elasticity);
  return status;
}

static Status run_all(Exec *exec, const BenchParams *params, FILE *out, Json *json) {
  int32_t n = POINTS_CELLS * (params->percent > 0 ? params->percent : 100) / 100;
  if (n < 2) n = 2;
  const BoxParams box = {ELEMENT_HEX8, {n, n, n}, {1, 1, 1}, 0};
  const double points = (double)n * n * n * CELL_POINTS;
  Mesh *mesh = NULL;
  Status status;
  TRY_DONE(mesh_box(&box, &mesh));
  fprintf(out, "%s: %d^3 hex8\n%-13s %-13s | %10s %14s | %10s %14s\n", exec->device, n, "law", "material", "forces, ms",
          "1e6 points/s", "tangent, ms", "1e6 points/s");
  json_string(json, "device", exec->device);
  json_array(json, "laws");
  for (int law = 0; law < (int)(sizeof LAWS / sizeof *LAWS); ++law) {
    double seconds[2];
    if (!bench_wants(params, LAWS[law].name)) continue;
    TRY_DONE(measure(exec, mesh, law, params->repeat, seconds));
    fprintf(out, "%-13s %-13s | %10.3f %14.1f | %10.3f %14.1f\n", LAWS[law].name, LAWS[law].material, 1e3 * seconds[0],
            1e-6 * points / seconds[0], 1e3 * seconds[1], 1e-6 * points / seconds[1]);
    json_object(json, NULL);
    json_string(json, "law", LAWS[law].name);
    json_number(json, "points", points);
    json_number(json, "forces_ms", 1e3 * seconds[0]);
    json_number(json, "tangent_ms", 1e3 * seconds[1]);
    json_end(json);
  }
  json_end(json);
  fprintf(
      out,
      "forces: new states and internal forces at nodes; tangent: element matrices and their sum into SBELL slots\n");
done:
  mesh_destroy(&mesh);
  return status;
}

Status bench_points(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  TRY_DONE(json_create(&json));
  json_string(json, "bench", "points");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  TRY_DONE(run_all(exec, params, out, json));
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
