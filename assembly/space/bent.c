/* Conditions that bend, on the Exec. */
#include "assembly/space/bent.h"
#include "assembly/space/equations.h"
#include "core/memory.h"

static const char WHAT[] = "conditions that bend";

/* Which node of the condition an unknown of the mesh is of; -1: none. */
static int32_t bent_node_of(const BentList *list, const BentRow *r, int32_t node) {
  for (int32_t i = 0; i < r->n; ++i)
    if (list->node[r->first + i] == node) return i;
  return -1;
}

/* All unknowns of its nodes are in row i of the equations, once, and none of them has a frame of its own. */
static bool is_whole(const Equations *e, const Supports *s, int32_t i, const BentRow *r) {
  const int32_t b = e->n_component;
  const int32_t each = r->kind == BENT_LINE ? 2 : b;
  bool whole =
      e->start[i + 1] - e->start[i] == (int64_t)r->n * each - 1 && bent_node_of(e->bent, r, e->row[i] / b) >= 0;
  for (int64_t k = e->start[i]; whole && k < e->start[i + 1]; ++k)
    whole = bent_node_of(e->bent, r, e->column[k] / b) >= 0 && bent_has(r, e->column[k] % b);
  for (int32_t k = 0; k < r->n; ++k) whole = whole && !(s->frame_of && s->frame_of[e->bent->node[r->first + k]] >= 0);
  return whole;
}

Status bent_check(const Equations *e, const Supports *supports) {
  int32_t n = 0;
  if (!e->bent) return OK;
  for (int32_t i = 0; i < e->n; ++i) {
    if (!e->bent_of[i]) continue;
    const BentParams *p = &e->bent->item[e->bent_of[i] - 1];
    ++n;
    CHECK(is_whole(e, supports, i, &p->row), ERR_INPUT,
          "%s: a node of this condition depends on another constraint or contact too, or is held across directions of "
          "its "
          "own, and the condition bends\n  allowed: nodes that nothing else joins, held in x, y and z or not at all\n  "
          "remedy: other nodes first in the list; 'strain: small' where displacements are small",
          p->where);
  }
  CHECK(n == e->bent->n, ERR_BUG, "%d of %d conditions that bend have no row", e->bent->n - n, e->bent->n);
  return OK;
}

static int64_t solver_first(const Space *s, int32_t node) {
  return (int64_t)numbering_rank(&s->numbering, node) * s->n_component;
}

static void bent_fill(const Space *s, const Equations *e, BentRow *row, BentNode *node, BentTerm *term) {
  const int32_t b = e->n_component;
  for (int64_t k = 0; k < e->bent->n_node; ++k) {
    const int32_t at = e->bent->node[k];
    node[k] = (BentNode){{s->mesh->x[at][0], s->mesh->x[at][1], s->mesh->x[at][2]}, solver_first(s, at)};
  }
  for (int32_t i = 0; i < e->n; ++i) {
    const int32_t at = e->bent_of[i] - 1;
    if (at < 0) continue;
    BentRow *r = &row[at];
    *r = e->bent->item[at].row;
    r->node = bent_node_of(e->bent, r, e->row[i] / b), r->component = e->row[i] % b;
    for (int64_t k = e->start[i]; k < e->start[i + 1]; ++k)
      *term++ = (BentTerm){at,
                           bent_node_of(e->bent, r, e->column[k] / b),
                           e->column[k] % b,
                           k,
                           e->gather_at[k],
                           e->pass_at[k],
                           e->weight_at[k]};
  }
}

Status bent_upload(const Space *s, Equations *e) {
  BentEquations *out = &e->bents;
  BentRow *row = NULL;
  BentNode *node = NULL;
  BentTerm *term = NULL;
  Status status = OK;
  if (!e->bent) return OK;
  out->exec = s->exec, out->n = e->bent->n, out->n_node = e->bent->n_node;
  for (int32_t i = 0; i < e->n; ++i)
    if (e->bent_of[i]) out->n_term += e->start[i + 1] - e->start[i];
  ALLOC_DONE(row, out->n, WHAT);
  ALLOC_DONE(node, out->n_node, WHAT);
  ALLOC_DONE(term, out->n_term, WHAT);
  bent_fill(s, e, row, node, term);
  TRY_DONE(exec_alloc_upload(s->exec, out->n, sizeof *row, row, WHAT, (void **)&out->row));
  TRY_DONE(exec_alloc_upload(s->exec, out->n_node, sizeof *node, node, WHAT, (void **)&out->node));
  TRY_DONE(exec_alloc_upload(s->exec, out->n_term, sizeof *term, term, WHAT, (void **)&out->term));
done:
  FREE(row);
  FREE(node);
  FREE(term);
  return status;
}

void bent_release(BentEquations *b) {
  if (b->exec) {
    EXEC_RELEASE(b->exec, b->row, b->n);
    EXEC_RELEASE(b->exec, b->node, b->n_node);
    EXEC_RELEASE(b->exec, b->term, b->n_term);
  }
  *b = (BentEquations){0};
}
