/* Which parts of a body can move as rigid bodies: every constraint is a row on the six rigid modes of its piece; what
 * the rows leave free is named in words. */
#include "assembly/elasticity/free_motion.h"
#include "assembly/elasticity/motion_words.h"
#include "assembly/elasticity/part_work.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RANK = 1e-8; /* singular values below this share of the largest count as zero */
enum { SHOWN = 5, NAMED = 64 };

/* The basis of what a triangular factor R leaves free; the number of motions. */
static int null_space(double R[6][6], double free[6][6]) {
  double s[6], V[6][6];
  jacobi_svd(6, R, s, V);
  int rank = 0;
  while (rank < 6 && s[rank] > RANK * s[0] && s[rank] > 0) ++rank;
  for (int k = rank; k < 6; ++k)
    for (int i = 0; i < 6; ++i) free[k - rank][i] = V[i][k];
  return 6 - rank;
}

static void add_constraint(MechanismBody *b, const double *x, const double *d) {
  double row[6];
  mechanism_row(x, b->center, b->size, d, row);
  givens_add_row(b->held, row);
}

/* Parts: connected pieces. Numbers them by their first piece, which has the lowest element. */
static Status number_parts(PartWork *w, BodyParts *out) {
  const Pieces *p = &w->pieces;
  ALLOC(w->part, p->n, "parts of the body");
  for (int32_t i = 0; i < p->n; ++i) w->part[i] = i;
  for (int32_t k = 0; k < p->n_joint; ++k) {
    int32_t a = p->joint[k].a, b = p->joint[k].b;
    while (w->part[a] != a) a = w->part[a] = w->part[w->part[a]];
    while (w->part[b] != b) b = w->part[b] = w->part[w->part[b]];
    w->part[a > b ? a : b] = a > b ? b : a;
  }
  for (int32_t i = 0; i < p->n; ++i) out->n += w->part[i] == i;
  ALLOC(out->item, out->n, "parts of the body");
  int32_t n = 0;
  for (int32_t i = 0; i < p->n; ++i) { /* a parent is lower, and has its number by then */
    w->part[i] = w->part[i] == i ? n++ : w->part[w->part[i]];
    ++out->item[w->part[i]].n_piece;
  }
  if (p->n == 1) out->item[0].n_element = w->n_element[0] = w->set->n_solved;
  for (int32_t e = 0; p->n > 1 && e < w->set->n_solved; ++e) {
    ++out->item[w->part[p->of_element[e]]].n_element;
    ++w->n_element[p->of_element[e]];
  }
  return OK;
}

/* The lowest piece at each node, -1 where no element is. */
static void find_nodes(PartWork *w, const Incidence *incidence) {
  int32_t first[ELEMENT_SET_BLOCKS] = {0};
  for (int32_t k = 1; k < w->set->n_solved_block; ++k) first[k] = first[k - 1] + w->set->block[k - 1].n;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < w->set->n_node; ++i) {
    w->piece[i] = -1;
    for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t) {
      const ElementRef touch = incidence->touch[t];
      const int32_t here = w->pieces.of_element[first[touch.block] + touch.element];
      if (w->piece[i] < 0 || here < w->piece[i]) w->piece[i] = here;
    }
  }
}

static void free_motion_grow(double box[2][3], const double *x) {
  for (int i = 0; i < 3; ++i) {
    box[0][i] = fmin(box[0][i], x[i]);
    box[1][i] = fmax(box[1][i], x[i]);
  }
}

/* Center and half the diagonal, 1 for a point. */
static double free_motion_measure(double box[2][3], double center[3]) {
  double diagonal = 0;
  for (int i = 0; i < 3; ++i) {
    center[i] = 0.5 * (box[0][i] + box[1][i]);
    diagonal += (box[1][i] - box[0][i]) * (box[1][i] - box[0][i]);
  }
  return diagonal > 0 ? 0.5 * sqrt(diagonal) : 1;
}

/* The box of a body of one piece. */
static void measure_whole(const PartWork *w, double box[2][3]) {
  const int32_t *piece = w->piece, n_node = w->mesh->n_node;
  const double(*x)[3] = (const double(*)[3])w->mesh->x;
  for (int i = 0; i < 3; ++i) {
    double low = INFINITY, high = -INFINITY;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
    for (int32_t n = 0; n < n_node; ++n)
      if (piece[n] >= 0) low = fmin(low, x[n][i]), high = fmax(high, x[n][i]);
    box[0][i] = low;
    box[1][i] = high;
  }
}

