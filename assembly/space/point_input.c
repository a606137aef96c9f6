/* See point_input.h. */
#include "assembly/space/point_input.h"
#include "assembly/space/rows.h"
#include "core/memory.h"
#include "mesh/elements/halved.h"

#include <math.h>

void point_input_release(Exec *exec, PointInput *input) {
  for (int k = 0; k < ELEMENT_SET_BLOCKS; ++k) EXEC_RELEASE(exec, input->value[k], input->n[k]);
  for (int k = 0; k < ELEMENT_SET_BLOCKS; ++k) EXEC_RELEASE(exec, input->halved[k], input->n_halved[k]);
  EXEC_RELEASE(exec, input->nodal, input->n_nodal);
}

PointInputView point_input_view(const PointInput *input, int32_t k, int64_t first) {
  const double *value = input->value[k];
  return (PointInputView){value ? value + first * input->step_e[k] : NULL, input->step_e[k], input->step_q[k],
                          input->factor};
}

/* Of element e at the point where the shape functions are N. */
static double sum_at(const PointSum *sum, const SetBlock *b, int32_t e, const double *N, double x[3]) {
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  double value = 0;
  for (int i = 0; i < 3; ++i) x[i] = 0;
  for (int32_t a = 0; a < b->type->n_node; ++a)
    for (int i = 0; i < 3; ++i) x[i] += N[a] * sum->mesh->x[nodes[a]][i];
  for (int32_t i = 0; i < sum->n; ++i)
    if (!sum->of || sum->of[b->first_id + e] == i)
      value += (sum->factor ? sum->factor[i] : 1) * scalar_source_at_time(sum->source[i], b->first_id + e,
                                                                          b->type->n_node, nodes, N, x,
                                                                          sum->times ? sum->times[i] : sum->time);
  return value;
}

/* An expression that comes to its least, such as a sine that ends with 0, may fall short of it by so much. */
static const double ROUNDING = 1e-9;

static double least_of(const PointSum *sum, const SetBlock *b, int32_t e) {
  return sum->least ? sum->least[sum->of ? sum->of[b->first_id + e] : 0] : -(double)INFINITY;
}

/* value[n][n_q] of a block's first n elements. */
static Status sum_block(const PointSum *sum, const SetBlock *b, int32_t n, int32_t n_q, const double *N,
                        double *value) {
  int32_t bad = INT32_MAX;
  double x[3];
#pragma omp parallel for schedule(static) reduction(min : bad) private(x)
  for (int32_t e = 0; e < n; ++e)
    for (int32_t q = 0; q < n_q; ++q) {
      double *t = &value[(int64_t)e * n_q + q];
      *t = sum_at(sum, b, e, N + (int64_t)q * b->type->n_node, x);
      if ((!isfinite(*t) || *t < least_of(sum, b, e) - ROUNDING) && e < bad) bad = e;
    }
  for (int32_t q = 0; bad < INT32_MAX && q < n_q; ++q) {
    const char *where = sum->source[sum->of ? sum->of[b->first_id + bad] : 0]->where;
    const double t = sum_at(sum, b, bad, N + (int64_t)q * b->type->n_node, x);
    CHECK(isfinite(t), ERR_INPUT, "%s%sthe %s is %s at (%g, %g, %g), in %s element %lld; it must be finite",
          where ? where : "", where ? ": " : "", sum->what, isnan(t) ? "not a number" : "infinite", x[0], x[1], x[2],
          b->type->name, (long long)mesh_block_of(sum->mesh, b->first_id)->tag[bad]);
    CHECK(t >= least_of(sum, b, bad) - ROUNDING, ERR_INPUT,
          "%s%sthe %s is %g at (%g, %g, %g) and the time %g; it must be at least %g", where ? where : "",
          where ? ": " : "", sum->what, t, x[0], x[1], x[2], sum->time, least_of(sum, b, bad));
  }
  return OK;
}

/* As many numbers as the sources have: one, one per element, or one per point. */
static Status sum_upload(Exec *exec, const PointSum *sum, const ElementSet *set, const Numbering *numbering, int32_t k,
                         PointInput *out) {
  Status status = OK;
  const SetBlock *b = &set->block[k];
  bool by_point = false, one = !sum->of || sum->n == 1;
  for (int32_t i = 0; i < sum->n; ++i) {
    by_point = by_point || scalar_source_by_point(sum->source[i]);
    one = one && !scalar_source_varies(sum->source[i]);
  }
  Quadrature rule;
  TRY(element_stiffness_quadrature(b->type, &rule));
  const int32_t n_q = by_point ? rule.n : 1, n = one && b->n > 0 ? 1 : b->n;
  double *N = NULL, *value = NULL;
  ALLOC_DONE(N, ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES, "shape functions");
  ALLOC_DONE(value, (int64_t)n * n_q, sum->what);
  element_tabulate(b->type, &rule, N, NULL);
  TRY_DONE(sum_block(sum, b, n, n_q, N, value));
  EXEC_RELEASE(exec, out->value[k], out->n[k]);
  out->n[k] = (int64_t)n * n_q;
  out->step_e[k] = one ? 0 : n_q;
  out->step_q[k] = by_point;
  if (one) TRY_DONE(exec_alloc_upload(exec, n, sizeof *value, value, sum->what, (void **)&out->value[k]));
  else
    TRY_DONE(element_upload(exec, numbering->element[k], n, (size_t)n_q * sizeof *value, value, sum->what,
                            (void **)&out->value[k]));
done:
  FREE(N);
  FREE(value);
  return status;
}

