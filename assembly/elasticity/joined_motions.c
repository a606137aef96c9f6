/* Rigid motions of parts of a body that equations join: which combinations of them supports, springs and equations leave
 * free, as a small matrix whose null space they are. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/comm.h"
#include "core/memory.h"

#include <string.h>

/* A row of what is resisted: terms of unknowns, in the solver's order. */
typedef struct Resistance {
  const Elasticity *p;
  const double *motions; /* [n_motion][dofs] */
  int32_t n_motion, n;   /* n = parts n_motion */
  double *row;           /* [n] */
  double *out,
      *rest; /* [n][n], sums and what they have lost by rounding, so that no order of terms, as that of ranks, is seen */
} Resistance;

/* The term factor u of component c of a mesh node, in its own frame; a node of no part has none. */
static void term_add(const Resistance *r, int32_t node, int32_t c, double factor) {
  const Elasticity *p = r->p;
  const int32_t part = p->parts.of_node ? p->parts.of_node[node] : 0;
  const int64_t unknown = (int64_t)numbering_rank(&p->space->numbering, node) * p->dim + c;
  for (int32_t k = 0; part >= 0 && k < r->n_motion; ++k)
    r->row[part * r->n_motion + k] += factor * r->motions[k * elasticity_dofs(p) + unknown];
}

/* Others say what resists at nodes of theirs. */
static bool is_own(const Resistance *r, int32_t node) {
  return (int64_t)numbering_rank(&r->p->space->numbering, node) * r->p->dim < elasticity_rows(r->p);
}

/* Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B. */
static void entry_add(const Resistance *r, int64_t at, double term) {
  const double sum = r->out[at] + term, taken = sum - r->out[at];
  r->rest[at] += (r->out[at] - (sum - taken)) + (term - taken);
  r->out[at] = sum;
}

/* The row is done. */
static void row_end(const Resistance *r) {
  for (int32_t i = 0; i < r->n; ++i)
    for (int32_t k = 0; k < r->n && r->row[i] != 0; ++k) entry_add(r, (int64_t)i * r->n + k, r->row[i] * r->row[k]);
  memset(r->row, 0, (size_t)r->n * sizeof *r->row);
}

static void supports_resist(const Resistance *r) {
  const Supports *s = &r->p->supports;
  for (int32_t i = 0; i < s->n_node; ++i)
    for (int32_t c = 0; s->fixed[i] && is_own(r, i) && c < r->p->dim; ++c)
      if (s->fixed[i] >> c & 1) {
        term_add(r, i, c, 1);
        row_end(r);
      }
  /* a body of revolution moves along its axis alone */
  const bool told = r->p->model == MODEL_AXISYMMETRIC && comm_rank(r->p->space->exec->comm) == 0;
  for (int32_t k = 0; told && k < r->n; ++k)
    if (k % r->n_motion != 1) entry_add(r, (int64_t)k * r->n + k, 1);
}

/* What is closed against obstacles. */
static void contacts_resist(const Resistance *r) {
  const Contact *c = &r->p->contact;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (!c->nodes.on[k] || contact_is_between(c, k) || contact_follows(c, k)) continue;
    term_add(r, c->nodes.node[k], c->nodes.component[k], 1);
    row_end(r);
  }
}

static void equations_resist(const Resistance *r) {
  const Equations *e = &r->p->equations;
  for (int32_t i = 0; i < e->n; ++i) {
    if (equation_is_off(e, i) || !is_own(r, e->row[i] / r->p->dim)) continue;
    term_add(r, e->row[i] / r->p->dim, e->row[i] % r->p->dim, 1);
    for (int64_t k = e->start[i]; k < e->start[i + 1]; ++k)
      term_add(r, e->column[k] / r->p->dim, e->column[k] % r->p->dim, -e->factor[k]);
    row_end(r);
  }
}

/* A displacement in a direction of the global frame, times a number. */
static void direction_add(const Resistance *r, int32_t node, const double along[3], double times) {
  const Supports *s = &r->p->supports;
  const int32_t frame = s->n_frame ? s->frame_of[node] : -1;
  for (int32_t d = 0; d < r->p->dim; ++d) {
    double factor = frame < 0 ? along[d] : 0;
    for (int32_t c = 0; frame >= 0 && c < r->p->dim; ++c) factor += along[c] * s->frame[9 * (int64_t)frame + 3 * c + d];
    if (factor != 0) term_add(r, node, d, times * factor);
  }
}

static void springs_resist(const Resistance *r) {
  const Loads *loads = &r->p->loads;
  for (int32_t k = 0; k < loads->n_spring; ++k) {
    const SpringBlock *b = &loads->spring[k];
    const int64_t n = b->type->n_node;
    for (int64_t i = 0; i < b->n * n; i += b->between ? n : 1)
      for (int32_t c = 0; c < r->p->dim; ++c) {
        double d[3];
        if (!is_own(r, b->nodes[i]) || !spring_direction(b, i / n, i % n, r->p->dim, c, d)) continue;
        direction_add(r, b->nodes[i], d, 1);
        if (b->between) direction_add(r, b->nodes[i + 1], d, -1);
        row_end(r);
      }
  }
}

bool elasticity_joined(const Elasticity *p) { return elasticity_has_equations(p) || p->tethered; }

/* What all ranks say, in their order. */
static Status resistance_total(const Resistance *r) {
  Comm *comm = r->p->space->exec->comm;
  const int64_t n = (int64_t)r->n * r->n;
  double *all = NULL;
  Status status = OK;
  if (comm_size(comm) > 1) {
    COMM_ROOM(comm, all, 2 * n * comm_size(comm), "rigid motions");
    status = comm_gather(comm, r->out, 2 * n * (int64_t)sizeof *all, all);
    memset(r->out, 0, (size_t)(2 * n) * sizeof *all);
    for (int64_t k = 0; k < 2 * n * comm_size(comm); ++k) entry_add(r, k % n, all[k]);
    FREE(all);
  }
  for (int64_t k = 0; k < n; ++k) r->out[k] += r->rest[k];
  return status;
}

Status elasticity_joined_resistance(const Elasticity *p, const double *motions, double *out) {
  Resistance r = {.p = p, .motions = motions, .n_motion = elasticity_rigid_count(p)};
  r.n = p->parts.n * r.n_motion;
  const int64_t n = (int64_t)r.n * r.n;
  Status status = OK;
  ALLOC_DONE(r.row, r.n, "rigid motions");
  ALLOC_DONE(r.out, 2 * n, "rigid motions");
  r.rest = r.out + n;
  supports_resist(&r);
  equations_resist(&r);
  contacts_resist(&r);
  springs_resist(&r);
  TRY_DONE(resistance_total(&r));
  if (n) memcpy(out, r.out, (size_t)n * sizeof *out);
done:
  FREE(r.row);
  FREE(r.out);
  return status;
}