static void measure_pieces(PartWork *w) {
  for (int32_t p = 0; p < w->pieces.n; ++p)
    for (int i = 0; i < 3; ++i) {
      w->box[p][0][i] = INFINITY;
      w->box[p][1][i] = -INFINITY;
    }
  if (w->pieces.n == 1) measure_whole(w, w->box[0]);
  for (int32_t n = 0; w->pieces.n > 1 && n < w->mesh->n_node; ++n)
    if (w->piece[n] >= 0) free_motion_grow(w->box[w->piece[n]], w->mesh->x[n]);
  for (int32_t k = 0; k < w->pieces.n_joint; ++k)
    free_motion_grow(w->box[w->pieces.joint[k].b], w->mesh->x[w->pieces.joint[k].node]);
  for (int32_t p = 0; p < w->pieces.n; ++p) w->body[p].size = free_motion_measure(w->box[p], w->body[p].center);
}

/* Springs hold node a of a facet in direction c where int k_c N_a^2 dA > 0; along normals, in those of the rows of its block. */
static void constrain_springs(const Loads *loads, PartWork *w) {
  const int32_t dim = w->set->dim;
  for (int32_t k = 0; k < loads->n_spring; ++k) {
    const SpringBlock *b = &loads->spring[k];
    const int64_t n = b->type->n_node;
    for (int64_t i = 0; !b->between && i < b->n * n; ++i) {
      const int32_t node = b->nodes[i];
      for (int32_t c = 0; c < dim; ++c) {
        double d[3];
        if (spring_direction(b, i / n, i % n, dim, c, d)) add_constraint(&w->body[w->piece[node]], w->mesh->x[node], d);
      }
    }
  }
}

static void free_motion_constrain(const Supports *supports, const Loads *loads, PartWork *w) {
  const int32_t dim = supports->n_component;
  for (int32_t p = 0; p < w->pieces.n && dim == 2; ++p) { /* neither z nor rotations about x and y */
    double row[3][6] = {{0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}};
    for (int k = 0; k < 3; ++k) givens_add_row(w->body[p].held, row[k]);
  }
  for (int32_t p = 0; p < w->pieces.n && supports->axisymmetric; ++p) { /* only y: along the axis */
    double row[2][6] = {{1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}};
    for (int k = 0; k < 2; ++k) givens_add_row(w->body[p].held, row[k]);
  }
  for (int32_t i = 0; i < w->mesh->n_node; ++i) {
    if (w->piece[i] < 0 || !supports->fixed[i]) continue;
    for (int32_t c = 0; c < dim; ++c) {
      double d[3];
      if (supports_direction(supports, i, c, d)) add_constraint(&w->body[w->piece[i]], w->mesh->x[i], d);
    }
  }
  constrain_springs(loads, w);
}

/* Each part as one rigid body: the rows of its pieces about its own center. */
static Status find_rigid(PartWork *w, BodyParts *out) {
  Status status = OK;
  double(*box)[2][3] = NULL, *size = NULL, (*R)[6][6] = NULL, moved[6][6], free[6][6];
  ALLOC_DONE(box, out->n, "parts of the body");
  ALLOC_DONE(size, out->n, "parts of the body");
  ALLOC_DONE(R, out->n, "parts of the body");
  for (int32_t p = 0; p < out->n; ++p)
    for (int i = 0; i < 3; ++i) {
      box[p][0][i] = INFINITY;
      box[p][1][i] = -INFINITY;
    }
  for (int32_t k = 0; k < w->pieces.n; ++k)
    for (int side = 0; side < 2; ++side) free_motion_grow(box[w->part[k]], w->box[k][side]);
  for (int32_t p = 0; p < out->n; ++p) {
    size[p] = free_motion_measure(box[p], out->item[p].center);
    for (int i = 0; i < 3; ++i) out->item[p].half[i] = 0.5 * (box[p][1][i] - box[p][0][i]);
  }
  for (int32_t k = 0; k < w->pieces.n; ++k) {
    const int32_t p = w->part[k];
    MechanismBody *b = &w->body[k];
    mechanism_move_rows(b->held, b->center, b->size, out->item[p].center, size[p], moved);
    for (int r = 0; r < 6; ++r) givens_add_row(R[p], moved[r]);
  }
  for (int32_t p = 0; p < out->n; ++p) {
    BodyPart *part = &out->item[p];
    part->n_free = null_space(R[p], free);
    if (part->n_free) motion_words(part->n_free, free, part->motions, sizeof part->motions);
  }
done:
  FREE(box);
  FREE(size);
  FREE(R);
  return status;
}

