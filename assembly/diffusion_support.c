/* Prescribed values: which nodes have one, from which support, and what it is at a time. */
#include "assembly/diffusion_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 5 };
static const double AGREE = 1e-9; /* relative difference of values that count as the same */

static bool same_expression(const Expr *a, const Expr *b) {
  if (a->n != b->n) return false;
  for (int32_t i = 0; i < a->n; ++i)
    if (a->op[i] != b->op[i] || a->number[i] != b->number[i]) return false;
  return true;
}

/* Two supports at one node: the same expression, or values that agree and depend on no time. */
static bool agree(const DiffusionSupport *a, const DiffusionSupport *b, const double x[3], double time) {
  if (same_expression(&a->value, &b->value)) return true;
  if (expr_is_timed(&a->value) || expr_is_timed(&b->value)) return false;
  const double u = expr_value(&a->value, x, time), v = expr_value(&b->value, x, time);
  return fabs(u - v) <= AGREE * fmax(fabs(u), fabs(v));
}

static void tell_conflict(const DiffusionParams *params, int32_t node, int32_t a, int32_t b, int64_t count) {
  char pa[64], pb[64];
  const double *x = params->mesh->x[node];
  const DiffusionSupport *first = &params->support[a], *second = &params->support[b];
  if (count == 1)
    (void)FAIL(ERR_INPUT, "conflicting supports at node %lld (%g, %g, %g): %s prescribes %g, %s prescribes %g at t = %g",
               (long long)params->mesh->node_tag[node], x[0], x[1], x[2],
               diffusion_place(first->where, "support", a, pa), expr_value(&first->value, x, params->time),
               diffusion_place(second->where, "support", b, pb), expr_value(&second->value, x, params->time),
               params->time);
  else if (count <= SHOWN)
    (void)status_context(ERR_INPUT, "also at node %lld (%g, %g, %g)", (long long)params->mesh->node_tag[node], x[0], x[1],
                         x[2]);
}

/* owner[n_node]: the first support at each node, -1 without. */
static Status one_support(const DiffusionParams *params, const Incidence *incidence, int32_t s, int32_t *owner,
                          uint8_t *told, int64_t *n_conflict) {
  const Mesh *mesh = params->mesh;
  const DiffusionSupport *support = &params->support[s];
  bool on_body = false;
  for (int32_t k = 0; k < support->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, support->on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, support->on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      const int32_t i = nodes[a];
      if (incidence->start[i + 1] == incidence->start[i]) continue;
      on_body = true;
      if (owner[i] < 0) owner[i] = s;
      if (owner[i] == s || told[i] || agree(&params->support[owner[i]], support, mesh->x[i], params->time)) continue;
      told[i] = 1;
      tell_conflict(params, i, owner[i], s, ++*n_conflict);
    }
  }
  char text[64];
  CHECK(on_body, ERR_INPUT,
        "%s: group '%s' has no node on the body: a value prescribed there holds nothing; give a group on the solved "
        "elements",
        diffusion_place(support->where, "support", s, text), support->on->name);
  return OK;
}

static Status find_owners(const DiffusionParams *params, const Incidence *incidence, int32_t *owner) {
  Status status = OK;
  uint8_t *told = NULL;
  int64_t n_conflict = 0;
  ALLOC_DONE(told, params->mesh->n_node, "prescribed values");
  for (int32_t s = 0; s < params->n_support; ++s)
    TRY_DONE(one_support(params, incidence, s, owner, told, &n_conflict));
  if (n_conflict > SHOWN)
    (void)status_context(ERR_INPUT, "and at %lld more nodes", (long long)(n_conflict - SHOWN));
  if (n_conflict)
    status = status_context(ERR_INPUT,
                            "give the nodes that both groups share the same value, or leave them out of one group");
done:
  FREE(told);
  return status;
}

static Status list_nodes(const DiffusionParams *params, const Incidence *incidence, const int32_t *owner,
                         DiffusionSupports *out) {
  const int32_t n_node = params->mesh->n_node;
  ALLOC(out->fixed, n_node, "prescribed values");
  ALLOC(out->item, params->n_support, "prescribed values");
  for (int32_t s = 0; s < params->n_support; ++s) {
    out->item[s] = params->support[s];
    out->n_varying += expr_is_timed(&params->support[s].value);
  }
  out->n_item = params->n_support;
  for (int32_t i = 0; i < n_node; ++i) {
    out->fixed[i] = owner[i] >= 0 || incidence->start[i + 1] == incidence->start[i];
    out->n += owner[i] >= 0;
    out->n_free += !out->fixed[i];
  }
  ALLOC(out->node, out->n, "prescribed values");
  ALLOC(out->support, out->n, "prescribed values");
  ALLOC(out->value, out->n, "prescribed values");
  for (int32_t i = 0, j = 0; i < n_node; ++i) {
    if (owner[i] < 0) continue;
    out->node[j] = i;
    out->support[j++] = owner[i];
  }
  return OK;
}

Status diffusion_supports_create(const DiffusionParams *params, const Incidence *incidence, DiffusionSupports *out) {
  Status status = OK;
  int32_t *owner = NULL;
  *out = (DiffusionSupports){.time = NAN};
  ALLOC_DONE(owner, params->mesh->n_node, "prescribed values");
  for (int32_t i = 0; i < params->mesh->n_node; ++i) owner[i] = -1;
  TRY_DONE(find_owners(params, incidence, owner));
  TRY_DONE(list_nodes(params, incidence, owner, out));
  TRY_DONE(diffusion_supports_evaluate(params->mesh, out, params->time));
done:
  FREE(owner);
  if (status != OK) diffusion_supports_release(out);
  return status;
}

void diffusion_supports_release(DiffusionSupports *supports) {
  FREE(supports->fixed);
  FREE(supports->node);
  FREE(supports->support);
  FREE(supports->value);
  FREE(supports->item);
}

Status diffusion_supports_evaluate(const Mesh *mesh, DiffusionSupports *s, double time) {
  if (s->time == time || (s->n_varying == 0 && !isnan(s->time))) return OK;
  int32_t bad = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (int32_t j = 0; j < s->n; ++j) {
    s->value[j] = expr_value(&s->item[s->support[j]].value, mesh->x[s->node[j]], time);
    if (!isfinite(s->value[j]) && j < bad) bad = j;
  }
  s->time = NAN;
  if (bad < INT32_MAX) {
    const double *x = mesh->x[s->node[bad]];
    char text[64];
    return FAIL(ERR_INPUT, "%s: the prescribed value is %s at (%g, %g, %g), t = %g, must be finite",
                diffusion_place(s->item[s->support[bad]].where, "support", s->support[bad], text),
                isnan(s->value[bad]) ? "not a number" : "infinite", x[0], x[1], x[2], time);
  }
  s->time = time;
  return OK;
}
