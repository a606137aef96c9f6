/* Where cells are: one per node, and one more for each further ionic model or set of parameters among the elements of a
 * node (NODAL); or one at each point of the stiffness rule (GAUSS). */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"
#include "core/parts.h"

enum { MOST_KINDS = 65536 };

/* Index of the constants of a region; appended when they are new. */
static Status kind_of_region(Monodomain *m, const IonicConstants *region, const MonodomainStart *start,
                             uint16_t *kind) {
  for (int32_t k = 0; k < m->n_constants; ++k)
    if (ionic_same(&m->constants[k], region)) {
      *kind = (uint16_t)k;
      return OK;
    }
  CHECK(m->n_constants < MOST_KINDS, ERR_INPUT, "more than %d regions with different ionic parameters", MOST_KINDS);
  *kind = (uint16_t)m->n_constants;
  if (start) m->start[m->n_constants] = *start;
  m->constants[m->n_constants++] = *region;
  return OK;
}

static Status kinds_of_elements(Monodomain *m, const MonodomainParams *params, const uint16_t *kind) {
  const int32_t n = m->diffusion->space->set.n_solved;
  ALLOC(m->element_kind, n, "ionic models of elements");
  int32_t bad = n;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : bad)
  for (int32_t e = 0; e < n; ++e) {
    const int32_t region = params->element_region ? params->element_region[e] : 0;
    if (region >= 0 && region < params->n_region) m->element_kind[e] = kind[region];
    else if (e < bad) bad = e;
  }
  CHECK(bad == n, ERR_BUG, "element %d is in region %d of %d", (int)bad, (int)params->element_region[bad],
        (int)params->n_region);
  return OK;
}

static Status kinds_of_links(Monodomain *m, const MonodomainParams *params) {
  ALLOC(m->link_kind, params->diffusion.n_link, "ionic models of links");
  for (int32_t i = 0; i < params->diffusion.n_link; ++i) {
    const int32_t region = params->link_region ? params->link_region[i] : 0;
    CHECK(region >= 0 && region < params->n_region, ERR_BUG, "link %d is in region %d of %d", (int)i, (int)region,
          (int)params->n_region);
    m->link_kind[i] = m->region_kind[region];
  }
  return OK;
}

Status monodomain_kinds(Monodomain *m, const MonodomainParams *params) {
  ALLOC(m->constants, params->n_region, "ionic parameters");
  ALLOC(m->region_kind, params->n_region, "ionic parameters");
  if (params->start) ALLOC(m->start, params->n_region, "cells at their start");
  for (int32_t r = 0; r < params->n_region; ++r)
    TRY(kind_of_region(m, &params->region[r], params->start ? &params->start[r] : NULL, &m->region_kind[r]));
  TRY(kinds_of_elements(m, params, m->region_kind));
  TRY(kinds_of_links(m, params));
  return exec_alloc_upload(m->exec, m->n_constants, sizeof *m->constants, m->constants, "ionic parameters",
                           (void **)&m->exec_constants);
}

/* First solved element of each block. */
static void block_starts(const ElementSet *set, int32_t *first) {
  for (int32_t k = 0, n = 0; k < set->n_solved_block; n += set->block[k++].n) first[k] = n;
}

/* Cells while they are collected; host arrays, owned. */
typedef struct Cells {
  int64_t n, capacity;
  uint16_t *kind;
  int32_t *next;
  double *mass;
} Cells;

static Status cells_resize(Cells *c, int64_t capacity) {
  RESIZE(c->kind, capacity, "cells at nodes");
  RESIZE(c->next, capacity, "cells at nodes");
  RESIZE(c->mass, capacity, "cells at nodes");
  c->capacity = capacity;
  return OK;
}

/* Adds a mass to the cell of this kind at a node, which may be a new one. `empty`: the node's own cell is not taken
 * yet. */
static Status cells_add(Cells *c, int32_t node, uint16_t kind, double mass, bool empty) {
  int64_t k = node;
  if (empty) c->kind[k] = kind;
  while (c->kind[k] != kind && c->next[k] >= 0) k = c->next[k];
  if (c->kind[k] != kind) {
    if (c->n == c->capacity) TRY(cells_resize(c, c->capacity + c->capacity / 4 + 64));
    CHECK(c->n < INT32_MAX, ERR_INPUT, "more than %d cells", INT32_MAX);
    c->next[k] = (int32_t)c->n;
    k = c->n++;
    c->kind[k] = kind;
    c->next[k] = -1;
  }
  c->mass[k] += mass;
  return OK;
}