void part_name_groups(const PartWork *w, int32_t part, int32_t piece, char *text, size_t size) {
  for (int32_t g = 0; g < w->mesh->n_group; ++g) {
    const Group *group = &w->mesh->group[g];
    bool inside = false;
    if (group->dim != w->set->dim) continue;
    for (int32_t k = 0; k < group->n && !inside; ++k) {
      const int32_t here = w->pieces.of_element[group->element[k] - w->set->block[0].first_id];
      inside = piece >= 0 ? here == piece : w->part[here] == part;
    }
    if (!inside) continue;
    if (text[0]) motion_say(text, size, ", ");
    motion_say(text, size, group->name);
  }
}

static Status keep_nodes(const PartWork *w, BodyParts *out) {
  bool all = true; /* a node that lies loose in the mesh is of no part */
  for (int32_t i = 0; i < w->mesh->n_node && all; ++i) all = w->piece[i] >= 0;
  if (out->n < 2 && all) return OK;
  ALLOC(out->of_node, w->mesh->n_node, "parts of the body");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < w->mesh->n_node; ++i) out->of_node[i] = w->piece[i] < 0 ? -1 : w->part[w->piece[i]];
  return OK;
}

static Status free_motion_fill(const Incidence *incidence, const Supports *supports, const Loads *loads, PartWork *w,
                               BodyParts *out) {
  TRY(pieces_create(w->mesh, w->set, incidence, &w->pieces));
  ALLOC(w->piece, w->set->n_node, "parts of the body");
  ALLOC(w->n_element, w->pieces.n, "parts of the body");
  ALLOC(w->box, w->pieces.n, "parts of the body");
  ALLOC(w->body, w->pieces.n, "parts of the body");
  TRY(number_parts(w, out));
  find_nodes(w, incidence);
  measure_pieces(w);
  free_motion_constrain(supports, loads, w);
  TRY(find_rigid(w, out));
  for (int32_t p = 0; p < out->n && p < NAMED; ++p) /* of many loose parts the first tell enough */
    part_name_groups(w, p, -1, out->item[p].groups, sizeof out->item[p].groups);
  TRY(keep_nodes(w, out));
  return part_find_folds(w, out);
}

Status body_parts_create(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, const Supports *supports,
                         const Loads *loads, BodyParts *out) {
  PartWork w = {.mesh = mesh, .set = set};
  *out = (BodyParts){.dim = set->dim};
  const Status status = free_motion_fill(incidence, supports, loads, &w, out);
  pieces_release(&w.pieces);
  FREE(w.piece);
  FREE(w.part);
  FREE(w.n_element);
  FREE(w.box);
  FREE(w.body);
  if (status != OK) body_parts_release(out);
  return status;
}

void body_parts_release(BodyParts *parts) {
  FREE(parts->item);
  FREE(parts->of_node);
}

Status body_parts_copy(const BodyParts *from, int32_t n_node, BodyParts *out) {
  *out = (BodyParts){.n = from->n, .dim = from->dim};
  ALLOC(out->item, from->n, "parts of the body");
  memcpy(out->item, from->item, (size_t)from->n * sizeof *out->item);
  if (!from->of_node) return OK;
  ALLOC(out->of_node, n_node, "parts of the body");
  memcpy(out->of_node, from->of_node, (size_t)n_node * sizeof *out->of_node);
  return OK;
}

