/* Elimination of bodies from fronts: dense pieces of the matrix, each over a few bodies. */
#include "assembly/elasticity/mechanism.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const double RANK = 1e-6;  /* what is left of a column of length 1 counts as nothing below this */
static const double EFFORT = 4e9; /* operations after which it is given up */
enum { FRONT_BODIES = 400 };      /* and the largest front */

typedef struct Front {
  int32_t n_body, n_row;
  int32_t *body; /* owned; NULL: used up */
  double *row;   /* owned, [n_row][n_body * axes], row-major */
} Front;

typedef struct Reference { /* of a body to its fronts, a chain */
  int32_t front, next;
} Reference;

/* What was learned of a body: n_pivot rows, upper triangular in the first of its own columns. */
typedef struct Step {
  int32_t n_body, n_pivot;
  int32_t *body; /* owned; itself first */
  int column[6]; /* its columns in the order of the pivots, free ones last */
  double *row;   /* owned, [n_pivot][n_body * axes] */
} Step;

typedef struct Work {
  int axes; /* columns of a body: 3 in the plane, 6 in space */
  int32_t n_body, n_front, n_reference, n_step, front_room, reference_room;
  Front *front;         /* [n_front] */
  Reference *reference; /* [n_reference] */
  int32_t *chain;       /* [n_body], first reference, -1: none */
  int32_t *place;       /* [n_body], in the front that is being made; -1 */
  bool *done;           /* [n_body] */
  double *length;       /* [n_body], of the longest column */
  Step *step;           /* [n_body], in the order of elimination */
  int32_t *list;        /* [n_body], bodies of the front that is being made */
  double effort;
  bool known;
} Work;

static const int AXES[2][6] = {{0, 1, 5, 0, 0, 0}, {0, 1, 2, 3, 4, 5}};

void mechanism_row(const double *x, const double *c, double size, const double *d, double row[6]) {
  const double r[3] = {(x[0] - c[0]) / size, (x[1] - c[1]) / size, (x[2] - c[2]) / size};
  for (int i = 0; i < 3; ++i) row[i] = d[i];
  row[3] = r[1] * d[2] - r[2] * d[1];
  row[4] = r[2] * d[0] - r[0] * d[2];
  row[5] = r[0] * d[1] - r[1] * d[0];
}

/* t at `center` is t + w x (center - to_center) of the other body, so the row (f, m) becomes
 * (f, (m size + (center - to_center) x f) / to_size). */
void mechanism_move_rows(double rows[6][6], const double *center, double size, const double *to_center, double to_size,
                         double out[6][6]) {
  const double s[3] = {center[0] - to_center[0], center[1] - to_center[1], center[2] - to_center[2]};
  for (int r = 0; r < 6; ++r) {
    const double *f = rows[r], *m = rows[r] + 3;
    const double turn[3] = {s[1] * f[2] - s[2] * f[1], s[2] * f[0] - s[0] * f[2], s[0] * f[1] - s[1] * f[0]};
    for (int i = 0; i < 3; ++i) {
      out[r][i] = f[i];
      out[r][3 + i] = (m[i] * size + turn[i]) / to_size;
    }
  }
}

static void front_release(Front *f) {
  FREE(f->body);
  FREE(f->row);
}

/* A front without rows over bodies[n], known to each of them. */
static Status add_front(Work *w, int32_t n, const int32_t *bodies, int32_t n_row, Front **out) {
  if (w->n_front == w->front_room) {
    w->front_room = 2 * w->front_room + 64;
    RESIZE(w->front, w->front_room, "hinges");
  }
  if (w->n_reference + n > w->reference_room) {
    w->reference_room = 2 * w->reference_room + n + 64;
    RESIZE(w->reference, w->reference_room, "hinges");
  }
  Front *f = &w->front[w->n_front++];
  *f = (Front){.n_body = n, .n_row = n_row};
  ALLOC(f->body, n, "hinges");
  ALLOC(f->row, (int64_t)n_row * n * w->axes, "hinges");
  for (int32_t k = 0; k < n; ++k) {
    f->body[k] = bodies[k];
    w->reference[w->n_reference] = (Reference){w->n_front - 1, w->chain[bodies[k]]};
    w->chain[bodies[k]] = w->n_reference++;
  }
  *out = f;
  return OK;
}

