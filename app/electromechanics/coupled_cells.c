/* The cells of a body of muscle: between steps of the body, on the device. */
#include "app/electromechanics/coupled.h"
#include "app/input/case_tables.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-9;    /* of a step: times that count as one */
static const int64_t AT_ONCE = 256; /* steps of the cells */

/* Nodes have the order of the body's, so that vectors of nodes are those of both; nodes of the cells alone follow. */
static Status take_order(const Setup *body, const Mesh *mesh, int64_t n_body, Setup *setup) {
  FREE(setup->node_rank);
  if (body->node_rank) {
    ALLOC(setup->node_rank, mesh->n_node, "numbering of the nodes");
    memcpy(setup->node_rank, body->node_rank, (size_t)n_body * sizeof *setup->node_rank);
    for (int32_t i = (int32_t)n_body; i < mesh->n_node; ++i) setup->node_rank[i] = i;
  }
  heart_setup(setup)->diffusion.node_rank = setup->node_rank;
  return OK;
}

static Status make_room(CoupledCells *k) {
  Exec *exec = k->heart.exec;
  const int64_t n = k->heart.n_read;
  for (int i = 0; i < N_DRIVES; ++i) EXEC_ALLOC(exec, k->drive[i], n, "what drives the muscle");
  EXEC_ALLOC(exec, k->mixed, n, "what drives the muscle");
  EXEC_ALLOC(exec, k->work, n, "what drives the muscle");
  if (n > k->n) EXEC_ALLOC(exec, k->all, n, "what cells have");
  return OK;
}

/* Weights are those of the mesh as it is, wherever the body goes. */
static Status make_leads(CoupledCells *k) {
  const Heart *h = &k->heart;
  const int32_t n = case_leads(h->c), none = 0;
  double *whole = NULL;
  if (!n) return OK;
  ALLOC(whole, n * h->n, "weights of leads");
  Status status = heart_leads(h, whole);
  const FunctionalParams params = {.n = h->n, .start = &none, .n_whole = n, .whole = whole};
  if (status == OK) status = functional_create(h->exec, &params, &k->leads);
  FREE(whole);
  return status;
}

Status coupled_cells_create(Run *run, const Setup *body, CoupledCells *k) {
  k->run = *run;
  k->run.c = run->c->heart;
  k->run.report = &k->report;
  k->by = coupled_drive(run->c);
  k->n = run->mesh->n_node;
  k->n_level = (int32_t)run->c->time.cells.refine.value;
  TRY(coupled_mesh(run->c, run->mesh, k->level, &k->mesh));
  if (k->mesh) k->run.mesh = k->mesh;
  TRY(setup_create(k->run.c, k->run.mesh, &k->setup));
  TRY(take_order(body, k->run.mesh, run->mesh->n_node, &k->setup));
  TRY(k->run.c->physics->solve_setup(k->run.c, k->run.mesh, run->device.exec, &k->setup));
  TRY(heart_create(&k->run, &k->setup, &k->heart));
  TRY(heart_prepare(&k->heart));
  TRY(setup_warn_steps(k->run.c, k->heart.scheme_word, &k->setup));
  TRY(feedback_create(k));
  TRY(make_leads(k));
  return make_room(k);
}

void coupled_cells_destroy(CoupledCells *k) {
  Exec *exec = k->heart.exec;
  const int64_t n = k->heart.n_read;
  if (exec) {
    for (int i = 0; i < N_DRIVES; ++i) EXEC_RELEASE(exec, k->drive[i], n);
    EXEC_RELEASE(exec, k->mixed, n);
    EXEC_RELEASE(exec, k->work, n);
    EXEC_RELEASE(exec, k->all, n);
  }
  feedback_destroy(k);
  functional_destroy(&k->leads);
  for (int32_t i = 0; i < COUPLED_LEVELS; ++i) node_sources_release(&k->level[i]);
  heart_destroy(&k->heart);
  setup_release(&k->setup);
  mesh_destroy(&k->mesh);
  report_release(&k->report);
}

/* What drives the muscle now. */
static Status keep(CoupledCells *k, double *to) {
  const Heart *h = &k->heart;
  if (k->by == TENSION_BY_CALCIUM) return monodomain_state(h->monodomain, CALCIUM, NULL, to);
  return exec_copy(h->exec, to, h->V, (size_t)h->n_read * sizeof *to);
}

static Status begin(CoupledCells *k) {
  TRY(heart_start(&k->heart));
  TRY(keep(k, k->drive[DRIVE_END]));
  for (int i = 0; i < DRIVE_END; ++i)
    TRY(exec_copy(k->heart.exec, k->drive[i], k->drive[DRIVE_END], (size_t)k->heart.n_read * sizeof *k->drive[i]));
  k->begun = true;
  return OK;
}

