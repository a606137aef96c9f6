/* Stresses and energies of a solution: at integration points, per element, at nodes. */
#include "assembly/elasticity/point_kernels.h"
#include "assembly/elasticity/recovery.h"
#include "assembly/space/extrapolate.h"
#include "core/memory.h"
#include "physics/material.h"

#include <stdlib.h>
#include <string.h>

#define PICK recover
#include "assembly/space/pick_kernel.tmpl.h"

/* What the kernels need to know of a block of elements. */
static Status block_create(const Elasticity *p, int32_t k, ElasticRecovery *r) {
  Status status = OK;
  const Space *s = p->space;
  const SetBlock *b = &s->set.block[k];
  const int32_t *element = s->numbering.element[k];
  double *E = NULL, *extrapolate = NULL;
  int32_t *number = NULL;
  Quadrature rule;
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  ALLOC_DONE(E, (int64_t)b->type->n_node * rule.n, "extrapolation of stress");
  TRY_DONE(extrapolation_matrix(b->type, &rule, E));
  TRY_DONE(recovery_upload(r, (int64_t)b->type->n_node * rule.n, sizeof *E, E, "extrapolation of stress",
                           (void **)&extrapolate));
  if (element) TRY_DONE(recovery_upload(r, b->n, sizeof *number, element, "order of the elements", (void **)&number));
  r->block[k] = (RecoverBlock){.entry_first = (uint32_t)b->force_first,
                               .entry_a = (uint32_t)b->force_a,
                               .entry_e = (uint32_t)b->force_e,
                               .n_q = rule.n,
                               .extrapolate = extrapolate,
                               .element = number,
                               .material = p->block_material[k],
                               .point = r->point + 6 * r->first_point[k],
                               .strain = r->strain ? r->strain + 6 * r->first_point[k] : NULL,
                               .piola = r->piola ? r->piola + 6 * r->first_point[k] : NULL,
                               .fiber = r->fiber ? r->fiber + r->first_point[k] : NULL,
                               .volume = r->volume + p->points.first_element[k],
                               .state_first = p->points.first_point[k],
                               .state_q = p->points.n_elem[k],
                               .frame = r->frame,
                               .frame_row = r->frame_row ? r->frame_row + p->points.first_element[k] : NULL};
done:
  FREE(E);
  return status;
}

static Status materials_create(const Elasticity *p, ElasticRecovery *r) {
  uint8_t *finite = NULL;
  const int32_t n = p->n_material;
  ALLOC(finite, 2 * (int64_t)n, "materials");
  for (int32_t m = 0; m < n; ++m) finite[m] = material_type(p->constants[m].kind)->shape.finite, finite[n + m] = 1;
  const Status status = recovery_upload(r, 2 * (int64_t)n, 1, finite, "materials", (void **)&r->finite);
  FREE(finite);
  return status;
}

static bool has_interfaces(const Elasticity *p) {
  int32_t differ = 0;
#pragma omp parallel for schedule(static) reduction(| : differ) if (p->n_material > 1)
  for (int32_t s = 1; s < p->space->set.n_solved; ++s) differ |= p->material[s] != p->material[0];
  return differ;
}

Status recovery_stress_create(const Elasticity *p, ElasticRecovery *r) {
  const int64_t n_solved = p->space->set.n_solved;
  const int32_t n_block = p->space->set.n_solved_block;
  r->point = r->field[ELASTIC_POINT_STRESS];
  r->energy = r->field[ELASTIC_STRAIN_ENERGY];
  if (!r->point)
    TRY(recovery_alloc(r, 6 * r->n_point, sizeof *r->point, "stress at integration points", (void **)&r->point));
  if (!r->energy) TRY(recovery_alloc(r, n_solved, sizeof *r->energy, "element energies", (void **)&r->energy));
  if (r->which & (FIELD_STRAIN | FIELD_STRAIN_MATERIAL | FIELD_STRETCHES | FIELD_POINT_STRAIN | FIELD_POINT_MECHANICAL))
    TRY(recovery_alloc(r, 6 * r->n_point, sizeof *r->strain, "strain at integration points", (void **)&r->strain));
  if (r->which & FIELD_PIOLA)
    TRY(recovery_alloc(r, 6 * r->n_point, sizeof *r->piola, "stress at integration points", (void **)&r->piola));
  if (r->which & FIELD_FIBER_STRESS)
    TRY(recovery_alloc(r, r->n_point, sizeof *r->fiber, "stress at integration points", (void **)&r->fiber));
  TRY(recovery_alloc(r, n_solved, sizeof *r->volume, "element volumes", (void **)&r->volume));
  TRY(materials_create(p, r));
  TRY(recovery_frames_create(p, r));
  for (int32_t k = 0; k < n_block; ++k) TRY(block_create(p, k, r));
  if (r->which & FIELD_AVERAGES && has_interfaces(p))
    TRY(recovery_alloc(r, p->space->nodes.n_row, sizeof *r->others, "stress at interfaces", (void **)&r->others));
  return recovery_upload(r, n_block, sizeof *r->block, r->block, "blocks of elements", (void **)&r->exec_block);
}

