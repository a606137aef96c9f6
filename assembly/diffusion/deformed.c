/* Tensors and channels of a deformed body: memory, and the order of the kernels of deform_rows.h. */
#include "assembly/diffusion/deformed.h"
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#define PICK deform
#include "assembly/space/pick_kernel.tmpl.h"

/* Nodes between those of a coarser mesh; on the Exec, owned. */
typedef struct Between {
  int32_t n, n_source;
  DeformBetweenArgs args;
} Between;

struct Deformed {
  Diffusion *diffusion;
  bool conducts;
  double *numbers[ELEMENT_SET_BLOCKS], *open[ELEMENT_SET_BLOCKS], *level[ELEMENT_SET_BLOCKS]; /* owned, on the Exec */
  int32_t *mesh_node; /* owned, as those; NULL: the same */
  double *moved;
  int32_t n_between;
  Between *between;
};

static void numbers_of(const DeformedElement *e, double value[DEFORM_NUMBERS]) {
  for (int i = 0; i < 3; ++i) value[DEFORM_FIBER + i] = e->fiber[i], value[DEFORM_NORMAL + i] = e->normal[i];
  value[DEFORM_ACROSS] = e->D[1];
  value[DEFORM_FIBER_MORE] = e->D[0] - e->D[1];
  value[DEFORM_NORMAL_MORE] = e->D[2] - e->D[1];
  value[DEFORM_OPENS] = e->opens;
  value[DEFORM_REVERSAL] = e->reversal;
}

static Status create_block(Deformed *d, int32_t k, const DeformedElement *element, bool opens) {
  const Space *s = d->diffusion->space;
  const int32_t n = s->set.block[k].n, *order = s->numbering.element[k];
  const char *what = "elements of a deformed body";
  double *value = NULL;
  Status status;
  ALLOC(value, (int64_t)n * DEFORM_NUMBERS, what);
  for (int32_t e = 0; e < n; ++e) numbers_of(&element[order ? order[e] : e], value + (int64_t)e * DEFORM_NUMBERS);
  status = exec_alloc_upload(s->exec, (int64_t)n * DEFORM_NUMBERS, sizeof *value, value, what, (void **)&d->numbers[k]);
  FREE(value);
  if (status != OK || !opens) return status;
  EXEC_ALLOC(s->exec, d->open[k], n, what);
  EXEC_ALLOC(s->exec, d->level[k], n, what);
  return OK;
}

static Status create_between(Deformed *d, const NodeSources *from, Between *out) {
  Exec *exec = d->diffusion->space->exec;
  const char *what = "nodes between those of a body";
  *out = (Between){.n = from->n, .n_source = from->start[from->n]};
  out->args = (DeformBetweenArgs){.first = from->first, .moved = d->moved};
  TRY(exec_alloc_upload(exec, from->n + 1, sizeof *from->start, from->start, what,
                        (void **)(uintptr_t)&out->args.start));
  TRY(exec_alloc_upload(exec, out->n_source, sizeof *from->node, from->node, what,
                        (void **)(uintptr_t)&out->args.node));
  return exec_alloc_upload(exec, out->n_source, sizeof *from->weight, from->weight, what,
                           (void **)(uintptr_t)&out->args.weight);
}

static Status fill(Deformed *d, const DeformedParams *params) {
  const Space *s = d->diffusion->space;
  if (s->numbering.rank)
    TRY(exec_alloc_upload(s->exec, s->n_node, sizeof *d->mesh_node, s->numbering.node, "numbering of the nodes",
                          (void **)&d->mesh_node));
  EXEC_ALLOC(s->exec, d->moved, 3 * (int64_t)s->n_node, "displacement of nodes");
  TRY(exec_zero(s->exec, d->moved, 3 * (size_t)s->n_node * sizeof *d->moved));
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n)
    TRY(create_block(d, k, params->element + first, params->opens));
  ALLOC(d->between, params->n_level, "nodes between those of a body");
  while (d->n_between < params->n_level) {
    const int32_t i = d->n_between++; /* one that is there in part is released too */
    TRY(create_between(d, &params->level[i], &d->between[i]));
  }
  return OK;
}

Status deformed_create(Diffusion *diffusion, const DeformedParams *params, Deformed **out) {
  Deformed *d = NULL;
  *out = NULL;
  ALLOC(d, 1, "a deformed body");
  d->diffusion = diffusion;
  d->conducts = params->conducts;
  const Status status = fill(d, params);
  if (status != OK) deformed_destroy(&d);
  *out = d;
  return status;
}

void deformed_destroy(Deformed **deformed) {
  Deformed *d = *deformed;
  if (!d) return;
  const Space *s = d->diffusion->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const int32_t n = s->set.block[k].n;
    EXEC_RELEASE(s->exec, d->numbers[k], (int64_t)n * DEFORM_NUMBERS);
    EXEC_RELEASE(s->exec, d->open[k], n);
    EXEC_RELEASE(s->exec, d->level[k], n);
  }
  for (int32_t i = 0; i < d->n_between; ++i) {
    Between *b = &d->between[i];
    exec_release(s->exec, b->n + 1, sizeof(int32_t), (void **)(uintptr_t)&b->args.start);
    exec_release(s->exec, b->n_source, sizeof(int32_t), (void **)(uintptr_t)&b->args.node);
    exec_release(s->exec, b->n_source, sizeof(double), (void **)(uintptr_t)&b->args.weight);
  }
  FREE(d->between);
  EXEC_RELEASE(s->exec, d->mesh_node, s->n_node);
  EXEC_RELEASE(s->exec, d->moved, 3 * (int64_t)s->n_node);
  FREE(*deformed);
}

double *deformed_moved(const Deformed *d) { return d->moved; }

Status deformed_see(Deformed *d) {
  const Space *s = d->diffusion->space;
  for (int32_t i = 0; i < d->n_between; ++i)
    TRY(exec_rows(s->exec, &deform_between_kernel, &d->between[i].args, d->between[i].n));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const DeformArgs args = {.part = diffusion_args(d->diffusion, k),
                             .moved = d->moved,
                             .mesh_node = d->mesh_node,
                             .numbers = d->numbers[k],
                             .tensor = d->conducts ? d->diffusion->table[k].tensor : NULL,
                             .open = d->open[k],
                             .level = d->level[k]};
    TRY(exec_rows(s->exec, deform_kernel(s->set.block[k].type->kind), &args, args.part.n_elem));
  }
  return OK;
}

/* A number of each element at the nodes: its integral over their shape functions, by the mass. */
static Status mean_at_nodes(Deformed *d, double *const *element, const double *mass, double *out) {
  Diffusion *p = d->diffusion;
  double *own[ELEMENT_SET_BLOCKS];
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k)
    own[k] = p->table[k].capacity, p->table[k].capacity = element[k];
  const Status status = diffusion_loads_of_mass(p, out);
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) p->table[k].capacity = own[k];
  TRY(status);
  const DeformMeanArgs args = {mass, out};
  return exec_rows(p->space->exec, &deform_mean_kernel, &args, p->space->n_dof);
}

Status deformed_open(Deformed *d, const double *mass, double *open, double *level) {
  TRY(mean_at_nodes(d, d->open, mass, open));
  return mean_at_nodes(d, d->level, mass, level);
}
