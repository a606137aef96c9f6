/* Modes of a sector with nodal diameters: for each of these a body of one or two copies of the sector and its lowest modes, and then all of them on
 * the sector as it is, freed of its cuts. */
#include "algebra/mat.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/modal_run.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ModalRun *own(const ElasticRun *w) { return w->own; }

bool sector_modes_asked(const ElasticRun *w) {
  return w->run->c->analysis.diameters.n && !w->run->rehearsed && !own(w)->phase;
}

Status sector_modes_begin(ElasticRun *w) {
  const Case *c = w->run->c;
  own(w)->sector.asked = w->run->report->modes.waves = true;
  if (modal_loaded(c)) TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  EXEC_ALLOC(w->run->device.exec, w->u, w->n, "displacement");
  return OK;
}

void sector_modes_release(SectorModes *modes) {
  FREE(modes->shape);
  elastic_fields_release(&modes->stress);
}

/* The stress of the load, which is the same in all sectors. */
static Status stress_find(ElasticRun *w) {
  LinearParams linear = own(w)->asked;
  bool stressed;
  TRY(exec_zero(w->run->device.exec, w->u, (size_t)elasticity_dofs(w->elasticity) * sizeof *w->u));
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  return modal_stress(w->run, w->elasticity, w->a, &linear, w->u, &own(w)->sector.stress, &stressed);
}

/* Modes of one body to rows of shapes: the first copy, the real part; with x.M x of both copies 1 on the way around two make 1 each. */
static Status shapes_take(const ElasticRun *w, const SectorPhase *phase, int32_t first, SectorModes *to) {
  Exec *exec = w->run->device.exec;
  const int64_t rows = elasticity_rows(w->elasticity);
  const int32_t n = (int32_t)w->run->c->analysis.modes.value, dim = case_dim(w->run->c);
  const int32_t n_node = phase->sample.mesh->n_node / phase->copies;
  const double scale = phase->copies == 2 ? sqrt(2) : 1;
  double *moved = NULL, *host = NULL;
  Status status = OK;
  ALLOC_DONE(host, rows, "shapes of modes");
  TRY_DONE(exec_alloc(exec, rows, sizeof *moved, "a shape", (void **)&moved));
  for (int32_t k = 0; k < n; ++k) {
    double *shape = to->shape + (first + k) * to->n_number;
    TRY_DONE(eigen_vector(own(w)->solver, k, w->u));
    TRY_DONE(elasticity_moved(w->elasticity, w->u, moved));
    TRY_DONE(exec_download(exec, host, moved, (size_t)rows * sizeof *host));
    for (int64_t i = 0; i < rows; ++i) {
      const int32_t node = elasticity_node(w->elasticity, i);
      if (node < n_node) shape[(int64_t)node * dim + i % dim] = scale * host[i];
    }
  }
done:
  EXEC_RELEASE(exec, moved, rows);
  FREE(host);
  return status;
}

/* A report of several solves, one behind the other. */
static void linear_add(LinearReport *sum, const LinearReport *before) {
  sum->iterations += before->iterations;
  sum->products += before->products;
  sum->setup_seconds += before->setup_seconds;
  sum->solve_seconds += before->solve_seconds;
  sum->true_residual = fmax(sum->true_residual, before->true_residual);
}

static Status phase_solve(ElasticRun *inner, const SectorPhase *phase, SectorModes *to) {
  RunReport *report = inner->run->report;
  const LinearReport before = report->linear;
  const int64_t unknowns = report->unknowns, entries = report->entries; /* of the largest body */
  const int32_t rigid = report->modes.rigid;
  ElasticityParams *params = &elastic_setup(&phase->setup)->params;
  ElasticFields stress = {0};
  Status status = OK;
  params->allow_free_motion = params->no_load = true;
  TRY_DONE(elasticity_create(inner->run->device.exec, params, &inner->elasticity));
  inner->n = elasticity_dofs(inner->elasticity);
  if (own(inner)->stress) {
    TRY_DONE(sector_point_stress(phase, own(inner)->stress, inner->run->mesh, &stress));
    own(inner)->stress = &stress;
  }
  TRY_DONE(modal_run_begin(inner));
  TRY_DONE(modal_solve(inner));
  TRY_DONE(shapes_take(inner, phase, own(inner)->first, to));
  report->modes.mass /= phase->copies;
  report->modes.rigid += rigid;
  linear_add(&report->linear, &before);
  if (unknowns > report->unknowns) report->unknowns = unknowns, report->entries = entries;
done:
  FREE(stress.point_start);
  mem_free((void **)(void *)&stress.point_stress);
  return status;
}

