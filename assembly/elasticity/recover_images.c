/* Elements that a node has beside its own, as it is one node of a larger body with others: those at the other cut of a sector, at the other
 * sides of a periodic cell, and around the axis at all turns of a sector. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { WAYS = 4096 }; /* to a node; an angle that is no part of a turn has more, and then none */
static const double SAME = 1e-9;
static const char *const WHAT = "stress across periodic pairs";

typedef struct Way {
  int32_t node;
  double turn[9]; /* from there to the node where the way begins */
} Way;

typedef struct ImageList {
  const Elasticity *p;
  int32_t n_image;
  const SupportImage *image; /* borrowed */
  int64_t *start;            /* owned, [n_node + 1]: images that a node is in, */
  int32_t *of;               /* owned, [2 n_image] */
  Way *way;                  /* owned, [WAYS] */
  int32_t n_way;
  int64_t *first; /* owned, what is found: ElasticityImages.args */
  RecoverImage *item;
  double *turn;
  int64_t n_item, room_item, n_turn, room_turn;
} ImageList;

static void list_release(ImageList *l) {
  FREE(l->start);
  FREE(l->of);
  FREE(l->way);
  FREE(l->first);
  FREE(l->item);
  FREE(l->turn);
}

/* Which images a node is in. */
static Status nodes_list(ImageList *l, int32_t n_node) {
  ALLOC(l->start, (int64_t)n_node + 1, WHAT);
  ALLOC(l->of, 2 * (int64_t)l->n_image, WHAT);
  ALLOC(l->way, WAYS, WHAT);
  for (int32_t i = 0; i < 2 * l->n_image; ++i) ++l->start[l->image[i / 2].node[i % 2]];
  for (int32_t i = 0; i < n_node; ++i) l->start[i + 1] += l->start[i];
  for (int32_t i = 2 * l->n_image - 1; i >= 0; --i) l->of[--l->start[l->image[i / 2].node[i % 2]]] = i / 2;
  return OK;
}

static bool same_turn(const double a[9], const double b[9]) {
  double off = 0;
  for (int k = 0; k < 9; ++k) off = fmax(off, fabs(a[k] - b[k]));
  return off < SAME;
}

/* One image more on a way, from node[end] of it to the other. */
static void way_add(ImageList *l, const Way *from, const SupportImage *image, int end) {
  if (l->n_way == WAYS) return;
  Way *to = &l->way[l->n_way];
  *to = (Way){.node = image->node[1 - end]};
  for (int k = 0; k < 27; ++k) {
    const int i = k / 9, m = k / 3 % 3, j = k % 3;
    to->turn[3 * i + j] += from->turn[3 * i + m] * (end ? image->rotation[j][m] : image->rotation[m][j]);
  }
  for (int32_t w = 0; w < l->n_way; ++w)
    if (l->way[w].node == to->node && same_turn(l->way[w].turn, to->turn)) return;
  ++l->n_way;
}

/* All nodes that are this one, itself first. */
static void ways_find(ImageList *l, int32_t node) {
  l->way[0] = (Way){.node = node, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  l->n_way = 1;
  for (int32_t w = 0; w < l->n_way; ++w)
    for (int64_t k = l->start[l->way[w].node]; k < l->start[l->way[w].node + 1]; ++k) {
      const SupportImage *image = &l->image[l->of[k]];
      for (int end = 0; end < 2; ++end)
        if (image->node[end] == l->way[w].node) way_add(l, &l->way[w], image, end);
    }
  if (l->n_way == WAYS) l->n_way = 1;
}

static Status turn_number(ImageList *l, const double turn[9], int32_t *out) {
  for (int64_t k = 0; k < l->n_turn; ++k)
    if (same_turn(l->turn + 9 * k, turn)) {
      *out = (int32_t)k;
      return OK;
    }
  if (l->n_turn == l->room_turn) RESIZE(l->turn, 9 * (l->room_turn = 2 * l->room_turn + 4), WHAT);
  memcpy(l->turn + 9 * l->n_turn, turn, 9 * sizeof *turn);
  *out = (int32_t)l->n_turn++;
  return OK;
}

static Status way_items(ImageList *l, const Way *way) {
  const Space *s = l->p->space;
  const Incidence *incidence = s->solver_incidence;
  const int32_t at = s->numbering.rank ? s->numbering.rank[way->node] : way->node;
  int32_t turn;
  TRY(turn_number(l, way->turn, &turn));
  for (int64_t k = incidence->start[at]; k < incidence->start[at + 1]; ++k) {
    const ElementRef touch = incidence->touch[k];
    const SetBlock *b = &s->solver_set->block[touch.block];
    if (touch.block >= s->set.n_solved_block) continue;
    if (l->n_item == l->room_item) RESIZE(l->item, l->room_item = 2 * l->room_item + 64, WHAT);
    l->item[l->n_item++] =
        (RecoverImage){(uint32_t)(b->force_first + touch.local * b->force_a + touch.element * b->force_e), turn};
  }
  return OK;
}

static Status list_fill(ImageList *l) {
  const Space *s = l->p->space;
  const int32_t n_row = element_set_rows(s->solver_set);
  TRY(nodes_list(l, s->n_node));
  ALLOC(l->first, (int64_t)n_row + 1, WHAT);
  for (int32_t row = 0; row < n_row; ++row) {
    const int32_t node = s->numbering.node ? s->numbering.node[row] : row;
    l->n_way = 1;
    if (l->start[node] < l->start[node + 1]) ways_find(l, node);
    for (int32_t w = 1; w < l->n_way; ++w) TRY(way_items(l, &l->way[w]));
    l->first[row + 1] = l->n_item;
  }
  return OK;
}

static Status list_upload(const ImageList *l, int32_t n_row, ElasticityImages *out) {
  Exec *exec = l->p->space->exec;
  TRY(exec_alloc_upload(exec, (int64_t)n_row + 1, sizeof *l->first, l->first, WHAT, (void **)(void *)&out->args.start));
  out->n_row = n_row;
  TRY(exec_alloc_upload(exec, l->n_item, sizeof *l->item, l->item, WHAT, (void **)(void *)&out->args.item));
  out->n_item = l->n_item;
  TRY(exec_alloc_upload(exec, 9 * l->n_turn, sizeof *l->turn, l->turn, WHAT, (void **)(void *)&out->args.turn));
  out->n_turn = l->n_turn;
  return OK;
}

Status images_create(Elasticity *p, const ElasticityParams *params) {
  const EquationList *list = params->equations;
  Status status = OK;
  if (!list || list->n_image == 0 || list->waves) return OK;
  ImageList l = {.p = p, .n_image = list->n_image, .image = list->image};
  TRY_DONE(incidence_fetch(p->space->solver_incidence));
  TRY_DONE(list_fill(&l));
  if (l.n_item) TRY_DONE(list_upload(&l, element_set_rows(p->space->solver_set), &p->images));
done:
  list_release(&l);
  return status;
}

void images_release(Elasticity *p) {
  Exec *exec = p->space->exec;
  ElasticityImages *m = &p->images;
  EXEC_RELEASE(exec, m->args.start, m->n_row + 1);
  EXEC_RELEASE(exec, m->args.item, m->n_item);
  EXEC_RELEASE(exec, m->args.turn, 9 * m->n_turn);
}
