/* Turns the supported directions of each node into fixed components, in the global frame or one of the node's own. */
#include "assembly/space/support.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>

static const double DEPENDENT = 0.05; /* sine of the angle to the span below which a direction adds nothing */
/* Values agree when they differ by no more than this part of themselves; of the largest one; coordinates of a mesh. */
static const double AGREE = 1e-9, OF_LARGEST = 1e-12, COORDINATES = 1e-12;
static const double SAFETY = 4; /* on first-order bounds of round-off */
enum { SAMPLES = 24 };

/* How exact coordinates of a mesh are taken to be: they come from files and from CAD. */
static double place_error(const Mesh *mesh) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs(mesh->x[i][k]));
  return COORDINATES * most;
}

/* Adds a direction with its value; false when it contradicts what is there: by more than round-off of the values, of the
 * largest one prescribed anywhere, or of the expressions that they come from. */
static bool span_add(Span *span, const double *d, double value, double error, double largest) {
  double rest[3], size = fabs(value);
  for (int i = 0; i < 3; ++i) rest[i] = d[i];
  for (int j = 0; j < span->n; ++j) {
    const double along = vec3_dot(d, span->q[j]);
    for (int i = 0; i < 3; ++i) rest[i] -= along * span->q[j][i];
    value -= along * span->value[j];
    size = fmax(size, fabs(along * span->value[j]));
    error += fabs(along) * span->error[j];
  }
  const double length = sqrt(vec3_dot(rest, rest)), off = fabs(value);
  if (span->n == 3 || length <= DEPENDENT) /* NaN is told where it is evaluated */
    return off <= AGREE * size || off <= OF_LARGEST * largest || off <= SAFETY * error || !isfinite(off);
  for (int i = 0; i < 3; ++i) span->q[span->n][i] = rest[i] / length;
  span->error[span->n] = error / length;
  span->value[span->n++] = value / length;
  return true;
}

int32_t supports_span(const Supports *s, int32_t j, double time, double largest, Span *span) {
  int32_t bad = -1;
  *span = (Span){0};
  for (int32_t k = s->first[j]; k < s->first[j + 1]; ++k) {
    const Direction *item = &s->list.item[k];
    double error = 0;
    if (item->component >= 0 && s->first[j + 1] > s->first[j] + 1)
      error = expr_error(&s->item[item->support].value[item->component], s->mesh->x[item->node], time, s->place);
    if (!span_add(span, item->d, s->at[k], error, largest) && bad < 0) bad = k;
  }
  return bad;
}

/* Completes q[0 .. n) to a right-handed orthonormal frame, columns of R; a plane one keeps z. */
static void complete_frame(const Span *span, int32_t dim, double *R) {
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
      const double length = sqrt(vec3_dot(q[1], q[1]));
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

/* Which components of a node the span fixes, and its frame where it needs one; with one direction more behind the first `held`
 * it has one, and these alone are fixed. */
static void node_fix(const Span *span, int held, bool toggled, int32_t node, Supports *s) {
  const int axes = toggled ? -1 : axes_of(span, s->n_component);
  s->fixed[node] = (uint8_t)(axes >= 0 ? axes : (1 << held) - 1);
  if (axes >= 0) return;
  s->frame_of[node] = s->n_frame;
  s->frame_node[s->n_frame] = node;
  complete_frame(span, s->n_component, s->frame + 9 * (int64_t)s->n_frame++);
}

/* Where direction i lies in the frame of its node. */
static void toggle_fix(const Supports *s, int32_t component, int32_t i, Toggles *t) {
  double unit[3];
  t->component[i] = component;
  if (component < 0) return;
  (void)supports_direction(s, t->node[i], component, unit);
  t->along[i] = vec3_dot(unit, t->d[i]);
  for (int k = 0; k < 3; ++k) t->unit[i][k] = unit[k] / t->along[i];
}

/* A time of the run at which expressions in t are compared before it begins, in no step with periods. */
static double sample_time(const SupportParams *params, int k) {
  const double part = fmod(0.6180339887498949 * k, 1);
  return params->end > params->time ? params->time + part * (params->end - params->time)
                                    : params->time + ldexp(part, k - SAMPLES / 2);
}

/* Where several supports share a node and some depend on t: as far as samples tell they agree at all times. */
static Status check_samples(const SupportParams *params, Supports *s) {
  double largest, ignored;
  bool shared = false;
  for (int32_t j = 0; j < s->n && !shared; ++j) shared = s->first[j + 1] > s->first[j] + 1;
  if (!params->in_time || !s->varies || !shared) return OK;
  (void)supports_directions_at(s, params->time, &largest);
  for (int k = 1; k < SAMPLES; ++k) {
    const double time = sample_time(params, k);
    bool conflict = false;
    (void)supports_directions_at(s, time, &ignored);
    for (int32_t j = 0; j < s->n && !conflict; ++j) {
      Span span;
      conflict = s->first[j + 1] > s->first[j] + 1 && supports_span(s, j, time, largest, &span) >= 0;
    }
    if (conflict) return supports_report(s, time, largest);
  }
  return OK;
}

static Status copy_items(const SupportParams *params, Supports *s) {
  ALLOC(s->item, params->n, "supports");
  s->n_item = params->n;
  for (int32_t i = 0; i < params->n; ++i) {
    s->item[i] = params->item[i];
    for (int c = 0; c < s->n_component && !s->item[i].symmetry; ++c) s->varies |= expr_is_timed(&s->item[i].value[c]);
  }
  return OK;
}

/* Nodes of the halo are their owners' to hold, who know all facets there. */
static void drop_halo(const LocalMesh *local, Directions *list) {
  int64_t kept = 0;
  for (int64_t k = 0; k < list->n; ++k)
    if (local->solver[list->item[k].node] < local->n_own) list->item[kept++] = list->item[k];
  list->n = kept;
}

/* Prescribed nodes and where their directions begin. */
static Status list_nodes(Supports *s) {
  const Direction *item = s->list.item;
  const int32_t n = (int32_t)s->list.n;
  for (int32_t k = 0; k < n; ++k) s->n += k == 0 || item[k].node != item[k - 1].node;
  ALLOC(s->first, (int64_t)s->n + 1, "supported nodes");
  for (int32_t k = 0, j = 0; k < n; ++k)
    if (k == 0 || item[k].node != item[k - 1].node) s->first[j++] = k;
  s->first[s->n] = n;
  ALLOC(s->at, n, "prescribed values");
  return OK;
}

/* Fixed components and frames, which do not depend on time. */
static Status fix_nodes(const SupportParams *params, Supports *s) {
  Toggles *toggles = params->toggles;
  const int32_t n_toggle = toggles ? toggles->n : 0;
  ALLOC(s->fixed, s->n_node, "supported components");
  ALLOC(s->frame_of, s->n_node, "supported nodes");
  ALLOC(s->frame_node, (int64_t)s->n + n_toggle, "frames of supported nodes");
  ALLOC(s->frame, 9 * ((int64_t)s->n + n_toggle), "frames of supported nodes");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n_node; ++i) s->frame_of[i] = -1;
  for (int32_t j = 0, i = 0; j < s->n || i < n_toggle;) {
    const int32_t supported = j < s->n ? s->list.item[s->first[j]].node : INT32_MAX;
    const int32_t toggled = i < n_toggle ? toggles->node[i] : INT32_MAX;
    Span span = {0};
    if (supported <= toggled) supports_span(s, j++, params->time, 0, &span);
    const int held = span.n;
    if (toggled <= supported) (void)span_add(&span, toggles->d[i], 0, 0, 0);
    node_fix(&span, held, toggled <= supported, supported < toggled ? supported : toggled, s);
    if (toggled <= supported) toggle_fix(s, held < span.n ? held : -1, i++, toggles);
  }
  int64_t n_free = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_free)
  for (int32_t i = 0; i < s->n_node; ++i) {
    if (params->incidence->start[i + 1] == params->incidence->start[i])
      s->fixed[i] = (uint8_t)((1 << s->n_component) - 1);
    if (params->local && params->local->solver[i] >= params->local->n_own) continue;
    for (int c = 0; c < s->n_component; ++c) n_free += !(s->fixed[i] >> c & 1);
  }
  s->n_own_frame = s->n_frame;
  s->n_free = n_free;
  return OK;
}

