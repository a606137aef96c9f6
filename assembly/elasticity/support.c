/* Turns the supported directions of each node into fixed components, in the global frame or one of the node's own. */
#include "assembly/elasticity/support.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

static const double DEPENDENT = 0.05; /* sine of the angle to the span below which a direction adds nothing */
enum { SHOWN = 5 };

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The constraints of one node while they are collected: orthonormal directions and the displacement along each, with
 * its round-off. */
typedef struct Span {
  int n;
  double q[3][3], value[3], error[3];
} Span;

/* The item before `last` that points most nearly the same way. */
static const Direction *partner(const Direction *item, int64_t last) {
  int64_t best = 0;
  for (int64_t k = 1; k < last; ++k)
    if (fabs(dot(item[k].d, item[last].d)) > fabs(dot(item[best].d, item[last].d))) best = k;
  return &item[best];
}

/* "x = 0.1" or "0 along (0.6, 0.8, 0)". */
static const char *prescribed(const Direction *item, char text[96]) {
  for (int c = 0; c < 3; ++c)
    if (item->d[c] == 1) {
      snprintf(text, 96, "%c = %g", "xyz"[c], item -> value);
      return text;
    }
  snprintf(text, 96, "%g along (%.4g, %.4g, %.4g)", item->value, item->d[0], item->d[1], item->d[2]);
  return text;
}

/* The first conflict starts the chain, up to SHOWN are told. */
static void tell_conflict(const ElasticityParams *params, const Direction *a, const Direction *b, int64_t count) {
  char pa[64], pb[64], ta[96], tb[96], text[512];
  const Mesh *mesh = params->mesh;
  const double *x = mesh->x[a->node];
  if (count > SHOWN) return;
  if (a->support > b->support) {
    const Direction *swap = a;
    a = b;
    b = swap;
  }
  snprintf(text, sizeof text, "conflicting supports at node %lld (%g, %g, %g): %s prescribes %s, %s prescribes %s",
           (long long)mesh->node_tag[a->node], x[0], x[1], x[2],
           support_place(&params->support[a->support], a->support, pa), prescribed(a, ta),
           support_place(&params->support[b->support], b->support, pb), prescribed(b, tb));
  if (count == 1) (void)FAIL(ERR_INPUT, "%s", text);
  else (void)status_context(ERR_INPUT, "%s", text);
}

/* Adds direction k of a node's list; returns 1 when it contradicts what is there. */
static int span_add(Span *span, const Direction *item, int64_t k, double largest) {
  double rest[3], value = item[k].value, size = fabs(value), error = item[k].error;
  for (int i = 0; i < 3; ++i) rest[i] = item[k].d[i];
  for (int j = 0; j < span->n; ++j) {
    const double along = dot(item[k].d, span->q[j]);
    for (int i = 0; i < 3; ++i) rest[i] -= along * span->q[j][i];
    value -= along * span->value[j];
    size = fmax(size, fabs(along * span->value[j]));
    error += fabs(along) * span->error[j];
  }
  const double length = sqrt(dot(rest, rest));
  if (span->n < 3 && length > DEPENDENT) {
    for (int i = 0; i < 3; ++i) span->q[span->n][i] = rest[i] / length;
    span->error[span->n] = error / length;
    span->value[span->n++] = value / length;
    return 0;
  }
  /* what is left of a slightly tilted normal is not a contradiction where nothing is moved */
  return !support_values_agree(value, size, largest, error);
}

