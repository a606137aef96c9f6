/* Values of supports at a time, and where they contradict each other. */
#include "assembly/space/support.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 5 };

/* Values of a node from its span, ascending by component. */
static void node_values(const Supports *s, const Span *span, int32_t node, double *value) {
  for (int c = 0, n = 0; c < s->n_component; ++c) {
    if (!(s->fixed[node] >> c & 1)) continue;
    double sum = 0;
    if (s->frame_of[node] >= 0) sum = span->value[c];
    for (int j = 0; j < span->n && s->frame_of[node] < 0; ++j) sum += span->value[j] * span->q[j][c];
    value[n++] = sum;
  }
}

/* The item before `last` that points most nearly the same way. */
static int32_t support_values_partner(const Supports *s, int32_t first, int32_t last) {
  const Direction *item = s->list.item;
  int32_t best = first;
  for (int32_t k = first + 1; k < last; ++k)
    if (fabs(vec3_dot(item[k].d, item[last].d)) > fabs(vec3_dot(item[best].d, item[last].d))) best = k;
  return best;
}

/* "case.yaml:9:5 prescribes x = 0.1", "... 0 along (0.6, 0.8, 0)", or "... 20" of a scalar. */
static void describe_direction(const Supports *s, int32_t k, char *text, size_t size) {
  const Direction *item = &s->list.item[k];
  const double value = s->at[k];
  char place[64];
  const char *where = item->support == s->n_item
                          ? "the axis of the model, x = 0,"
                          : item_place(s->item[item->support].where, "support", item->support, place);
  int axis = -1;
  for (int c = 0; c < 3; ++c)
    if (item->d[c] == 1) axis = c;
  if (s->n_component == 1) snprintf(text, size, "%s prescribes %.9g", where, value);
  else if (axis >= 0) snprintf(text, size, "%s prescribes %c = %.9g", where, "xyz"[axis], value);
  else snprintf(text, size, "%s prescribes 0 along (%.4g, %.4g, %.4g)", where, item->d[0], item->d[1], item->d[2]);
}

/* What runs: t or f. */
static const char *running(const Supports *s) {
  for (int32_t i = 0; i < s->n_item; ++i)
    for (int c = 0; c < s->n_component; ++c)
      if (expr_is_timed(&s->item[i].value[c])) return expr_running(&s->item[i].value[c]);
  return "t";
}

/* Two directions of the j-th node; the first conflict starts the chain, up to SHOWN are reported. */
static void report_conflict(const Supports *s, int32_t j, int32_t k, double time, int64_t count) {
  char a[256], b[256], when[48] = "";
  const int32_t other = support_values_partner(s, s->first[j], k), node = s->list.item[k].node;
  const bool in_order = s->list.item[other].support <= s->list.item[k].support;
  const double *x = s->mesh->x[node];
  if (count > SHOWN) return;
  describe_direction(s, in_order ? other : k, a, sizeof a);
  describe_direction(s, in_order ? k : other, b, sizeof b);
  if (s->varies) snprintf(when, sizeof when, " at %s = %g", running(s), time);
  const char *format = "conflicting supports at node %lld (%g, %g, %g): %s, %s%s";
  if (count == 1) (void)FAIL(ERR_INPUT, format, (long long)s->mesh->node_tag[node], x[0], x[1], x[2], a, b, when);
  else (void)status_context(ERR_INPUT, format, (long long)s->mesh->node_tag[node], x[0], x[1], x[2], a, b, when);
}

Status supports_report(const Supports *s, double time, double largest) {
  int64_t n = 0;
  Span span;
  for (int32_t j = 0; j < s->n; ++j) {
    const int32_t k = supports_span(s, j, time, largest, &span);
    if (k >= 0) report_conflict(s, j, k, time, ++n);
  }
  if (n > SHOWN) (void)status_context(ERR_INPUT, "and at %lld more nodes", (long long)(n - SHOWN));
  return status_context(ERR_INPUT,
                        "give the nodes that both groups share the same value, or leave them out of one of the two");
}

int32_t supports_directions_at(const Supports *s, double time, double *out) {
  int32_t bad = INT32_MAX;
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(min : bad) reduction(max : largest)
  for (int32_t k = 0; k < (int32_t)s->list.n; ++k) {
    const Direction *item = &s->list.item[k];
    if (item->component < 0) continue;
    s->at[k] = expr_value(&s->item[item->support].value[item->component], s->mesh->x[item->node], time);
    if (!isfinite(s->at[k])) bad = k < bad ? k : bad;
    else largest = fmax(largest, fabs(s->at[k]));
  }
  *out = largest;
  return bad;
}

static Status check_finite(const Supports *s, int32_t bad, double time) {
  if (bad == INT32_MAX) return OK;
  const Direction *item = &s->list.item[bad];
  const double *x = s->mesh->x[item->node];
  char text[64], when[48] = "";
  if (s->varies) snprintf(when, sizeof when, ", %s = %g", running(s), time);
  return FAIL(ERR_INPUT, "%s: the %s is %s at (%g, %g, %g)%s, must be finite",
              item_place(s->item[item->support].where, "support", item->support, text), s->name[item->component],
              isnan(s->at[bad]) ? "not a number" : "infinite", x[0], x[1], x[2], when);
}

Status supports_evaluate(Supports *s, double time) {
  if (s->time == time || (!s->varies && !isnan(s->time))) return OK;
  double largest;
  const int32_t bad = supports_directions_at(s, time, &largest);
  int64_t conflicts = 0;
  s->time = NAN;
  TRY(check_finite(s, bad, time));
#pragma omp parallel for schedule(static) reduction(+ : conflicts)
  for (int32_t j = 0; j < s->n; ++j) {
    Span span;
    const int32_t node = s->list.item[s->first[j]].node;
    conflicts += supports_span(s, j, time, largest, &span) >= 0;
    node_values(s, &span, node, s->value + s->first_value[j]);
  }
  if (conflicts) return supports_report(s, time, largest);
  s->time = time;
  return OK;
}