Status point_input_sum(Exec *exec, const PointSum *sum, const ElementSet *set, const Numbering *numbering,
                       PointInput *out) {
  out->factor = 1;
  out->source = NULL;
  for (int32_t k = 0; k < set->n_solved_block; ++k) TRY(sum_upload(exec, sum, set, numbering, k, out));
  return OK;
}

static Status make_halved(const Space *s, int32_t k, PointInput *out) {
  Status status = OK;
  const ElementType *type = s->set.block[k].type;
  double *N = NULL;
  Quadrature rule;
  if (out->halved[k]) return OK;
  TRY(element_stiffness_quadrature(type, &rule));
  out->n_halved[k] = (int64_t)rule.n * type->n_node;
  ALLOC(N, out->n_halved[k], "shape functions");
  for (int32_t q = 0; q < rule.n; ++q) element_halved_values(type, rule.xi[q], N + (int64_t)q * type->n_node);
  status = exec_alloc_upload(s->exec, out->n_halved[k], sizeof *N, N, "shape functions", (void **)&out->halved[k]);
  FREE(N);
  return status;
}

/* add + what nodal[nodes of the space], on the Exec in the solver's order with its halo, is at the points. */
static Status from_nodes(const Space *s, const double *nodal, double add, bool halved, PointInput *out) {
  out->factor = 1;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const SetBlock *b = &s->set.block[k], *solver = &s->solver_set->block[k];
    const int32_t n_q = s->block[k].stiffness.n_q;
    if (!b->n) continue;
    if (halved) TRY(make_halved(s, k, out));
    if (out->n[k] != (int64_t)b->n * n_q) {
      EXEC_RELEASE(s->exec, out->value[k], out->n[k]);
      out->n[k] = (int64_t)b->n * n_q;
      EXEC_ALLOC(s->exec, out->value[k], out->n[k], "inputs of points");
    }
    out->step_e[k] = n_q;
    out->step_q[k] = 1;
    const PointInputArgs args = {n_q,
                                 b->type->n_node,
                                 s->block[k].nodes,
                                 solver->node_a,
                                 solver->node_e,
                                 halved ? out->halved[k] : s->block[k].stiffness.N,
                                 nodal,
                                 add,
                                 out->value[k]};
    TRY(exec_rows(s->exec, &point_input_kernel, &args, b->n));
  }
  return OK;
}

Status point_input_nodal(const Space *s, const double *nodal, double factor, PointInput *out) {
  TRY(from_nodes(s, nodal, 0, true, out));
  out->source = NULL;
  out->factor = factor;
  return OK;
}

/* Numbers at nodes go to the Exec, and a kernel makes those of points. */
static Status renew_nodal(const Space *s, const char *what, const ScalarSource *source, PointInput *out) {
  Exec *exec = s->exec;
  for (int32_t i = 0; i < s->n_node; ++i)
    CHECK(isfinite(source->node[i]), ERR_INPUT, "%s%sthe %s is not finite at node %lld, at (%g, %g, %g)",
          source->where ? source->where : "", source->where ? ": " : "", what, (long long)s->mesh->node_tag[i],
          s->mesh->x[i][0], s->mesh->x[i][1], s->mesh->x[i][2]);
  EXEC_RELEASE(exec, out->nodal, out->n_nodal);
  out->n_nodal = s->n_node;
  TRY(numbering_upload(exec, &s->numbering, 1, sizeof *source->node, source->node, what, (void **)&out->nodal));
  return from_nodes(s, out->nodal, source->value, false, out);
}

Status point_input_renew(const Space *s, const char *what, const ScalarSource *source, double time, double factor,
                         PointInput *out) {
  const bool timed = source->expr && expr_is_timed(source->expr);
  if (out->source != source || (timed && out->time != time)) {
    const PointSum sum = {.what = what, .mesh = s->mesh, .n = 1, .source = &source, .time = time};
    if (source->node && !source->expr && !source->element) TRY(renew_nodal(s, what, source, out));
    else TRY(point_input_sum(s->exec, &sum, &s->set, &s->numbering, out));
    out->source = source;
    out->time = time;
  }
  out->factor = factor;
  return OK;
}