/* Completes q[0 .. n) to a right-handed orthonormal frame, columns of R; a plane one keeps z. */
static void complete_frame(const Span *span, int dim, double *R) {
  double q[3][3] = {{0}};
  for (int j = 0; j < span->n; ++j)
    for (int i = 0; i < 3; ++i) q[j][i] = span->q[j][i];
  if (dim == 2) {
    q[1][0] = -q[0][1];
    q[1][1] = q[0][0];
    q[2][2] = 1;
  } else {
    if (span->n == 1) {
      int least = 0;
      for (int i = 1; i < 3; ++i)
        if (fabs(q[0][i]) < fabs(q[0][least])) least = i;
      for (int i = 0; i < 3; ++i) q[1][i] = (i == least) - q[0][least] * q[0][i];
      const double length = sqrt(dot(q[1], q[1]));
      for (int i = 0; i < 3; ++i) q[1][i] /= length;
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      q[2][i] = q[0][j] * q[1][k] - q[0][k] * q[1][j];
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[3 * i + j] = q[j][i];
}

/* The axes that the span is made of, as bits; -1 when it is not made of axes. */
static int axes_of(const Span *span, int dim) {
  int axes = 0, n = 0;
  for (int i = 0; i < dim; ++i) {
    double in_span = 0;
    for (int j = 0; j < span->n; ++j) in_span += span->q[j][i] * span->q[j][i];
    if (in_span > 1 - 1e-12) {
      axes |= 1 << i;
      ++n;
    }
  }
  return n == span->n ? axes : -1;
}

static void set_node(const Span *span, int32_t node, Supports *out) {
  const int32_t dim = out->dim;
  const int axes = axes_of(span, dim);
  double *value = out->value + (int64_t)node * dim;
  if (axes >= 0) {
    out->fixed[node] = (uint8_t)axes;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < span->n && axes >> i & 1; ++j) value[i] += span->value[j] * span->q[j][i];
  } else {
    out->frame_of[node] = out->n_frame;
    out->frame_node[out->n_frame] = node;
    complete_frame(span, dim, out->frame + 9 * (int64_t)out->n_frame++);
    out->fixed[node] = (uint8_t)((1 << span->n) - 1);
    for (int j = 0; j < span->n; ++j) value[j] = span->value[j];
  }
  for (int i = 0; i < dim; ++i) out->moved |= value[i] != 0;
}

static Status set_all(const ElasticityParams *params, const Directions *list, Supports *out) {
  int64_t n_conflict = 0;
  int32_t last_node = -1;
  for (int64_t first = 0, end; first < list->n; first = end) {
    const Direction *item = list->item + first;
    Span span = {0};
    for (end = first; end < list->n && list->item[end].node == item->node; ++end) {
      if (!span_add(&span, item, end - first, list->largest) || last_node == item->node) continue;
      last_node = item->node;
      tell_conflict(params, partner(item, end - first), &list->item[end], ++n_conflict);
    }
    set_node(&span, item->node, out);
  }
  if (n_conflict == 0) return OK;
  if (n_conflict > SHOWN) (void)status_context(ERR_INPUT, "and at %lld more nodes", (long long)(n_conflict - SHOWN));
  return status_context(ERR_INPUT,
                        "give the nodes that both groups share the same value, or leave the component out in one");
}

static int64_t nodes_with_directions(const Directions *list) {
  int64_t n = 0;
  for (int64_t k = 0; k < list->n; ++k) n += k == 0 || list->item[k].node != list->item[k - 1].node;
  return n;
}

Status supports_create(const ElasticityParams *params, int32_t dim, const uint8_t *used, Supports *out) {
  Status status = OK;
  Directions list = {0};
  const int32_t n_node = params->mesh->n_node;
  *out = (Supports){.n_node = n_node, .dim = dim};
  TRY_DONE(directions_create(params, dim, used, &list));
  const int64_t most = nodes_with_directions(&list);
  ALLOC_DONE(out->fixed, n_node, "supported components");
  ALLOC_DONE(out->value, (int64_t)n_node * dim, "prescribed displacements");
  ALLOC_DONE(out->frame_of, n_node, "supported nodes");
  ALLOC_DONE(out->frame_node, most, "frames of supported nodes");
  ALLOC_DONE(out->frame, 9 * most, "frames of supported nodes");
  for (int32_t i = 0; i < n_node; ++i) out->frame_of[i] = -1;
  TRY_DONE(set_all(params, &list, out));
  for (int32_t i = 0; i < n_node; ++i) {
    if (!used[i]) out->fixed[i] = (uint8_t)((1 << dim) - 1);
    for (int c = 0; c < dim; ++c) out->n_free += !(out->fixed[i] >> c & 1);
  }
done:
  FREE(list.item);
  if (status != OK) supports_release(out);
  return status;
}

void supports_release(Supports *supports) {
  FREE(supports->fixed);
  FREE(supports->value);
  FREE(supports->frame_of);
  FREE(supports->frame_node);
  FREE(supports->frame);
}

bool supports_direction(const Supports *supports, int32_t i, int32_t c, double direction[3]) {
  const int32_t frame = supports->frame_of[i];
  for (int k = 0; k < 3; ++k) direction[k] = frame < 0 ? k == c : supports->frame[9 * (int64_t)frame + 3 * k + c];
  return supports->fixed[i] >> c & 1;
}