/* Lumped masses of the nodes of all elements, to the host: they stand in p->space->f after diffusion_lumped_mass. */
static Status element_masses(Diffusion *p, double *mass) {
  double *sum = NULL;
  EXEC_ALLOC(p->space->exec, sum, p->space->n_node, "lumped mass");
  Status status = diffusion_lumped_mass(p, sum);
  if (status == OK)
    status = exec_download(p->space->exec, mass, p->space->f, (size_t)p->space->set.n_force * sizeof *mass);
  EXEC_RELEASE(p->space->exec, sum, p->space->n_node);
  return status;
}

/* The elements at nodes: their kind and their mass there. */
typedef struct CellWalk {
  const Monodomain *m;
  const MonodomainParams *params;
  const double *mass;
  int32_t first[ELEMENT_SET_BLOCKS];
} CellWalk;

/* Links without mass join cells and are none. */
static bool touch_counts(const CellWalk *w, ElementRef touch) {
  return touch.block < w->m->diffusion->space->set.n_solved_block || w->params->diffusion.link[touch.element].mass > 0;
}

/* Of an element or link at row i. */
static uint16_t touch_kind(const CellWalk *w, ElementRef touch, int32_t i) {
  if (touch.block >= w->m->diffusion->space->set.n_solved_block) return w->m->link_kind[touch.element];
  const int32_t *order = w->m->diffusion->space->numbering.element[touch.block];
  const int32_t e = w->first[touch.block] + (order ? order[touch.element] : touch.element);
  const MonodomainParams *p = w->params;
  const int32_t region = p->element_region ? p->element_region[e] : 0;
  const int32_t *varying = p->node_region ? p->node_region[region] : NULL;
  return varying ? w->m->region_kind[varying[diffusion_node(w->m->diffusion, i)]] : w->m->element_kind[e];
}

static double touch_mass(const CellWalk *w, ElementRef touch) {
  const SetBlock *b = &w->m->diffusion->space->set.block[touch.block];
  return w->mass[b->force_first + touch.local * b->force_a + touch.element * b->force_e];
}

/* The cell of a node whose elements are of one kind; false: they are not. */
static bool one_cell(const CellWalk *w, int32_t i, Cells *c) {
  const Space *space = w->m->diffusion->space;
  const Incidence *incidence = space->solver_incidence;
  bool empty = true;
  c->next[i] = -1;
  for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t) {
    const ElementRef touch = incidence->touch[t];
    if (!touch_counts(w, touch)) continue;
    const uint16_t kind = touch_kind(w, touch, i);
    if (!empty && kind != c->kind[i]) return false;
    c->kind[i] = kind;
    c->mass[i] += touch_mass(w, touch);
    empty = false;
  }
  return true;
}

static Status several_cells(const CellWalk *w, int32_t i, Cells *c) {
  const Space *space = w->m->diffusion->space;
  const Incidence *incidence = space->solver_incidence;
  bool empty = true;
  c->mass[i] = 0;
  for (int64_t t = incidence->start[i]; t < incidence->start[i + 1]; ++t) {
    const ElementRef touch = incidence->touch[t];
    if (!touch_counts(w, touch)) continue;
    TRY(cells_add(c, i, touch_kind(w, touch, i), touch_mass(w, touch), empty));
    empty = false;
  }
  return OK;
}

/* Nodes between tissues, which are few, come after the others, one after another, since they add cells. */
static Status monodomain_cells_collect(const Monodomain *m, const MonodomainParams *params, const double *mass,
                                       Cells *c) {
  enum { BETWEEN = -2 };
  const int32_t n_node = (int32_t)monodomain_rows(m);
  CellWalk walk = {.m = m, .params = params, .mass = mass};
  int64_t between = 0;
  block_starts(&m->diffusion->space->set, walk.first);
  c->n = n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_node)) reduction(+ : between)
  for (int32_t i = 0; i < n_node; ++i) {
    if (one_cell(&walk, i, c)) continue;
    c->next[i] = BETWEEN;
    ++between;
  }
  for (int32_t i = 0; i < n_node && between; ++i) {
    if (c->next[i] != BETWEEN) continue;
    c->next[i] = -1;
    TRY(several_cells(&walk, i, c));
  }
  return OK;
}