static Status go_to(CoupledCells *k, double time) {
  StepReport step = {0};
  const StepControl *control = stepper_control(k->heart.stepper);
  const double near = SAME * k->run.c->time.step.value, before = clock_seconds();
  while (!stepper_done(k->heart.stepper) && control->time < time - near) {
    const double left = ceil((time - control->time - near) / k->run.c->time.step.value);
    const Status status = stepper_step(k->heart.stepper, left < AT_ONCE ? (int64_t)left : AT_ONCE, &step);
    if (status != OK) return status_context(status, "in the step of the cells from t = %g ms", control->time);
    k->steps += step.steps;
  }
  k->seconds += clock_seconds() - before;
  return OK;
}

/* One step of the body further. */
static Status advance(CoupledCells *k) {
  double *oldest = k->drive[DRIVE_BEFORE];
  const double step = k->run.c->output.every.value, end = k->run.c->time.end.value;
  const double next = fmin(end, step * round(k->time[DRIVE_END] / step + 1));
  TRY(go_to(k, next));
  for (int i = 0; i < DRIVE_END; ++i) k->drive[i] = k->drive[i + 1], k->time[i] = k->time[i + 1];
  k->drive[DRIVE_END] = oldest, k->time[DRIVE_END] = next;
  return keep(k, oldest);
}

/* Straight from one time to the next. */
Status coupled_cells_drive(CoupledCells *k, double time, const double **drive) {
  const double near = SAME * k->run.c->output.every.value;
  Exec *exec = k->heart.exec;
  const int64_t n = k->heart.n_read;
  if (!k->begun) TRY(begin(k));
  while (k->time[DRIVE_END] < time - near) TRY(advance(k));
  const int to = time < k->time[DRIVE_BEGIN] - near ? DRIVE_BEGIN : DRIVE_END;
  const double length = k->time[to] - k->time[to - 1], share = length > 0 ? (time - k->time[to - 1]) / length : 1;
  CHECK(share > -SAME, ERR_BUG, "a step of the body to %g, which the cells have left behind", time);
  *drive = k->drive[to];
  if (share >= 1 - SAME) return OK;
  *drive = k->drive[to - 1];
  if (share <= SAME) return OK;
  *drive = k->mixed;
  TRY(exec_copy(exec, k->mixed, k->drive[to - 1], (size_t)n * sizeof *k->mixed));
  TRY(vec_axpy(exec, n, -share, k->drive[to - 1], k->mixed));
  return vec_axpy(exec, n, share, k->drive[to], k->mixed);
}

Status coupled_cells_leads(CoupledCells *k, double *room) {
  return functional_wholes(k->leads, k->heart.V, room, NULL);
}

Status coupled_cells_take(CoupledCells *k, CellField field, double *room) {
  Heart *h = &k->heart;
  const double *from = k->work;
  switch (field) {
  case CELL_POTENTIAL: from = h->V; break;
  case CELL_CALCIUM:
    TRY(monodomain_state(h->monodomain, CALCIUM, NULL, k->mixed));
    TRY(vec_fill(h->exec, h->n_read, 0, k->work));
    TRY(vec_axpy(h->exec, h->n_read, MICROMOLAR, k->mixed, k->work));
    break;
  case CELL_ACTIVATION: from = activation_times(h->maps, 0); break;
  default: from = activation_ends(h->maps, 0);
  }
  if (!k->all) return diffusion_arrange(h->diffusion, from, room);
  TRY(diffusion_arrange(h->diffusion, from, k->all));
  return exec_copy(h->exec, room, k->all, (size_t)k->n * sizeof *room);
}

/* Behind the state of the stepper: times, what was done, and what drives. */
enum { NUMBERS = N_DRIVES + 1 };

int64_t coupled_cells_state_bytes(const CoupledCells *k) {
  const int64_t numbers = NUMBERS + N_DRIVES * k->heart.n_read;
  return stepper_state_bytes(k->heart.stepper) + numbers * (int64_t)sizeof(double);
}

Status coupled_cells_save(CoupledCells *k, void *host) {
  char *to = host;
  const size_t bytes = (size_t)k->heart.n_read * sizeof(double);
  double number[NUMBERS];
  TRY(stepper_save(k->heart.stepper, to));
  to += stepper_state_bytes(k->heart.stepper);
  memcpy(number, k->time, sizeof k->time);
  number[N_DRIVES] = (double)k->steps;
  memcpy(to, number, sizeof number);
  to += sizeof number;
  for (int i = 0; i < N_DRIVES; ++i, to += bytes) TRY(exec_download(k->heart.exec, to, k->drive[i], bytes));
  return OK;
}

Status coupled_cells_restore(CoupledCells *k, const void *host) {
  const char *from = host;
  const size_t bytes = (size_t)k->heart.n_read * sizeof(double);
  double number[NUMBERS];
  TRY(heart_restore(&k->heart, from));
  from += stepper_state_bytes(k->heart.stepper);
  memcpy(number, from, sizeof number);
  from += sizeof number;
  memcpy(k->time, number, sizeof k->time);
  k->steps = (int64_t)number[N_DRIVES];
  for (int i = 0; i < N_DRIVES; ++i, from += bytes) TRY(exec_upload(k->heart.exec, k->drive[i], from, bytes));
  k->begun = true;
  return OK;
}