/* rows[6][6] as columns of a front; only those that are not 0. Rows are scaled to a largest entry of 1. */
static Status add_rows(Work *w, int32_t n, const int32_t *bodies, double rows[2][6][6]) {
  double largest = 0;
  int32_t n_row = 0;
  bool used[6] = {false};
  for (int r = 0; r < 6; ++r)
    for (int32_t k = 0; k < n; ++k)
      for (int a = 0; a < w->axes; ++a) {
        const double entry = fabs(rows[k][r][AXES[w->axes == 6][a]]);
        largest = fmax(largest, entry);
        used[r] = used[r] || entry > 0;
      }
  for (int r = 0; r < 6; ++r) n_row += used[r];
  if (!n_row) return OK;
  Front *f = NULL;
  TRY(add_front(w, n, bodies, n_row, &f));
  double *to = f->row;
  for (int r = 0; r < 6; ++r)
    for (int32_t k = 0; k < n && used[r]; ++k)
      for (int a = 0; a < w->axes; ++a) *to++ = rows[k][r][AXES[w->axes == 6][a]] / largest;
  const int32_t width = n * w->axes;
  for (int32_t k = 0; k < n; ++k)
    for (int a = 0; a < w->axes; ++a) {
      double square = 0;
      for (int32_t r = 0; r < n_row; ++r) square += pow(f->row[r * width + k * w->axes + a], 2);
      w->length[bodies[k]] = fmax(w->length[bodies[k]], sqrt(square));
    }
  return OK;
}

static Status mechanism_fill(Work *w, const MechanismBody *body, int32_t n_link, const MechanismLink *link) {
  double rows[2][6][6];
  for (int32_t b = 0; b < w->n_body; ++b) {
    memcpy(rows[0], body[b].held, sizeof rows[0]);
    TRY(add_rows(w, 1, &b, rows));
  }
  for (int32_t k = 0; k < n_link; ++k) {
    const MechanismBody *a = &body[link[k].a], *b = &body[link[k].b];
    const int32_t both[2] = {link[k].a, link[k].b};
    double given[6][6];
    memcpy(given, link[k].rows, sizeof given);
    mechanism_move_rows(given, b->center, b->size, a->center, a->size, rows[0]);
    for (int r = 0; r < 6; ++r)
      for (int i = 0; i < 6; ++i) rows[1][r][i] = -given[r][i];
    TRY(add_rows(w, 2, both, rows));
  }
  return OK;
}

/* The bodies of all fronts of c, c first, into w->list with their places; their number. */
static int32_t mechanism_neighbours(Work *w, int32_t c) {
  int32_t n = 0;
  w->list[n] = c;
  w->place[c] = n++;
  for (int32_t r = w->chain[c]; r >= 0; r = w->reference[r].next) {
    const Front *f = &w->front[w->reference[r].front];
    w->effort += 4 + (f->body ? 2 * f->n_body : 0);
    for (int32_t k = 0; f->body && k < f->n_body; ++k) {
      if (w->place[f->body[k]] >= 0) continue;
      w->list[n] = f->body[k];
      w->place[f->body[k]] = n++;
    }
  }
  return n;
}

static void forget_places(Work *w, int32_t n) {
  for (int32_t k = 0; k < n; ++k) w->place[w->list[k]] = -1;
}

/* Householder's reflection of column j, rows from r on: the column becomes (length, 0, 0 ...). */
static void mechanism_reflect(double *A, int32_t n_row, int32_t width, int32_t r, int32_t j) {
  double square = 0;
  for (int32_t i = r; i < n_row; ++i) square += A[(int64_t)i * width + j] * A[(int64_t)i * width + j];
  const double length = sqrt(square), head = A[(int64_t)r * width + j];
  if (length == 0) return;
  const double v0 = head + (head < 0 ? -length : length), scale = 1 / (length * fabs(v0));
  double sum[FRONT_BODIES * 6];
  for (int32_t k = j + 1; k < width; ++k) sum[k] = v0 * A[(int64_t)r * width + k];
  for (int32_t i = r + 1; i < n_row; ++i) {
    const double v = A[(int64_t)i * width + j];
    for (int32_t k = j + 1; k < width; ++k) sum[k] += v * A[(int64_t)i * width + k];
  }
  for (int32_t k = j + 1; k < width; ++k) {
    sum[k] *= scale;
    A[(int64_t)r * width + k] -= sum[k] * v0;
  }
  for (int32_t i = r + 1; i < n_row; ++i) {
    const double v = A[(int64_t)i * width + j];
    for (int32_t k = j + 1; k < width; ++k) A[(int64_t)i * width + k] -= sum[k] * v;
    A[(int64_t)i * width + j] = 0;
  }
  A[(int64_t)r * width + j] = head < 0 ? length : -length;
}

