#include "mesh/local.h"
#include "core/exec.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/local_private.h"

#include <string.h>

static const char *const WHAT = "a rank's share of the mesh";

/* While a share is cut out. */
typedef struct LocalCut {
  const Mesh *from;
  const Partition *partition;
  const int32_t *number;
  int32_t begin, end;          /* own numbers */
  const uint8_t *keep;         /* [n_element of the whole]: these elements, whatever their nodes; NULL: a rank's */
  const PartitionReach *reach; /* where nodes are linked; NULL: they are not */
  Exec *exec;
  int32_t *at; /* owned, [n_node of the whole], node here or -1 */
} LocalCut;

static int32_t number_of(const LocalCut *c, int32_t node) { return c->number ? c->number[node] : node; }

static bool is_own(const LocalCut *c, int32_t node) {
  const int32_t number = number_of(c, node);
  return number >= c->begin && number < c->end;
}

/* The flagged of n, ascending and raised by `first`, to *list, the caller's. */
static Status list_flagged(LocalCut *c, const uint8_t *flag, int32_t n, int32_t *n_list, int32_t **list) {
  int64_t *index = NULL, n_index = 0;
  TRY(exec_compact(c->exec, flag, n, WHAT, &index, &n_index));
  *n_list = (int32_t)n_index;
  const Status status = mem_alloc(n_index, sizeof **list, WHAT, (void **)list);
  for (int64_t k = 0; k < n_index && status == OK; ++k) (*list)[k] = (int32_t)index[k];
  EXEC_RELEASE(c->exec, index, n_index);
  return status;
}

static int32_t *block_nodes(const ElementBlock *b, int32_t e) {
  return b->nodes + (int64_t)e * element_type(b->kind)->n_node;
}

/* All elements at it are here. */
static bool is_inside(const LocalCut *c, int32_t node, int32_t rank) {
  return c->reach ? c->reach->around[node] >> rank & 1 : is_own(c, node);
}

/* The elements of a block that are kept or have an own node, with the nodes of the whole; their nodes are flagged too. */
static Status cut_block(LocalCut *c, const ElementBlock *from, int32_t rank, uint8_t *node_flag, ElementBlock *to,
                        int32_t **id) {
  Status status = OK;
  uint8_t *flag = NULL;
  const int n_node = element_type(from->kind)->n_node;
  to->kind = from->kind;
  ALLOC_DONE(flag, from->n, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(from->n))
  for (int32_t e = 0; e < from->n; ++e) {
    flag[e] = c->keep && c->keep[from->first + e];
    for (int a = 0; a < n_node && !c->keep; ++a) flag[e] |= is_inside(c, block_nodes(from, e)[a], rank);
  }
  TRY_DONE(list_flagged(c, flag, from->n, &to->n, id));
  ALLOC_DONE(to->nodes, (int64_t)to->n * n_node, WHAT);
  ALLOC_DONE(to->tag, to->n, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(to->n))
  for (int32_t e = 0; e < to->n; ++e) {
    to->tag[e] = from->tag[(*id)[e]];
    memcpy(block_nodes(to, e), block_nodes(from, (*id)[e]), (size_t)n_node * sizeof *to->nodes);
    for (int a = 0; a < n_node; ++a) __atomic_store_n(&node_flag[block_nodes(to, e)[a]], 1, __ATOMIC_RELAXED);
  }
done:
  FREE(flag);
  return status;
}

static Status cut_blocks(LocalCut *c, uint8_t *node_flag, LocalMesh *out) {
  Mesh *m = out->mesh;
  Status status = OK;
  int32_t **id = NULL;
  ALLOC_DONE(id, c->from->n_block, WHAT);
  ALLOC_DONE(m->block, c->from->n_block, WHAT);
  m->n_block = c->from->n_block;
  for (int32_t b = 0; b < m->n_block; ++b) {
    TRY_DONE(cut_block(c, &c->from->block[b], out->rank, node_flag, &m->block[b], &id[b]));
    m->block[b].first = m->n_element;
    m->n_element += m->block[b].n;
  }
  ALLOC_DONE(out->element, m->n_element, WHAT);
  ALLOC_DONE(out->block_first, m->n_block + 1, WHAT);
  for (int32_t b = 0; b < m->n_block; ++b) out->block_first[b] = c->from->block[b].first;
  out->block_first[m->n_block] = c->from->n_element;
  for (int32_t b = 0; b < m->n_block; ++b)
    for (int32_t e = 0; e < m->block[b].n; ++e)
      out->element[m->block[b].first + e] = c->from->block[b].first + id[b][e];
done:
  for (int32_t b = 0; id && b < c->from->n_block; ++b) FREE(id[b]);
  FREE(id);
  return status;
}