static Status upload_cells(Monodomain *m, const Cells *c) {
  m->n_cell = c->n;
  TRY(exec_alloc_upload(m->exec, c->n, sizeof *c->mass, c->mass, "masses of cells", (void **)&m->mass));
  if (m->n_constants > 1)
    TRY(exec_alloc_upload(m->exec, c->n, sizeof *c->kind, c->kind, "ionic models of cells", (void **)&m->kind));
  if (c->n > monodomain_rows(m))
    TRY(exec_alloc_upload(m->exec, c->n, sizeof *c->next, c->next, "cells of nodes", (void **)&m->next));
  return OK;
}

/* A cell at each node, whose mass is that of the node. */
static Status cells_of_one_kind(Monodomain *m) {
  m->n_cell = monodomain_rows(m);
  ALLOC(m->cell_kind, m->n_cell, "cells at nodes");
  EXEC_ALLOC(m->exec, m->mass, m->n_cell, "masses of cells");
  return diffusion_lumped_mass(m->diffusion, m->mass);
}

Status monodomain_node_cells(Monodomain *m, const MonodomainParams *params) {
  Status status = OK;
  if (m->n_constants == 1) return cells_of_one_kind(m);
  double *mass = NULL;
  Cells cells = {0};
  ALLOC_DONE(mass, m->diffusion->space->set.n_force, "lumped masses of elements");
  TRY_DONE(element_masses(m->diffusion, mass));
  TRY_DONE(cells_resize(&cells, monodomain_rows(m)));
  TRY_DONE(monodomain_cells_collect(m, params, mass, &cells));
  TRY_DONE(upload_cells(m, &cells));
  m->cell_kind = cells.kind;
  cells.kind = NULL;
  if (cells.n > monodomain_rows(m)) {
    m->cell_next = cells.next;
    cells.next = NULL;
  }
done:
  FREE(mass);
  FREE(cells.kind);
  FREE(cells.next);
  FREE(cells.mass);
  return status;
}

/* Kinds of a block's elements in the solver's order, to the Exec and to its points. */
static Status block_kinds(Monodomain *m, int32_t k, int32_t first) {
  Status status = OK;
  const Diffusion *p = m->diffusion;
  MonodomainBlock *block = &m->block[k];
  const int32_t n = p->space->set.block[k].n, *order = p->space->numbering.element[k];
  uint16_t *kind = NULL;
  ALLOC_DONE(kind, n, "ionic models of elements");
  for (int32_t e = 0; e < n; ++e) {
    kind[e] = m->element_kind[first + (order ? order[e] : e)];
    for (int32_t q = 0; q < block->n_q; ++q)
      m->cell_kind[block->first + q * block->step_q + e * block->step_e] = kind[e];
  }
  if (m->n_constants > 1)
    TRY_DONE(exec_alloc_upload(m->exec, n, sizeof *kind, kind, "ionic models of elements", (void **)&block->kind));
done:
  FREE(kind);
  return status;
}

/* Simplices of first order, and nothing else in the whole mesh: their one point is the middle. */
static void find_simple(Monodomain *m) {
  const ElementSet *set = &m->diffusion->space->set;
  const Mesh *mesh = m->diffusion->space->mesh;
  const ElementType *type = set->block[0].type;
  int32_t n_block = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) n_block += element_type(mesh->block[b].kind)->dim == mesh->dim;
  m->simple = n_block == 1 && set->n_solved_block == 1 && m->block[0].n_q == 1 && type->n_node == type->dim + 1;
  m->simple_N = 1.0 / type->n_node;
}

Status monodomain_point_cells(Monodomain *m) {
  const Diffusion *p = m->diffusion;
  int32_t first[ELEMENT_SET_BLOCKS] = {0};
  block_starts(&p->space->set, first);
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const int32_t n = p->space->set.block[k].n, n_q = p->space->block[k].stiffness.n_q;
    const bool by_element = exec_is_host(m->exec);
    m->block[k] =
        (MonodomainBlock){.n_q = n_q, .first = m->n_cell, .step_q = by_element ? 1 : n, .step_e = by_element ? n_q : 1};
    m->n_cell += (int64_t)n * n_q;
  }
  ALLOC(m->cell_kind, m->n_cell, "ionic models of points");
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) TRY(block_kinds(m, k, first[k]));
  find_simple(m);
  EXEC_ALLOC(m->exec, m->measure, m->n_cell, "measures of points");
  EXEC_ALLOC(m->exec, m->slope, m->n_cell, "tangents at points");
  EXEC_ALLOC(m->exec, m->weight, p->space->n_node, "weights of averages");
  return OK;
}
