/* See modal_basis.h. */
#include "app/elasticity/modal_basis.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "app/elasticity/modal.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

void modal_basis_destroy(ModalBasis **basis) {
  ModalBasis *b = *basis;
  if (!b) return;
  linear_destroy(&b->linear);
  eigen_destroy(&b->eigen);
  FREE(*basis);
}

static Status solvers_create(ModalBasis *b, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m) {
  ElasticHints hints;
  int64_t unknowns = 0;
  elastic_prefer_for_modes(elasticity, k, linear);
  TRY(elastic_hints_create(b->exec, elasticity, k, linear, &hints));
  Status status = elasticity_unknowns_now(elasticity, &unknowns);
  const EigenParams params = {.a = k, .b = m, .positive = k, .linear = linear, .values = b->values, .free = unknowns};
  if (status == OK) status = eigen_create(b->exec, &params, &b->eigen);
  if (status == OK) status = linear_create(b->exec, linear, k, &b->linear);
  elastic_hints_release(linear, &hints);
  return status;
}

Status modal_basis_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                          ModalBasis **out) {
  ModalBasis *b = NULL;
  *out = NULL;
  ALLOC(b, 1, "modes of a response");
  *b = (ModalBasis){.run = run,
                    .exec = run->device.exec,
                    .n = elasticity_dofs(elasticity),
                    .n_own = elasticity_rows(elasticity),
                    .values = (int32_t)run->c->analysis.modes.value};
  *out = b;
  int32_t rigid; /* none: elasticity_create has seen to that */
  TRY(modal_motions(run->c, elasticity, &rigid));
  return solvers_create(b, elasticity, linear, k, m);
}

Status modal_begin(const Case *c, EigenSolver *solver) {
  const Status status = eigen_begin(solver);
  Place where = c->analysis.place;
  char place[512];
  if (status != ERR_NUMERIC) return status;
  for (int32_t i = c->materials.n - 1; i >= 0; --i) {
    const CaseMaterial *m = case_material(c, i);
    const int density = material_parameter(m->type.value, "density");
    if (density >= 0 && place_given(m->varying[density].place)) where = m->varying[density].place;
  }
  return FAIL(ERR_INPUT,
              "%s: %s: the density is 0 all around them\n  allowed: > 0 in some part of the elements around each node\n"
              "  remedy: a density > 0 there, or 'fix' what has none",
              place_text(c->path, where, place, sizeof place), status_message());
}

Status modal_basis_solve(ModalBasis *b, LinearReport *sum) {
  EigenReport eigen = {0};
  eigen_set_poll(b->eigen, progress_poll, &b->run->progress);
  TRY(modal_begin(b->run->c, b->eigen));
  TRY(eigen_solve(b->eigen, &eigen));
  progress_clear(&b->run->progress);
  sum->iterations += eigen.iterations;
  sum->products += eigen.products;
  sum->setup_seconds += eigen.setup_seconds;
  sum->solve_seconds += eigen.solve_seconds;
  return linear_setup(b->linear);
}

double modal_basis_square(const ModalBasis *b, int32_t k) { return eigen_values(b->eigen)[k]; }

double modal_basis_frequency(const ModalBasis *b, int32_t k) {
  return sqrt(fmax(modal_basis_square(b, k), 0)) / (2 * acos(-1));
}

double modal_basis_ratio(const ModalBasis *b, int32_t k) {
  const NamesValue *ratio = &b->run->c->analysis.damping.ratio;
  const char *why;
  double value = 0;
  if (ratio->n == 1) k = 0;
  if (k < ratio->n) number_parse(ratio->item[k].text, &value, &why);
  return value;
}

Status modal_basis_rest(ModalBasis *b, const double *load, double *x, LinearReport *sum) {
  LinearReport one = {0};
  TRY_CONTEXT(linear_solve(b->linear, load, x, &one), "in the static answer to the load");
  if (b->answered) one.setup_seconds = 0; /* that of all answers */
  b->answered = true;
  one.bytes_per_iteration = 0; /* turns of blocks of modes count among the iterations */
  one.true_residual = fmax(one.true_residual, sum->true_residual); /* the worst; an answer to no load has none */
  linear_report_add(sum, &one);
  return OK;
}
