/* See backend_choice.h; docs/solvers.md says how the numbers were found. */
#include "app/run/backend_choice.h"
#include "app/input/case_format.h"
#include "core/text_source.h"

#include <math.h>
#include <sys/stat.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* A further thread is worth half of the first one. START: what a GPU takes before the first unknown. */
static const double FURTHER = 0.5, START = 0.3;
/* Bytes of a mesh file for each node, elements included: few, so that the guess is rather too many. */
static const double NODE_BYTES = 60;

BackendCost backend_cost(const Case *c, int64_t n_node, int threads) {
  const CostEstimate *p = &c->physics->cost;
  const double steps = c->physics->steps ? c->physics->steps(c) : 0;
#ifdef _OPENMP
  const int n = threads > 0 ? threads : omp_get_max_threads();
#else
  const int n = threads > 0 ? threads : 1;
#endif
  const double speed = 1 + FURTHER * (n - 1);
  return (BackendCost){(double)n_node * (p->build + steps * p->step) / speed, START + steps * p->launch};
}

bool backend_leaves_gpu(Backend backend, const Case *c, int64_t n_node, int threads, BackendCost *cost) {
  *cost = (BackendCost){0};
  if (backend == BACKEND_AUTO && case_is_direct(c)) return device_gpu_is_likely();
  if (backend != BACKEND_AUTO || !device_gpu_is_likely()) return backend == BACKEND_CPU;
  *cost = backend_cost(c, n_node, threads);
  return cost->cpu < cost->gpu;
}

int64_t backend_guess_nodes(const Case *c) {
  const CaseMesh *m = &c->mesh;
  const double dim = m->grid.n ? m->grid.n : 3, order = m->order.value > 1 ? (double)m->order.value : 1;
  const double finer = pow(pow(2, (double)m->refine.value) * order, dim);
  double n = m->grid.n ? finer : (double)INFINITY;
  struct stat file;
  for (int32_t k = 0; k < m->grid.n; ++k) n *= m->grid.value[k];
  if (!m->grid.n && c->mesh_path && (path_ends(c->mesh_path, ".msh") || path_ends(c->mesh_path, ".h5")) &&
      stat(c->mesh_path, &file) == 0)
    n = finer * (double)file.st_size / NODE_BYTES;
  return n < 1e15 ? (int64_t)n : INT64_MAX;
}