static Status diameter_solve(ElasticRun *w, int32_t i) {
  const ElasticSetup *setup = elastic_setup(&w->setup);
  SectorPhase phase;
  ModalRun modal = {.asked = own(w)->asked,
                    .phase = &phase,
                    .stress = modal_loaded(w->run->c) ? &own(w)->sector.stress : NULL,
                    .diameter = modal_diameter(w->run->c, i),
                    .n_sector = sector_count(setup),
                    .first = i * (int32_t)w->run->c->analysis.modes.value};
  ElasticRun inner = {.run = w->run, .analysis = w->analysis, .linear = w->linear, .own = &modal};
  Exec *exec = w->run->device.exec;
  memcpy(modal.along, setup->cut[0].direction, sizeof modal.along);
  Status status = sector_phase_create(w->run->c, &w->setup, modal.diameter, &phase);
  if (status == OK) status = phase_solve(&inner, &phase, &own(w)->sector);
  status = modal_run_release(&inner, status);
  mat_destroy(&inner.a);
  EXEC_RELEASE(exec, inner.u, inner.n);
  elasticity_destroy(&inner.elasticity);
  sector_phase_release(&phase);
  if (status != OK) return status_context(status, "with %d nodal diameters", (int)modal.diameter);
  return OK;
}

/* The sector without its cuts, which shapes have already, but with the normals that it has there. */
static Status free_equation(ElasticRun *w) {
  const ElasticSetup *setup = elastic_setup(&w->setup);
  const EquationList images = {.n_image = setup->n_image, .image = setup->image, .waves = true};
  ElasticityParams params = setup->params;
  mat_destroy(&w->a);
  elasticity_destroy(&w->elasticity);
  params.equations = &images;
  params.allow_free_motion = params.no_load = true;
  TRY(elasticity_create(w->run->device.exec, &params, &w->elasticity));
  own(w)->output.elasticity = w->elasticity;
  return modal_loaded(w->run->c) ? modal_forget(w->elasticity) : OK;
}

typedef struct Ranked {
  ModeRow row;
  int32_t at;
} Ranked;
static int by_frequency(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  if (a->row.frequency != b->row.frequency) return a->row.frequency < b->row.frequency ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

static Status modes_sort(RunReport *report, SectorModes *modes) {
  Ranked *ranked = NULL;
  double *shape = NULL;
  Status status = OK;
  const size_t bytes = (size_t)modes->n_number * sizeof *shape;
  ALLOC_DONE(ranked, report->modes.n, "modes");
  ALLOC_DONE(shape, report->modes.n * modes->n_number, "shapes of modes");
  for (int32_t k = 0; k < report->modes.n; ++k) ranked[k] = (Ranked){report->modes.row[k], k};
  qsort(ranked, (size_t)report->modes.n, sizeof *ranked, by_frequency);
  for (int32_t k = 0; k < report->modes.n; ++k) {
    report->modes.row[k] = ranked[k].row;
    memcpy(shape + k * modes->n_number, modes->shape + ranked[k].at * modes->n_number, bytes);
  }
  FREE(modes->shape);
  modes->shape = shape;
  shape = NULL;
done:
  FREE(ranked);
  FREE(shape);
  return status;
}

Status sector_modes_solve(ElasticRun *w) {
  const Case *c = w->run->c;
  SectorModes *modes = &own(w)->sector;
  modes->n_number = (int64_t)w->run->mesh->n_node * case_dim(c);
  ALLOC(modes->shape, modal_count(c) * modes->n_number, "shapes of modes");
  if (modal_loaded(c)) TRY(stress_find(w));
  w->run->report->modes.rigid = 0;
  for (int32_t i = 0; i < c->analysis.diameters.n; ++i) TRY(diameter_solve(w, i));
  TRY(modes_sort(w->run->report, modes));
  return free_equation(w);
}

Status sector_modes_vector(ElasticRun *w, int32_t i, double *u) {
  Exec *exec = w->run->device.exec;
  const int64_t rows = elasticity_rows(w->elasticity);
  const int32_t dim = case_dim(w->run->c);
  const double *shape = own(w)->sector.shape + i * own(w)->sector.n_number;
  double *host = NULL;
  ALLOC(host, rows, "a shape");
  for (int64_t k = 0; k < rows; ++k) host[k] = shape[(int64_t)elasticity_node(w->elasticity, k) * dim + k % dim];
  const Status status = exec_upload(exec, u, host, (size_t)rows * sizeof *host);
  FREE(host);
  TRY(status);
  return elasticity_local_frame_whole(w->elasticity, u);
}
