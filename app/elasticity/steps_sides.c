/* What probes within elements see at nodes of interfaces, of a run in steps: the average of their own material, as in statics
 * (results_at). Few nodes have more than one, so that these are numbers of a sample, beside the fields, which have the first; and behind
 * them sums of contact, which fields do not tell. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "core/memory.h"

#include <math.h>

/* How many nodes such a probe looks at; 0: it is at a node, or its field is no average. */
static int32_t nodes_seen(const ElasticRun *r, int32_t probe) {
  const Location *at = &r->setup.probe[probe];
  if (at->node >= 0) return 0; /* as all of a sample, which has no parts of probes */
  const FieldPart part = elastic_setup(&r->setup)->probe[probe];
  if (part.row >= N_ELASTIC_FIELDS || elastic_field[part.row].where != WHERE_AVERAGES) return 0;
  return element_type(mesh_block_of(r->run->mesh, at->element)->kind)->n_node;
}

static Status sides_sample(void *context, double *room) {
  const ElasticRun *r = context;
  const ElasticSides *s = &r->sides;
  if (s->sample) TRY(s->sample(context, room));
  return exec_upload(r->run->device.exec, room + s->first, s->value, (size_t)s->n * sizeof *room);
}

static Status sides_gather(void *context, const double *mine, double *whole) {
  const ElasticRun *r = context;
  const ElasticSides *s = &r->sides;
  if (s->gather) TRY(s->gather(context, mine, whole));
  for (int64_t i = s->first; whole && i < s->first + s->n; ++i) whole[i] = mine[i];
  return OK;
}

Status elastic_sides_open(ElasticRun *r, StreamParams *params) {
  const Case *c = r->run->c;
  ElasticSides *s = &r->sides;
  for (int32_t i = 0; run_is_root(r->run) && c->materials.n > 1 && i < c->output.probes.n; ++i)
    s->n += nodes_seen(r, i);
  s->there = s->n > 0;
  TRY(ranks_hear(r->run, &s->there));
  s->n_sum = 3 * (int64_t)contact_sums(c), s->n += s->n_sum;
  if (s->n) ALLOC(s->value, s->n, "probes at interfaces, sums of contact");
  s->first = params->n_sample, s->sample = params->sample;
  params->n_sample += s->n;
  if (s->n) params->sample = sides_sample;
  s->gather = params->gather;
  if (s->there && r->run->share) params->gather = sides_gather;
  return OK;
}

static void sides_fill(const ElasticRun *r, const ElasticFields *fields) {
  const Mesh *mesh = r->run->mesh;
  double *value = r->sides.value;
  for (int32_t i = 0; i < r->run->c->output.probes.n; ++i) {
    const int32_t element = r->setup.probe[i].element, n = nodes_seen(r, i);
    for (int32_t a = 0; a < n; ++a, ++value)
      if (!results_seen(fields, elastic_setup(&r->setup)->probe[i], mesh_nodes_of(mesh, element)[a],
                        fields->material[element - setup_first_solved(mesh)], value))
        *value = (double)NAN;
  }
}

Status elastic_sides_take(ElasticRun *r) {
  ElasticFields whole;
  if (r->sides.n_sum) TRY(contact_sums_take(r, r->sides.value + r->sides.n - r->sides.n_sum));
  if (!r->sides.there) return OK;
  TRY(elastic_fields_find_other(r->elasticity, &r->fields));
  if (!r->run->share) {
    sides_fill(r, &r->fields);
    return OK;
  }
  const Status status = elastic_collect_other(r->run, &r->fields, &whole);
  if (status == OK && r->sides.n) sides_fill(r, &whole);
  elastic_collect_release(&whole);
  return status;
}

double elastic_sides_at(const ElasticRun *r, int32_t probe, const double *of, const double **side) {
  const Mesh *mesh = r->run->mesh;
  const Location *at = &r->setup.probe[probe];
  const FieldPart part = elastic_setup(&r->setup)->probe[probe];
  const int32_t n = r->sides.n > r->sides.n_sum ? nodes_seen(r, probe) : 0;
  double N[ELEMENT_MAX_NODES], value = 0;
  if (n == 0) return field_at(mesh, at, &elastic_field[part.row], part.component, of);
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  element_type(mesh_block_of(mesh, at->element)->kind)->values(at->xi, N);
  for (int32_t a = 0; a < n; ++a) {
    const double own = *(*side)++;
    value += N[a] * (isnan(own) ? of[(int64_t)nodes[a] * elastic_field[part.row].width + part.component] : own);
  }
  return value;
}
