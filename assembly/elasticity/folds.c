/* How pieces of a part that are connected by hinges can move against each other, and the words for it. */
#include "assembly/elasticity/motion_words.h"
#include "assembly/elasticity/part_work.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

static const double STILL = 1e-6; /* a piece whose share of a motion is less than this does not move */
enum { SHOWN = 3, NAMED = 8 };    /* pieces of a part, parts */

/* What the motions do to a piece, in words; false where it stays. body: its number in the mechanism of n bodies. */
static bool name_motions(const Mechanism *m, int32_t n, int32_t body, char *text, size_t size) {
  double R[6][6] = {{0}}, s[6], V[6][6], moves[6][6];
  for (int32_t k = 0; k < m->n_motion; ++k) {
    double row[6];
    memcpy(row, m->motion[(int64_t)k * n + body], sizeof row);
    givens_add_row(R, row);
  }
  jacobi_svd(6, R, s, V);
  int rank = 0;
  while (rank < 6 && s[rank] > STILL) ++rank;
  for (int k = 0; k < rank; ++k)
    for (int i = 0; i < 6; ++i) moves[k][i] = V[i][k];
  if (rank) motion_words(rank, moves, text, size);
  return rank > 0;
}

/* Where a piece hangs on the others: its first node of those. */
static int32_t first_joint(const Pieces *pieces, int32_t piece, int32_t *n) {
  int32_t node = -1;
  *n = 0;
  for (int32_t k = 0; k < pieces->n_joint; ++k)
    if (pieces->joint[k].a == piece || pieces->joint[k].b == piece) {
      if ((*n)++ == 0) node = pieces->joint[k].node;
    }
  return node;
}

/* The pieces of a part that move, a line each. of_piece: number of a piece in the mechanism of n bodies. */
static void name_pieces(const PartWork *w, const Mechanism *m, int32_t n, const int32_t *of_piece, int32_t p,
                        BodyPart *part) {
  int32_t n_moving = 0, number = 0;
  for (int32_t k = 0; k < w->pieces.n; ++k) {
    char motions[256] = "", groups[128] = "", line[1024], shared[64] = "";
    if (w->part[k] != p) continue;
    ++number;
    if (!name_motions(m, n, of_piece[k], motions, sizeof motions) || ++n_moving > SHOWN) continue;
    int32_t n_joint;
    const int32_t node = first_joint(&w->pieces, k, &n_joint);
    const double *c = w->body[k].center, *x = w->mesh->x[node];
    part_name_groups(w, p, k, groups, sizeof groups);
    if (n_joint > 1) snprintf(shared, sizeof shared, " and %d more", (int)n_joint - 1);
    snprintf(line, sizeof line,
             "\n  piece %d (around (%g, %g, %g), %d element%s%s%s), which hangs on node %lld (%g, %g, %g)%s: %s",
             (int)number, c[0], c[1], c[2], (int)w->n_element[k], w->n_element[k] == 1 ? "" : "s",
             groups[0] ? ", groups " : "", groups, (long long)w->mesh->node_tag[node], x[0], x[1], x[2], shared,
             motions);
    motion_say(part->folds, sizeof part->folds, line);
  }
  if (n_moving <= SHOWN) return;
  char line[64];
  snprintf(line, sizeof line, "\n  and %d more pieces", (int)n_moving - SHOWN);
  motion_say(part->folds, sizeof part->folds, line);
}

/* What two pieces share, as rows on the motion of one against the other. */
static Status link_pieces(const PartWork *w, const int32_t *of_piece, int32_t *n_link, MechanismLink **link) {
  const Pieces *p = &w->pieces;
  int32_t n = 0;
  for (int32_t k = 0; k < p->n_joint; ++k)
    n += k == 0 || p->joint[k].a != p->joint[k - 1].a || p->joint[k].b != p->joint[k - 1].b;
  ALLOC(*link, n, "hinges");
  *n_link = n;
  n = -1;
  for (int32_t k = 0; k < p->n_joint; ++k) {
    const PieceJoint *j = &p->joint[k];
    if (k == 0 || j->a != j[-1].a || j->b != j[-1].b)
      (*link)[++n] = (MechanismLink){of_piece[j->a], of_piece[j->b], {{0}}};
    for (int c = 0; c < w->set->dim; ++c) {
      const double d[3] = {c == 0, c == 1, c == 2};
      double row[6];
      mechanism_row(w->mesh->x[j->node], w->body[j->b].center, w->body[j->b].size, d, row);
      givens_add_row((*link)[n].rows, row);
    }
  }
  return OK;
}

Status part_find_folds(const PartWork *w, BodyParts *out) {
  Status status = OK;
  int32_t *of_piece = NULL, n = 0, n_link = 0;
  MechanismBody *body = NULL;
  MechanismLink *link = NULL;
  Mechanism m = {0};
  if (w->pieces.n == out->n) return OK;
  ALLOC_DONE(of_piece, w->pieces.n, "hinges");
  for (int32_t k = 0; k < w->pieces.n; ++k) of_piece[k] = out->item[w->part[k]].n_piece > 1 ? n++ : -1;
  ALLOC_DONE(body, n, "hinges");
  for (int32_t k = 0; k < w->pieces.n; ++k)
    if (of_piece[k] >= 0) body[of_piece[k]] = w->body[k];
  TRY_DONE(link_pieces(w, of_piece, &n_link, &link));
  TRY_DONE(mechanism_create(w->set->dim, n, body, n_link, link, &m));
  for (int32_t k = 0; k < w->pieces.n && m.known; ++k)
    if (of_piece[k] >= 0) out->item[w->part[k]].n_fold += m.n_free_of[of_piece[k]];
  int32_t n_named = 0;
  for (int32_t p = 0; p < out->n; ++p) {
    BodyPart *part = &out->item[p];
    if (part->n_piece == 1) continue;
    part->folds_unknown = !m.known;
    part->n_fold -= part->n_fold < part->n_free ? part->n_fold : part->n_free;
    if (part->n_fold && !part->n_free && n_named++ < NAMED) name_pieces(w, &m, n, of_piece, p, part);
  }
done:
  FREE(of_piece);
  FREE(body);
  FREE(link);
  mechanism_release(&m);
  return status;
}
