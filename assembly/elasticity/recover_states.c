/* States of points as results: those of the last step that was accepted, never those that another answer of a material would have. */
#include "assembly/elasticity/recovery.h"
#include "core/memory.h"
#include "physics/material.h"
#include "physics/tension_kernels.h"

#include <string.h>

int elasticity_active_state(const char *word) {
  static const char *const words[] = {
#define STATE(word, meaning, unit, initial) word,
      active_states(STATE)
#undef STATE
  };
  for (int k = 0; k < ACTIVE_STATES; ++k)
    if (strcmp(words[k], word) == 0) return k;
  return -1;
}

/* Of a material, or of the muscle in it; -1: there is none of that name. */
static int32_t state_of(const ElasticConstants *m, const char *word) {
  const int more = m->active.form != ACTIVE_NONE && m->active.model >= 0 ? elasticity_active_state(word) : -1;
  return more >= 0 ? m->active.state + m->active.n_state + more : material_state(m->kind, word);
}

Status elasticity_recover_states(Elasticity *p, int32_t n, const char *const *word) {
  Exec *exec = p->space->exec;
  int32_t *index = NULL;
  const int64_t size = (int64_t)n * p->n_material;
  EXEC_RELEASE(exec, p->chosen, p->n_chosen * (int64_t)p->n_material);
  p->n_chosen = 0;
  ALLOC(index, size, "states that are asked for");
  for (int32_t m = 0; m < p->n_material; ++m)
    for (int32_t i = 0; i < n; ++i) {
      const int32_t k = state_of(&p->constants[m], word[i]);
      index[m * n + i] = k < p->points.state.n_state ? k : -1; /* nothing has those behind */
    }
  const Status status =
      exec_alloc_upload(exec, size, sizeof *index, index, "states that are asked for", (void **)(void *)&p->chosen);
  if (status == OK) p->n_chosen = n;
  FREE(index);
  return status;
}

/* By elements: their means, or their points. */
static Status states_of_elements(const Elasticity *p, const ElasticRecovery *r, const double *u, StateChoice of,
                                 bool points_too) {
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, u);
    const PointArgs points = points_args(&p->points, k, 0, &element, NULL);
    const RecoverStateArgs args = {.of = of,
                                   .element = r->block[k].element,
                                   .material = element.material,
                                   .weight = element.weight,
                                   .n_q = element.n_q,
                                   .point_first = points.point_first,
                                   .point_q = points.point_q,
                                   .n_item = points_too ? r->n_point : p->space->set.n_solved,
                                   .out = points_too ? r->field[ELASTIC_POINT_STATES] + r->first_point[k]
                                                     : r->field[ELASTIC_ELEMENT_STATES] + p->points.first_element[k]};
    TRY(exec_rows(r->exec, points_too ? &recover_state_points_kernel : &recover_state_kernel, &args, element.n_elem));
  }
  return OK;
}

Status recover_states(const Elasticity *p, const ElasticRecovery *r, const double *u) {
  const PointState *state = &p->points.state;
  const StateChoice of = {p->n_chosen, p->chosen, state->old, p->points.n_point};
  for (int32_t k = 0; k < N_ELASTIC_FIELDS && !state->old; ++k) /* without points there is none to read */
    if (elastic_is_states(k) && r->field[k])
      TRY(exec_zero(r->exec, r->field[k], (size_t)recovery_numbers(p, r, k) * sizeof(double)));
  if (!state->old) return OK;
  if (r->field[ELASTIC_ELEMENT_STATES]) TRY(states_of_elements(p, r, u, of, false));
  if (r->field[ELASTIC_POINT_STATES]) TRY(states_of_elements(p, r, u, of, true));
  if (!r->field[ELASTIC_STATES]) return OK;
  const RecoverStateNodeArgs args = {recovery_node_args(p, r), of, p->space->n_node, r->field[ELASTIC_STATES]};
  return exec_rows(r->exec, &recover_state_nodes_kernel, &args, p->space->nodes.n_row);
}

Status elastic_states_take(const Elasticity *p, const ElasticFields *fields, int32_t k, int32_t i, double *room) {
  const ElasticRecovery *r = fields->own;
  const int64_t n = recovery_numbers(p, r, k) / p->n_chosen;
  CHECK(r->field[k] && i < p->n_chosen, ERR_BUG, "%s %d was not recovered", elastic_field[k].word, i);
  return exec_copy(r->exec, room, r->field[k] + i * n, (size_t)n * sizeof *room);
}

_Static_assert((int)BEAT_PEAKS == (int)ELASTIC_PEAKS, "what a node has had in a beat");
Status elasticity_beat_peak(Elasticity *p, const BeatMoment *now, double *peak) {
  const BeatPeakArgs args = {now->stretch, now->tension, now->time, now->first, now->least, p->space->n_node, peak};
  return exec_rows(p->space->exec, &beat_peak_kernel, &args, p->space->n_node);
}

Status elasticity_strain_along(Elasticity *p, const double *strain, const double *direction, double *value) {
  const StrainAlongArgs args = {strain, direction, value};
  return exec_rows(p->space->exec, &strain_along_kernel, &args, p->space->n_node);
}