Status recovery_point_start(const Elasticity *p, ElasticFields *out) {
  const Space *s = p->space;
  ALLOC(out->point_start, (int64_t)s->set.n_solved + 1, "stress at integration points");
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n) {
    const int64_t start = out->point_start[first], n_q = s->block[k].stiffness.n_q;
#pragma omp parallel for schedule(static)
    for (int32_t e = 1; e <= s->set.block[k].n; ++e) out->point_start[first + e] = start + n_q * e;
  }
  return OK;
}

RecoverNodeArgs recovery_node_args(const Elasticity *p, const ElasticRecovery *r) {
  const Gather *nodes = &p->space->nodes;
  return (RecoverNodeArgs){.start = nodes->start,
                           .entry = nodes->entry,
                           .node = nodes->node,
                           .to = r->to,
                           .n_block = p->space->set.n_solved_block,
                           .n_entry = recovery_entries(p->space),
                           .block = r->exec_block,
#define RECOVER_NODES(NAME, m)
#define RECOVER_AVERAGES(NAME, m) .m = r->field[ELASTIC_##NAME],
#define RECOVER_ELEMENTS(NAME, m)
#define RECOVER_POINTS(NAME, m)
#define ELASTIC_FIELD(NAME, m, word, where, ...) RECOVER_##where(NAME, m)
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
                           .images = p->images.args,
                           .strength = r->strength,
                           .others = r->others};
}

static Status recover_mechanical_strain(const Elasticity *p, const ElasticRecovery *r, const double *u) {
  const Space *s = p->space;
  const ElasticityPoints *points = &p->points;
  double *const out = r->field[ELASTIC_POINT_MECHANICAL];
  for (int32_t k = 0; out && k < s->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, u);
    const double *N = s->block[k].stiffness.N;
    const RecoverHeatArgs args = {.p = points->any_row ? points_heated_args(points, k, &element, N)
                                                       : points_args(points, k, 0, &element, N),
                                  .element = r->block[k].element,
                                  .strain = r->strain + 6 * r->first_point[k],
                                  .out = out + 6 * r->first_point[k]};
    TRY(exec_rows(r->exec, &recover_heat_kernel, &args, element.n_elem));
  }
  return OK;
}

/* Those of work begin with the strain energy (dissipated.c). */
static Status recover_works(const Elasticity *p, const ElasticRecovery *r) {
  double *const point = r->field[ELASTIC_POINT_WORK], *const all = r->field[ELASTIC_POINT_ENERGY],
                *const element = r->field[ELASTIC_ELEMENT_WORK];
  if (point && all) TRY(exec_copy(r->exec, point, all, (size_t)r->n_point * sizeof *point));
  return element ? exec_copy(r->exec, element, r->energy, (size_t)p->space->set.n_solved * sizeof *element) : OK;
}

Status recover_stress(const Elasticity *p, const ElasticRecovery *r, const double *u) {
  const Space *s = p->space;
  double *const density =
      r->field[ELASTIC_POINT_ENERGY] ? r->field[ELASTIC_POINT_ENERGY] : r->field[ELASTIC_POINT_WORK];
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, u);
    const ElementKind kind = s->set.block[k].type->kind;
    const int64_t first = p->points.first_element[k];
    const bool heated = p->points.any_row != NULL; /* then all elements have laws */
    const double *N = s->block[k].stiffness.N;
    RecoverArgs args = {.p = heated ? points_heated_args(&p->points, k, &element, N)
                                    : points_args(&p->points, k, 0, &element, N),
                        .element = r->block[k].element,
                        .finite = r->finite + (p->points.finite ? p->n_material : 0),
                        .point = r->point + 6 * r->first_point[k],
                        .strain = r->block[k].strain ? r->strain + 6 * r->first_point[k] : NULL,
                        .piola = r->block[k].piola ? r->piola + 6 * r->first_point[k] : NULL,
                        .fiber = r->fiber ? r->fiber + r->first_point[k] : NULL,
                        .frame = r->block[k].frame,
                        .frame_row = r->block[k].frame_row,
                        .jacobian = r->field[ELASTIC_JACOBIAN] ? r->field[ELASTIC_JACOBIAN] + first : NULL,
                        .volume = r->volume + first,
                        .energy = r->energy + first};
    args.p.dt = 0; /* as the step ended */
    if (density) args.density = density + r->first_point[k];
    if (r->field[ELASTIC_ELEMENT_STRESS]) args.mean = r->field[ELASTIC_ELEMENT_STRESS] + 6 * first;
    const bool points = p->points.by_point[k] || heated || p->points.bubbles[k];
    if (p->points.by_block[k] && !heated && !p->points.bubbles[k])
      TRY(exec_rows(r->exec, recover_kernel(kind), &args, element.n_elem));
    if (points) TRY(point_kernels_recover(r->exec, kind, &args));
  }
  const RecoverTensorArgs tensor = {r->strain, r->field[ELASTIC_POINT_STRAIN]};
  if (tensor.out) TRY(exec_rows(r->exec, &recover_tensor_kernel, &tensor, r->n_point));
  TRY(recover_mechanical_strain(p, r, u));
  TRY(recover_works(p, r));
  const RecoverTotalArgs energy = {r->energy, r->totals + RECOVERY_ENERGY};
  TRY(exec_rows(r->exec, &recover_total_kernel, &energy, s->set.n_solved));
  if (!(r->which & FIELD_AVERAGES)) return OK;
  const RecoverNodeArgs nodes = recovery_node_args(p, r);
  return exec_rows(r->exec, &recover_nodes_kernel, &nodes, s->nodes.n_row);
}

