/* The fields of a solution on several ranks, brought together on rank 0 in the order of the whole mesh, so that files,
 * probes and sums are made as by one alone. */
#include "app/elasticity/elastic.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>

static const char *const WHAT = "result fields";

/* Scalars of an item; NULL where the field was not asked for. *to is the caller's, on rank 0. */
static Status collect_field(const Run *run, CollectorItems of, int32_t n_whole, int width, const double *from,
                            double **to) {
  if (!from) return OK;
  if (run_speaks(run)) ALLOC(*to, (int64_t)n_whole * width, WHAT);
  return collect(run->share->collector, of, (size_t)width * sizeof *from, from, *to);
}

/* From how many each has to where they begin, on rank 0. */
static Status collect_starts(const Run *run, CollectorItems of, int32_t n, int32_t n_whole, const int64_t *start,
                             int64_t **whole) {
  int64_t *count = NULL;
  ALLOC(count, n, WHAT);
  for (int32_t i = 0; i < n; ++i) count[i] = start[i + 1] - start[i];
  Status status = OK;
  if (run_speaks(run)) status = mem_alloc((int64_t)n_whole + 1, sizeof **whole, WHAT, (void **)whole);
  if (status == OK) status = collect(run->share->collector, of, sizeof *count, count, *whole ? *whole + 1 : NULL);
  for (int32_t i = 0; *whole && i < n_whole; ++i) (*whole)[i + 1] += (*whole)[i];
  FREE(count);
  return status;
}

static Status collect_points(const Run *run, int32_t n, int32_t n_whole, const ElasticFields *from, ElasticFields *to) {
  if (!from->point_stress) return OK;
  TRY(collect_starts(run, OF_ELEMENTS, n, n_whole, from->point_start, &to->point_start));
  if (run_speaks(run)) ALLOC(to->point_stress, to->point_start[n_whole], WHAT);
  return collect_pieces(run->share->collector, OF_ELEMENTS, sizeof *from->point_stress, from->point_start,
                        from->point_stress, to->point_start, to->point_stress);
}

/* Averages of other materials at interfaces, of which few nodes have any. */
static Status collect_others(const Run *run, const ElasticFields *from, ElasticFields *to) {
  const Mesh *local = run->share->local.mesh;
  const int32_t n = local->n_node, n_whole = run_speaks(run) ? run->mesh->n_node : 0;
  int64_t *start = NULL, *whole = NULL;
  Status status = OK;
  ALLOC(start, (int64_t)n + 1, WHAT);
  for (int64_t k = 0; k < from->n_other; ++k) ++start[from->other[k].node + 1];
  for (int32_t i = 0; i < n; ++i) start[i + 1] += start[i];
  TRY_DONE(collect_starts(run, OF_NODES, n, n_whole, start, &whole));
  if (whole) to->n_other = whole[n_whole];
  if (whole) ALLOC_DONE(to->other, to->n_other, WHAT);
  TRY_DONE(collect_pieces(run->share->collector, OF_NODES, sizeof *from->other, start, from->other, whole, to->other));
  for (int32_t i = 0; i < n_whole; ++i)
    for (int64_t k = whole[i]; k < whole[i + 1]; ++k) to->other[k].node = i;
done:
  FREE(whole);
  FREE(start);
  return status;
}

static Status collect_arrays(const Run *run, const ElasticFields *from, ElasticFields *to) {
  const Mesh *local = run->share->local.mesh;
  const int32_t n = local->n_element - setup_first_solved(local);
  const int32_t n_node = run->report->n_node, n_element = run->report->n_element;
  TRY(collect_field(run, OF_NODES, n_node, 3, (const double *)from->displacement,
                    (double **)(void *)&to->displacement));
  TRY(collect_field(run, OF_NODES, n_node, 3, (const double *)from->reaction, (double **)(void *)&to->reaction));
  TRY(collect_field(run, OF_NODES, n_node, 6, (const double *)from->stress, (double **)(void *)&to->stress));
  TRY(collect_field(run, OF_NODES, n_node, 1, from->von_mises, &to->von_mises));
  TRY(collect_field(run, OF_NODES, n_node, 3, (const double *)from->principal, (double **)(void *)&to->principal));
  TRY(collect_field(run, OF_ELEMENTS, n_element, 1, from->strain_energy, &to->strain_energy));
  TRY(collect_field(run, OF_ELEMENTS, n_element, 6, (const double *)from->element_stress,
                    (double **)(void *)&to->element_stress));
  TRY(collect_points(run, n, n_element, from, to));
  return collect_others(run, from, to);
}

static Status collect_materials(const Run *run, const ElasticFields *from, ElasticFields *to) {
  int32_t *material = NULL;
  if (run_speaks(run)) ALLOC(material, run->report->n_element, WHAT);
  to->material = material;
  return collect(run->share->collector, OF_ELEMENTS, sizeof *material, from->material, material);
}

Status elastic_collect(const Run *run, const ElasticFields *from, ElasticFields *to) {
  *to = (ElasticFields){0};
  TRY(collect_arrays(run, from, to));
  TRY(collect_materials(run, from, to));
  if (!run_speaks(run)) return OK;
  return elasticity_total_energy(run->device.exec, run->report->n_element, to->strain_energy, &to->energy);
}

void elastic_collect_release(ElasticFields *fields) {
  int32_t *material = (int32_t *)(uintptr_t)fields->material;
  FREE(fields->displacement);
  FREE(fields->reaction);
  FREE(fields->stress);
  FREE(fields->von_mises);
  FREE(fields->principal);
  FREE(fields->strain_energy);
  FREE(fields->element_stress);
  FREE(fields->point_stress);
  FREE(fields->point_start);
  FREE(fields->other);
  FREE(material);
  *fields = (ElasticFields){0};
}