static Status list_values(Supports *s) {
  ALLOC(s->first_value, (int64_t)s->n + 1, "prescribed values");
  ALLOC(s->row, s->list.n, "prescribed values");
  for (int32_t j = 0; j < s->n; ++j) {
    const int32_t node = s->list.item[s->first[j]].node;
    for (int c = 0; c < s->n_component; ++c)
      if (s->fixed[node] >> c & 1) s->row[s->n_value++] = node * s->n_component + c;
    s->first_value[j + 1] = s->n_value;
  }
  ALLOC(s->value, s->n_value, "prescribed values");
  return OK;
}

/* What only other times need. */
static void supports_forget(Supports *s) {
  FREE(s->first);
  FREE(s->first_value);
  FREE(s->list.item);
  FREE(s->at);
}

Status supports_create(const SupportParams *params, Supports *out) {
  Status status = OK;
  *out = (Supports){.mesh = params->mesh,
                    .n_node = params->mesh->n_node,
                    .n_component = params->n_component,
                    .name = params->name,
                    .axisymmetric = params->axisymmetric,
                    .time = NAN,
                    .place = place_error(params->mesh)};
  CHECK(params->n_component >= 1 && params->n_component <= 3, ERR_BUG, "supports of %d components, must be 1 to 3",
        params->n_component);
  TRY_DONE(copy_items(params, out));
  TRY_DONE(directions_create(params, &out->list));
  if (params->local) drop_halo(params->local, &out->list);
  TRY_DONE(list_nodes(out));
  TRY_DONE(fix_nodes(params, out));
  TRY_DONE(list_values(out));
  TRY_DONE(supports_evaluate(out, params->time));
  for (int32_t k = 0; k < out->n_value; ++k) out->moved |= out->value[k] != 0;
  out->moved |= out->varies;
  TRY_DONE(check_samples(params, out));
done:
  if (status != OK) supports_release(out);
  else if (!out->varies) supports_forget(out);
  return status;
}

void supports_release(Supports *supports) {
  supports_forget(supports);
  if (supports->exec) {
    EXEC_RELEASE(supports->exec, supports->exec_fixed, supports->n_node);
    EXEC_RELEASE(supports->exec, supports->exec_frame_node, supports->n_frame);
    EXEC_RELEASE(supports->exec, supports->exec_frame_fixed, supports->n_frame);
    EXEC_RELEASE(supports->exec, supports->exec_frame_held, supports->n_frame);
    EXEC_RELEASE(supports->exec, supports->exec_frame, 9 * (int64_t)supports->n_frame);
    row_values_release(supports->exec, &supports->prescribed);
  }
  FREE(supports->item);
  FREE(supports->fixed);
  FREE(supports->frame_of);
  FREE(supports->frame_node);
  FREE(supports->frame);
  FREE(supports->row);
  FREE(supports->value);
}

bool supports_direction(const Supports *supports, int32_t i, int32_t c, double direction[3]) {
  const int32_t frame = supports->frame_of[i];
  for (int k = 0; k < 3; ++k) direction[k] = frame < 0 ? k == c : supports->frame[9 * (int64_t)frame + 3 * k + c];
  return supports->fixed[i] >> c & 1;
}