static double column_length(const double *A, int32_t n_row, int32_t width, int32_t r, int32_t j) {
  double square = 0;
  for (int32_t i = r; i < n_row; ++i) square += A[(int64_t)i * width + j] * A[(int64_t)i * width + j];
  return sqrt(square);
}

/* Pivots among the first `axes` columns of A; columns are swapped, longest first. Their number. */
static int32_t mechanism_eliminate(const Work *w, double *A, int32_t n_row, int32_t width, double length, Step *step) {
  int32_t n_pivot = 0;
  for (int a = 0; a < w->axes; ++a) step->column[a] = a;
  for (int j = 0; j < w->axes && n_pivot < n_row; ++j) {
    int best = j;
    double longest = -1;
    for (int k = j; k < w->axes; ++k) {
      const double here = column_length(A, n_row, width, j, k);
      if (here > longest) longest = here, best = k;
    }
    if (!(longest > RANK * length)) break;
    const int swap = step->column[j];
    step->column[j] = step->column[best];
    step->column[best] = swap;
    for (int32_t i = 0; i < n_row && best != j; ++i) {
      const double entry = A[(int64_t)i * width + j];
      A[(int64_t)i * width + j] = A[(int64_t)i * width + best];
      A[(int64_t)i * width + best] = entry;
    }
    mechanism_reflect(A, n_row, width, j, j);
    ++n_pivot;
  }
  return n_pivot;
}

/* All rows of the fronts of c in one matrix over the bodies of w->list; the fronts are used up. */
static Status gather_rows(Work *w, int32_t c, int32_t width, int32_t *n_row, double **A) {
  *n_row = 0;
  for (int32_t r = w->chain[c]; r >= 0; r = w->reference[r].next)
    if (w->front[w->reference[r].front].body) *n_row += w->front[w->reference[r].front].n_row;
  ALLOC(*A, (int64_t)*n_row * width, "hinges");
  double *to = *A;
  for (int32_t r = w->chain[c]; r >= 0; r = w->reference[r].next) {
    Front *f = &w->front[w->reference[r].front];
    if (!f->body) continue;
    for (int32_t i = 0; i < f->n_row; ++i, to += width)
      for (int32_t k = 0; k < f->n_body; ++k)
        memcpy(to + (int64_t)w->place[f->body[k]] * w->axes, f->row + ((int64_t)i * f->n_body + k) * w->axes,
               (size_t)w->axes * sizeof *to);
    front_release(f);
  }
  return OK;
}

/* What remains of the rows below the pivots as a front of the other bodies, in no more rows than columns where they
 * were twice as many. */
static Status pass_on(Work *w, double *A, int32_t n_row, int32_t width, int32_t n_pivot, int32_t n_body) {
  if (n_body < 2 || n_row <= n_pivot) return OK;
  const int32_t rest = width - w->axes;
  int32_t n_left = n_row - n_pivot;
  if (n_left > 2 * rest) {
    for (int32_t j = 0; j < rest; ++j) mechanism_reflect(A, n_row, width, n_pivot + j, w->axes + j);
    w->effort += 2.0 * n_left * rest * rest;
    n_left = rest;
  }
  Front *f = NULL;
  TRY(add_front(w, n_body - 1, w->list + 1, n_left, &f));
  for (int32_t i = 0; i < n_left; ++i)
    memcpy(f->row + (int64_t)i * rest, A + (int64_t)(n_pivot + i) * width + w->axes, (size_t)rest * sizeof *A);
  return OK;
}

static Status take_out(Work *w, int32_t c, int32_t n_body) {
  Status status = OK;
  const int32_t width = n_body * w->axes;
  double *A = NULL;
  int32_t n_row = 0;
  Step *step = &w->step[w->n_step++];
  w->done[c] = true;
  step->n_body = n_body;
  TRY_DONE(gather_rows(w, c, width, &n_row, &A));
  ALLOC_DONE(step->body, n_body, "hinges");
  memcpy(step->body, w->list, (size_t)n_body * sizeof *step->body);
  step->n_pivot = mechanism_eliminate(w, A, n_row, width, w->length[c], step);
  w->effort += 4.0 * w->axes * n_row * width;
  ALLOC_DONE(step->row, (int64_t)step->n_pivot * width, "hinges");
  if (step->n_pivot) memcpy(step->row, A, (size_t)step->n_pivot * (size_t)width * sizeof *A);
  TRY_DONE(pass_on(w, A, n_row, width, step->n_pivot, n_body));
done:
  FREE(A);
  return status;
}