/* Which nodes are here, what they are, and the blocks in their numbers. */
static Status cut_nodes(LocalCut *c, const uint8_t *flag, LocalMesh *out) {
  Mesh *m = out->mesh;
  TRY(list_flagged(c, flag, c->from->n_node, &m->n_node, &out->node));
  ALLOC(c->at, c->from->n_node, WHAT);
  ALLOC(m->x, m->n_node, WHAT);
  ALLOC(m->node_tag, m->n_node, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(c->from->n_node))
  for (int32_t i = 0; i < c->from->n_node; ++i) c->at[i] = -1;
#pragma omp parallel for schedule(static) num_threads(parts_of(m->n_node))
  for (int32_t i = 0; i < m->n_node; ++i) {
    const int32_t node = out->node[i];
    c->at[node] = i;
    memcpy(m->x[i], c->from->x[node], sizeof m->x[i]);
    m->node_tag[i] = c->from->node_tag[node];
  }
  for (int32_t b = 0; b < m->n_block; ++b) {
    const int64_t n = (int64_t)m->block[b].n * element_type(m->block[b].kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
    for (int64_t k = 0; k < n; ++k) m->block[b].nodes[k] = c->at[m->block[b].nodes[k]];
  }
  return OK;
}

/* Own nodes have the numbers of the whole from 0 on; halo nodes follow in the order of theirs. */
static Status number_nodes(LocalCut *c, LocalMesh *out) {
  Status status = OK;
  uint32_t *key = NULL, *node = NULL;
  int32_t n_halo = 0;
  out->n_own = c->end - c->begin;
  ALLOC_DONE(out->solver, out->mesh->n_node, WHAT);
  ALLOC_DONE(key, out->mesh->n_node - out->n_own, WHAT);
  ALLOC_DONE(node, out->mesh->n_node - out->n_own, WHAT);
  for (int32_t i = 0; i < out->mesh->n_node; ++i) {
    const int32_t number = number_of(c, out->node[i]);
    if (number >= c->begin && number < c->end) {
      out->solver[i] = number - c->begin;
      continue;
    }
    out->n_low += number < c->begin;
    key[n_halo] = (uint32_t)number;
    node[n_halo++] = (uint32_t)i;
  }
  TRY_DONE(exec_sort(c->exec, n_halo, key, sizeof *key, 32, node));
  for (int32_t k = 0; k < n_halo; ++k) out->solver[node[k]] = out->n_own + k;
  status = local_peers(c->partition, out, (const int32_t *)key, c->at, c->reach);
done:
  FREE(key);
  FREE(node);
  return status;
}

static Status local_cut(LocalCut *c, LocalMesh *out) {
  Status status = OK;
  uint8_t *flag = NULL;
  ALLOC_DONE(out->mesh, 1, WHAT);
  TRY_DONE(exec_create_cpu(0, &c->exec));
  ALLOC_DONE(flag, c->from->n_node, WHAT);
#pragma omp parallel for schedule(static) num_threads(parts_of(c->from->n_node))
  for (int32_t i = 0; i < c->from->n_node; ++i) flag[i] = !c->keep && is_own(c, i);
  out->mesh->dim = c->from->dim;
  out->mesh->in_space = c->from->in_space;
  TRY_DONE(cut_blocks(c, flag, out));
  for (int32_t k = 0; !c->keep && k < c->partition->n_pair; ++k)
    for (int a = 0; a < 2; ++a)
      if (is_own(c, c->partition->pair[k][a])) flag[c->partition->pair[k][1 - a]] = 1;
  for (int32_t i = 0; c->reach && i < c->from->n_node; ++i) flag[i] = c->reach->has[i] >> out->rank & 1;
  TRY_DONE(cut_nodes(c, flag, out));
  if (!c->keep) TRY_DONE(number_nodes(c, out));
  status = local_carry(c->from, out);
done:
  FREE(flag);
  FREE(c->at);
  exec_destroy(&c->exec);
  return status;
}

Status local_mesh_create(const Mesh *mesh, const Partition *p, const int32_t *number, int32_t rank, LocalMesh *out) {
  *out = (LocalMesh){.rank = rank, .sorted = number != NULL, .n_whole = p->n_node};
  CHECK(rank >= 0 && rank < p->n_rank && p->n_node == mesh->n_node, ERR_BUG,
        "rank %d of %d with %d nodes of a mesh of %d", rank, p->n_rank, p->n_node, mesh->n_node);
  out->first = p->own[rank];
  LocalCut cut = {.from = mesh, .partition = p, .number = number, .begin = p->own[rank], .end = p->own[rank + 1]};
  if (!p->linked || !p->linked->n) return local_cut(&cut, out);
  PartitionReach reach;
  Status status = partition_reach(p, mesh, number, &reach);
  cut.reach = &reach;
  if (status == OK) status = local_cut(&cut, out);
  partition_reach_release(&reach);
  return status;
}

void local_mesh_release(LocalMesh *local) {
  mesh_destroy(&local->mesh);
  FREE(local->solver);
  FREE(local->node);
  FREE(local->element);
  FREE(local->block_first);
  FREE(local->peer);
  FREE(local->send_start);
  FREE(local->send);
  FREE(local->recv_start);
}

/* Blocks and groups without elements. */
static void drop_empty(Mesh *m) {
  int32_t n = 0;
  for (int32_t b = 0; b < m->n_block; ++b) {
    if (m->block[b].n) {
      m->block[n++] = m->block[b];
      continue;
    }
    FREE(m->block[b].nodes);
    FREE(m->block[b].tag);
  }
  m->n_block = n, n = 0;
  for (int32_t g = 0; g < m->n_group; ++g) {
    if (m->group[g].n) {
      m->group[n++] = m->group[g];
      continue;
    }
    FREE(m->group[g].name);
    FREE(m->group[g].element);
  }
  m->n_group = n;
}

Status mesh_keep(Mesh **mesh, const uint8_t *keep) {
  LocalMesh part = {0};
  LocalCut cut = {.from = *mesh, .keep = keep};
  const Status status = local_cut(&cut, &part);
  if (status == OK) {
    drop_empty(part.mesh);
    part.mesh->whole = *mesh, part.mesh->whole_node = part.node;
    *mesh = part.mesh;
    part.mesh = NULL, part.node = NULL;
  }
  local_mesh_release(&part);
  return status;
}