/* One part that moves: where it is and how it moves, as a line or more. */
static void say_part(const BodyParts *parts, int32_t p, char *text, size_t size) {
  const BodyPart *part = &parts->item[p];
  char which[64] = "the body";
  if (parts->n > 1) snprintf(which, sizeof which, "part %d of %d", (int)p + 1, (int)parts->n);
  snprintf(text, size, "%s (around (%g, %g, %g), %d element%s%s%s) can %s%s", which, part->center[0], part->center[1],
           part->center[2], (int)part->n_element, part->n_element == 1 ? "" : "s", part->groups[0] ? ", groups " : "",
           part->groups, part->n_free ? "move freely: " : "fold", part->motions);
  if (!part->n_fold) return;
  char fold[160];
  snprintf(fold, sizeof fold, "%s its %d pieces share only single nodes%s, and %d motion%s between them %s free",
           part->n_free ? ", and fold:" : ":", (int)part->n_piece, parts->dim == 3 ? " or nodes along a line" : "",
           (int)part->n_fold, part->n_fold == 1 ? "" : "s", part->n_fold == 1 ? "is" : "are");
  motion_say(text, size, fold);
  motion_say(text, size, part->folds);
}

Status body_parts_check(const BodyParts *parts) {
  int32_t n_bad = 0, n_fold = 0;
  for (int32_t p = 0; p < parts->n; ++p) {
    const BodyPart *part = &parts->item[p];
    char text[1536];
    n_fold += part->n_fold > 0;
    if ((part->n_free == 0 && part->n_fold == 0) || ++n_bad > SHOWN) continue;
    say_part(parts, p, text, sizeof text);
    if (n_bad == 1) (void)FAIL(ERR_INPUT, "%s", text);
    else (void)status_context(ERR_INPUT, "%s", text);
  }
  if (n_bad == 0) return OK;
  if (n_bad > SHOWN) (void)status_context(ERR_INPUT, "and %d more parts", (int)(n_bad - SHOWN));
  if (n_fold)
    (void)status_context(ERR_INPUT, "join pieces by whole %s, hold them, or put them on springs",
                         parts->dim == 3 ? "faces of elements" : "edges of elements");
  if (n_fold == n_bad) return ERR_INPUT;
  return status_context(ERR_INPUT, parts->n > 1 ? "fix it, or join it to the rest" : "fix it, or put it on springs");
}

/* Whether the boxes of two parts meet, or miss each other by a thousandth of the smaller one. */
static bool boxes_meet(const BodyPart *a, const BodyPart *b) {
  double least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double longest = 2 * fmax(fmax(a->half[0], a->half[1]), a->half[2]);
    least = fmin(least, fmin(longest, 2 * fmax(fmax(b->half[0], b->half[1]), b->half[2])));
  }
  for (int i = 0; i < 3; ++i)
    if (fabs(a->center[i] - b->center[i]) > a->half[i] + b->half[i] + 1e-3 * least) return false;
  return true;
}

/* Parts that lie next to each other are most often meant to be one. */
static void warn_of_parts(const BodyParts *parts) {
  for (int32_t p = 0; p < parts->n && p < NAMED; ++p)
    for (int32_t q = p + 1; q < parts->n && q < NAMED; ++q) {
      const BodyPart *a = &parts->item[p], *b = &parts->item[q];
      if (!boxes_meet(a, b)) continue;
      status_warn(
          "the body has %d parts that share no node, and parts %d (around (%g, %g, %g)%s%s) and %d (around (%g, %g, "
          "%g)%s%s) lie "
          "next to each other: no force passes between them\n  if they should be one, mesh them with common nodes "
          "(in Gmsh 'Coherence;' or BooleanFragments)",
          (int)parts->n, (int)p + 1, a->center[0], a->center[1], a->center[2], a->groups[0] ? ", groups " : "",
          a->groups, (int)q + 1, b->center[0], b->center[1], b->center[2], b->groups[0] ? ", groups " : "", b->groups);
      return;
    }
}

void body_parts_warn(const BodyParts *parts) {
  warn_of_parts(parts);
  int32_t n_piece = 0, n_unknown = 0;
  for (int32_t p = 0; p < parts->n; ++p) {
    if (parts->item[p].n_piece == 1) continue;
    n_piece += parts->item[p].n_piece;
    n_unknown += parts->item[p].folds_unknown;
  }
  if (n_unknown)
    status_warn("%d pieces of the body share only single nodes%s, too many to tell whether they can move against each "
                "other: if the solver stagnates or displacements are huge, they can",
                (int)n_piece, parts->dim == 3 ? " or nodes along a line" : "");
  else if (n_piece)
    status_warn(
        "%d pieces of the body share only single nodes%s: they act as hinges, and the stress there grows without "
        "bound as the mesh gets finer",
        (int)n_piece, parts->dim == 3 ? " or nodes along a line" : "");
}
