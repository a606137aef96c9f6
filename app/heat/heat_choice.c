/* Which preconditioner `auto` is for a step in time. M + dt K is as well conditioned as the largest Fourier number
 * F = dt k / (c h^2) of an element is small: up to some ten, conjugate gradients with a diagonal need as many
 * iterations as a polynomial has products, and each costs less. Measured with `sinew bench heat` on a CPU, F = 1: 232
 * against 132 steps/s at 256^2. */
#include "app/heat/heat_columns.h"
#include "solver/precond/precond.h"

#include <math.h>

static const double FOURIER_MAX = 20;

/* Of element e, whose length is its shortest distance between consecutive vertices. */
static double heat_choice_fourier(const Mesh *mesh, const Setup *setup, int32_t e, double dt) {
  const int32_t first = setup_first_solved(mesh);
  const ElementType *type = element_type(mesh_block_of(mesh, first + e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, first + e);
  const double *k = heat_setup(setup)->tensor[e];
  double h2 = INFINITY;
  for (int32_t a = 0; a < type->n_vertex; ++a) {
    const double *p = mesh->x[nodes[a]], *q = mesh->x[nodes[(a + 1) % type->n_vertex]];
    h2 = fmin(h2, (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
  }
  return dt * fmax(k[0], fmax(k[1], k[2])) / (heat_setup(setup)->capacity[e] * h2) * type->order * type->order;
}

const char *heat_preconditioner(const Case *c, const Mesh *mesh, const Setup *setup) {
  const char *given = c->solver.preconditioner.type.text;
  const CaseTime *time = &c->time;
  if (!precond_is_auto(given) || !place_given(time->place)) return given;
  if (place_given(c->solver.preconditioner.degree.place)) return given; /* who names a degree wants a polynomial */
  const double dt = place_given(time->adaptive.max.place) ? time->adaptive.max.value : time->step.value;
  for (int32_t e = 0; e < mesh->n_element - setup_first_solved(mesh); ++e)
    if (heat_choice_fourier(mesh, setup, e, dt) > FOURIER_MAX) return given;
  return "jacobi";
}