/* ---- interfaces ---- */

static int by_node(const void *a, const void *b) {
  const OtherStress *p = a, *q = b;
  if (p->node != q->node) return p->node < q->node ? -1 : 1;
  return (p->material > q->material) - (p->material < q->material);
}

/* The list of rows and of materials above the lowest there, [2][n]; owned by the caller. */
static Status list_others(const ElasticRecovery *r, int64_t n_row, int32_t **list, int64_t *n) {
  Status status = OK;
  int32_t *count = NULL;
  int64_t total = 0;
  ALLOC_DONE(count, n_row, "stress at interfaces");
  TRY_DONE(exec_download(r->exec, count, r->others, (size_t)n_row * sizeof *count));
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t i = 0; i < n_row; ++i) total += count[i];
  ALLOC_DONE(*list, 2 * total, "stress at interfaces");
  *n = 0;
  for (int64_t i = 0; i < n_row && *n < total; ++i)
    for (int32_t k = 0; k < count[i]; ++k, ++*n) (*list)[*n] = (int32_t)i, (*list)[total + *n] = k + 1;
done:
  FREE(count);
  return status;
}

static Status download_others(Exec *exec, const RecoverOtherArgs *args, int64_t n, ElasticFields *out) {
  Status status = OK;
  int32_t *place = NULL;
  double *value = NULL;
  ALLOC_DONE(place, 2 * n, "stress at interfaces");
  ALLOC_DONE(value, OTHER_NUMBERS * n, "stress at interfaces");
  ALLOC_DONE(out->other, n, "stress at interfaces");
  TRY_DONE(exec_rows(exec, &recover_others_kernel, args, n));
  TRY_DONE(exec_download(exec, place, args->place, (size_t)(2 * n) * sizeof *place));
  TRY_DONE(exec_download(exec, value, args->value, (size_t)(OTHER_NUMBERS * n) * sizeof *value));
  for (int64_t j = 0; j < n; ++j) {
    out->other[j] = (OtherStress){.node = place[2 * j], .material = place[2 * j + 1]};
    const double *from = value + OTHER_NUMBERS * j;
    memcpy(out->other[j].stress, from, sizeof out->other[j].stress);
    memcpy(out->other[j].stress_material, from + OTHER_MATERIAL, sizeof out->other[j].stress_material);
    out->other[j].safety = from[OTHER_SAFETY];
  }
  qsort(out->other, (size_t)n, sizeof *out->other, by_node);
  out->n_other = n;
done:
  FREE(place);
  FREE(value);
  return status;
}

Status recovery_others(const Elasticity *p, ElasticRecovery *r, ElasticFields *out) {
  Status status = OK;
  int32_t *list = NULL, *row = NULL;
  int64_t n = 0;
  RecoverOtherArgs args = {.nodes = recovery_node_args(p, r)};
  FREE(out->other);
  out->n_other = 0;
  if (!r->others) return OK;
  TRY_DONE(list_others(r, p->space->nodes.n_row, &list, &n));
  if (n == 0) goto done;
  TRY_DONE(exec_alloc_upload(r->exec, 2 * n, sizeof *row, list, "stress at interfaces", (void **)&row));
  args.row = row, args.nth = row + n;
  TRY_DONE(exec_alloc(r->exec, 2 * n, sizeof *args.place, "stress at interfaces", (void **)&args.place));
  TRY_DONE(exec_alloc(r->exec, OTHER_NUMBERS * n, sizeof *args.value, "stress at interfaces", (void **)&args.value));
  TRY_DONE(download_others(r->exec, &args, n, out));
done:
  EXEC_RELEASE(r->exec, row, 2 * n);
  EXEC_RELEASE(r->exec, args.place, 2 * n);
  EXEC_RELEASE(r->exec, args.value, OTHER_NUMBERS * n);
  FREE(list);
  return status;
}