/* Bodies with few neighbours first: rounds with a bound that grows when a round does little. */
static Status take_out_all(Work *w) {
  int32_t bound = 2;
  for (int32_t left = w->n_body; left > 0;) {
    int32_t taken = 0;
    for (int32_t c = 0; c < w->n_body && w->known; ++c) {
      if (w->done[c]) continue;
      const int32_t n = mechanism_neighbours(w, c);
      Status status = OK;
      if (n <= bound) {
        status = take_out(w, c, n);
        ++taken;
      }
      forget_places(w, n);
      TRY(status);
      w->known = w->effort < EFFORT;
    }
    left -= taken;
    if (bound > FRONT_BODIES) w->known = false;
    if (!w->known) return OK;
    if (taken <= left / 8) bound += 1 + bound / 4;
  }
  return OK;
}

/* The motion with free column `column` of step `at` 1 and all other free columns 0: x[n_body][6]. */
static void motion_of(const Work *w, int32_t at, int column, double (*x)[6]) {
  const int *axis = AXES[w->axes == 6];
  double largest = 0;
  for (int32_t s = w->n_step; s-- > 0;) {
    const Step *step = &w->step[s];
    const int32_t width = step->n_body * w->axes;
    double *own = x[step->body[0]];
    if (s == at) own[axis[step->column[column]]] = 1;
    for (int32_t r = step->n_pivot; r-- > 0;) {
      const double *row = step->row + (int64_t)r * width;
      double sum = 0;
      for (int a = r + 1; a < w->axes; ++a) sum += row[a] * own[axis[step->column[a]]];
      for (int32_t k = 1; k < step->n_body; ++k)
        for (int a = 0; a < w->axes; ++a) sum += row[k * w->axes + a] * x[step->body[k]][axis[a]];
      own[axis[step->column[r]]] = -sum / row[r];
    }
    for (int a = 0; a < 6; ++a) largest = fmax(largest, fabs(own[a]));
  }
  for (int32_t b = 0; b < w->n_body && largest > 0; ++b)
    for (int a = 0; a < 6; ++a) x[b][a] /= largest;
}

static Status list_motions(const Work *w, Mechanism *out) {
  ALLOC(out->n_free_of, w->n_body, "free motions");
  for (int32_t s = 0; s < w->n_step; ++s) {
    out->n_free_of[w->step[s].body[0]] = w->axes - w->step[s].n_pivot;
    out->n_free += w->axes - w->step[s].n_pivot;
  }
  const int64_t most = out->n_free < MECHANISM_MOTIONS ? out->n_free : MECHANISM_MOTIONS;
  ALLOC(out->motion, most * w->n_body, "free motions");
  for (int32_t s = 0; s < w->n_step; ++s)
    for (int column = w->step[s].n_pivot; column < w->axes && out->n_motion < most; ++column)
      motion_of(w, s, column, out->motion + (int64_t)out->n_motion++ * w->n_body);
  return OK;
}

static Status take_arrays(Work *w) {
  ALLOC(w->chain, w->n_body, "hinges");
  ALLOC(w->place, w->n_body, "hinges");
  ALLOC(w->done, w->n_body, "hinges");
  ALLOC(w->length, w->n_body, "hinges");
  ALLOC(w->step, w->n_body, "hinges");
  ALLOC(w->list, w->n_body, "hinges");
  for (int32_t b = 0; b < w->n_body; ++b) w->chain[b] = w->place[b] = -1;
  return OK;
}

static void release_mechanism(Work *w) {
  for (int32_t k = 0; k < w->n_front; ++k) front_release(&w->front[k]);
  for (int32_t k = 0; k < w->n_step; ++k) {
    FREE(w->step[k].body);
    FREE(w->step[k].row);
  }
  FREE(w->front);
  FREE(w->reference);
  FREE(w->chain);
  FREE(w->place);
  FREE(w->done);
  FREE(w->length);
  FREE(w->step);
  FREE(w->list);
}

Status mechanism_create(int dim, int32_t n_body, const MechanismBody *body, int32_t n_link, const MechanismLink *link,
                        Mechanism *out) {
  Work w = {.axes = dim == 2 ? 3 : 6, .n_body = n_body, .known = true};
  *out = (Mechanism){0};
  Status status = take_arrays(&w);
  if (status == OK) status = mechanism_fill(&w, body, n_link, link);
  if (status == OK) status = take_out_all(&w);
  out->known = w.known;
  if (status == OK && w.known) status = list_motions(&w, out);
  release_mechanism(&w);
  if (status != OK) mechanism_release(out);
  return status;
}

void mechanism_release(Mechanism *mechanism) {
  FREE(mechanism->motion);
  FREE(mechanism->n_free_of);
}
