/* Element blocks in assembly order, and the elements at each node. */
#include "assembly/space/element_set.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

void element_set_add(ElementSet *set, const ElementType *type, int32_t n, const int32_t *nodes, bool by_element) {
  const int64_t n_node = type->n_node, pairs = n_node * (n_node + 1) / 2;
  SetBlock *b = &set->block[set->n_block++];
  *b = (SetBlock){.type = type, .n = n, .first_id = -1, .nodes = nodes};
  b->pair_first = set->n_pair;
  b->force_first = set->n_force;
  b->pair_p = by_element ? 1 : n;
  b->pair_e = by_element ? pairs : 1;
  b->force_a = b->node_a = by_element ? 1 : n;
  b->force_e = b->node_e = by_element ? n_node : 1;
  set->n_pair += pairs * n;
  set->n_force += n_node * n;
}

void element_set_create(const Mesh *mesh, int32_t dim, bool by_element, ElementSet *out) {
  *out = (ElementSet){.n_node = mesh->n_node, .dim = dim};
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    if (type->dim != dim || block->n == 0) continue;
    element_set_add(out, type, block->n, block->nodes, by_element);
    out->block[out->n_block - 1].first_id = block->first;
    out->n_solved += block->n;
  }
  out->n_solved_block = out->n_block;
}

static const char *const WHAT = "elements at nodes";

/* On the Exec while it is made. */
typedef struct IncidenceDraft {
  uint32_t *key, *order; /* [n_touch]: nodes, and which node of all elements each stands for */
} IncidenceDraft;

/* All nodes of all elements, in the order of blocks and elements, sorted by node: stable. */
static Status incidence_sort(Exec *exec, const ElementSet *set, IncidenceDraft *d) {
  const int64_t n = set->n_force;
  uint32_t bits = 0;
  TRY(exec_alloc(exec, n, sizeof *d->key, WHAT, (void **)&d->key));
  TRY(exec_alloc(exec, n, sizeof *d->order, WHAT, (void **)&d->order));
  for (int32_t k = 0; k < set->n_block; ++k) {
    const SetBlock *b = &set->block[k];
    TouchKeyArgs args = {.first = b->force_first, .key = d->key, .order = d->order};
    TRY(block_nodes_lend(exec, b, &args.nodes));
    const Status status = exec_rows(exec, &touch_key_kernel, &args, (int64_t)b->n * b->type->n_node);
    block_nodes_lend_end(exec, b, &args.nodes);
    if (status != OK) return status;
  }
  while (set->n_node >> bits) ++bits;
  return exec_sort(exec, n, d->key, sizeof *d->key, (int)bits, d->order);
}

static Status incidence_fill(Exec *exec, const ElementSet *set, IncidenceDraft *d, Incidence *out) {
  TouchArgs args = {.n = out->n_touch, .n_node = out->n_node, .key = d->key, .order = d->order};
  TRY(incidence_sort(exec, set, d));
  TRY(exec_alloc(exec, out->n_node + 1, sizeof *args.start, WHAT, (void **)&out->exec_start));
  TRY(exec_alloc(exec, out->n_touch, sizeof *args.touch, WHAT, (void **)&out->exec_touch));
  args.key = d->key;
  args.order = d->order;
  args.start = out->exec_start;
  args.touch = out->exec_touch;
  args.n_block = set->n_block;
  for (int32_t k = 0; k < set->n_block; ++k) {
    args.first[k] = set->block[k].force_first;
    args.n_block_node[k] = set->block[k].type->n_node;
  }
  TRY(exec_rows(exec, &touch_start_kernel, &args, args.n + 1));
  return exec_rows(exec, &touch_fill_kernel, &args, args.n);
}

Status incidence_fetch(Incidence *out) {
  const char *what = WHAT;
  if (out->touch) return OK;
  if (!out->start)
    TRY(exec_fetch(out->exec, out->n_node + 1, sizeof *out->start, what, (void **)&out->exec_start,
                   (void **)&out->start));
  return exec_fetch(out->exec, out->n_touch, sizeof *out->touch, what, (void **)&out->exec_touch, (void **)&out->touch);
}

Status incidence_find(Exec *exec, const ElementSet *set, Incidence *out) {
  IncidenceDraft d = {0};
  *out = (Incidence){.n_node = set->n_node, .n_touch = set->n_force, .exec = exec};
  CHECK(set->n_force < GATHER_NONE, ERR_INPUT, "the elements have %lld nodes in all, at most %u fit one device",
        (long long)set->n_force, GATHER_NONE - 1);
  Status status = incidence_fill(exec, set, &d, out);
  EXEC_RELEASE(exec, d.key, set->n_force);
  EXEC_RELEASE(exec, d.order, set->n_force);
  if (status == OK && exec_is_host(exec)) status = incidence_fetch(out);
  if (status != OK) incidence_release(out);
  else if (exec_is_host(exec)) out->exec = NULL;
  return status;
}

Status incidence_create(Exec *exec, const ElementSet *set, Incidence *out) {
  TRY(incidence_find(exec, set, out));
  const Status status = incidence_fetch(out);
  if (status != OK) incidence_release(out);
  return status;
}

static void exec_arrays_release(Incidence *incidence) {
  if (!incidence->exec) return;
  EXEC_RELEASE(incidence->exec, incidence->exec_start, incidence->n_node + 1);
  EXEC_RELEASE(incidence->exec, incidence->exec_touch, incidence->n_touch);
  incidence->exec = NULL;
}

void incidence_leave_exec(Incidence *incidence) {
  if (incidence->touch) exec_arrays_release(incidence);
}

void incidence_drop_exec(Incidence *incidence) { exec_arrays_release(incidence); }

bool incidence_is_there(const Incidence *incidence) { return incidence->exec || incidence->touch; }

void incidence_release(Incidence *incidence) {
  exec_arrays_release(incidence);
  FREE(incidence->start);
  FREE(incidence->touch);
}

Status incidence_lend(Exec *exec, const Incidence *incidence, const int64_t **start, const ElementRef **touch) {
  if (incidence->exec == exec) {
    *start = incidence->exec_start;
    *touch = incidence->exec_touch;
    return OK;
  }
  TRY(exec_lend(exec, incidence->n_node + 1, sizeof **start, incidence->start, WHAT, (const void **)start));
  return exec_lend(exec, incidence->n_touch, sizeof **touch, incidence->touch, WHAT, (const void **)touch);
}

void incidence_lend_end(Exec *exec, const Incidence *incidence, const int64_t **start, const ElementRef **touch) {
  if (incidence->exec == exec) {
    *start = NULL;
    *touch = NULL;
    return;
  }
  exec_lend_end(exec, incidence->n_node + 1, sizeof **start, (const void **)start);
  exec_lend_end(exec, incidence->n_touch, sizeof **touch, (const void **)touch);
}

Status block_nodes_lend(Exec *exec, const SetBlock *b, const int32_t **out) {
  *out = b->exec_nodes;
  return *out ? OK
              : exec_lend(exec, (int64_t)b->n * b->type->n_node, sizeof **out, b->nodes, "element nodes",
                          (const void **)out);
}

void block_nodes_lend_end(Exec *exec, const SetBlock *b, const int32_t **nodes) {
  if (b->exec_nodes) *nodes = NULL;
  else exec_lend_end(exec, (int64_t)b->n * b->type->n_node, sizeof **nodes, (const void **)nodes);
}
