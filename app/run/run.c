/* What the drivers of all physics share: mesh, device, memory, report. */
#include "app/run/run.h"
#include "app/run/adapt.h"
#include "app/run/backend_choice.h"
#include "app/input/case_format.h"
#include "app/run/forecast.h"
#include "app/run/ranks.h"
#include "app/run/run_folder.h"
#include "app/run/together.h"
#include "app/setup/setup.h"
#include "output/wording.h"
#include "core/clock.h"
#include "core/memory.h"
#include "gpu/exec/cuda_exec.h"
#include "output/folder.h"
#include "solver/precond/precond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Status run_load_mesh(Run *run) {
  const Case *c = run->c;
  if (run->mesh) return OK;
  progress_live(&run->progress, "reading %s", c->mesh_path);
  const Status status = mesh_of_case(c, run->params->trust, run->params->sizes, &run->mesh);
  progress_clear(&run->progress);
  TRY(status);
  run->report->n_node = run->mesh->n_node;
  run->report->n_element = run->mesh->n_element - setup_first_solved(run->mesh);
  char nodes[32], elements[32];
  progress_say(&run->progress, "mesh         %s: %s nodes, %s elements", c->mesh_path,
               count_text(run->report->n_node, nodes), count_text(run->report->n_element, elements));
  if (run->mesh->whole)
    progress_say(&run->progress,
                 run->c->heart_model.value ? "bath         with the tissue %s nodes"
                                           : "torso        with the heart %s nodes",
                 count_text(run->mesh->whole->n_node, nodes));
  progress_phase(&run->progress, PHASE_MESH);
  return OK;
}

uint64_t run_mesh_hash(Run *run) {
  if (!run->mesh_hash) run->mesh_hash = run->params->adapt ? adapt_mesh_hash(run) : mesh_hash(run->mesh);
  return run->mesh_hash;
}

/* HDF5 that another program wrote is read in a process of its own (mesh/io/mesh_h5_read.c), and none may be made while
 * a library starts on another thread. So are results of a heat run, which the setup reads. */
static bool setup_reads_in_child(const Case *c) {
  bool reads = c->thermal.temperature.results.text != NULL;
  for (int32_t k = 0; k < c->steps.n; ++k) reads |= case_step(c, k)->thermal.temperature.results.text != NULL;
  for (int32_t i = 0; i < c->load_cases.n; ++i) reads |= case_load_case(c, i)->thermal.temperature.results.text != NULL;
  return reads;
}

static bool reads_in_child(const Case *c) {
  const char *end = c->mesh_path ? strrchr(c->mesh_path, '.') : NULL;
  return (end && !strcmp(end, ".h5")) || setup_reads_in_child(c);
}

/* Of all points that are solved as one. */
static int64_t nodes_solved(const Run *run) {
  const int64_t n = run->mesh ? run->mesh->n_node : backend_guess_nodes(run->c);
  return run->params->together ? n * run->params->together->n : n;
}

/* Beside the reading of the mesh, or behind it beside the set-up of the case. */
static void begin_device(Run *run) {
  const RunParams *p = run->params;
  const int64_t n_node = nodes_solved(run);
  BackendCost cost;
  if (run->begun || backend_leaves_gpu(p->backend, run->c, n_node, p->threads, &cost)) return;
  if (p->backend == BACKEND_CUDA || device_gpu_is_likely()) device_begin(&run->begun);
}

/* A GPU that has begun is taken, since waiting for it is all that it would cost. */
static Status open_chosen(Run *run) {
  const RunParams *params = run->params;
  BackendCost cost;
  char cpu[32], gpu[32];
  const bool left =
      !run->begun && backend_leaves_gpu(params->backend, run->c, nodes_solved(run), params->threads, &cost);
  TRY(device_end(&run->begun, left ? BACKEND_CPU : params->backend, params->threads, &run->device));
  if (left && params->backend == BACKEND_AUTO && case_is_direct(run->c))
    snprintf(run->device.note, sizeof run->device.note, "on the CPU, where the direct solver works");
  else if (left && params->backend == BACKEND_AUTO)
    snprintf(run->device.note, sizeof run->device.note,
             "on the CPU, about %s for this case, a GPU would take %s to start and do it (--backend cuda uses it)",
             seconds_text(cost.cpu, cpu), seconds_text(cost.gpu, gpu));
  return OK;
}

static Status run_open_device(Run *run) {
  TRY(ranks_agree(run, run_is_root(run) ? run_open_folder(run) : OK));
  progress_phase(&run->progress, PHASE_SETUP);
  return run_choose_device(run);
}

Status run_choose_device(Run *run) {
  TRY(ranks_agree(run, open_chosen(run)));
  TRY(ranks_same_device(run));
  progress_phase(&run->progress, PHASE_START);
  run->report->on_gpu = run->device.on_gpu;
  snprintf(run->report->device, sizeof run->report->device, "%s", run->device.exec->device);
  if (*run->device.note) progress_say(&run->progress, "note: %s", run->device.note);
  return OK;
}

Status run_begin(Run *run, Setup *setup) {
  if (run->rehearsed) {
    *setup = *run->rehearsed;
    setup->view = true;
    return OK;
  }
  TRY(ranks_agree(run, run_load_mesh(run)));
  TRY(ranks_same_mesh(run));
  if (!setup_reads_in_child(run->c)) begin_device(run);
  TRY(ranks_agree(run, setup_create(run->c, run->mesh, setup)));
  TRY(run_open_device(run));
  Status status = OK;
  if (run->c->physics->solve_setup) status = run->c->physics->solve_setup(run->c, run->mesh, run->device.exec, setup);
  TRY(ranks_agree(run, status));
  return ranks_share(run, setup);
}

/* A rank's part of what the whole would take. */
static Status gpu_holds(Run *run, Setup *setup) {
  const double part = (double)run_mesh(run)->n_node / run->mesh->n_node;
  ForecastRequest request = {.c = run->c, .mesh = run->mesh, .setup = setup, .on_gpu = true};
  size_t free_bytes = 0, total_bytes = 0;
  MemoryPlan *plan = NULL;
  TRY(cuda_memory(&free_bytes, &total_bytes));
  const double room = (double)(device_room(free_bytes) + run->device.exec->in_use);
  if (part * memory_bound(run->c, run->mesh) < room) return OK;
  request.room = room / part;
  ALLOC(plan, 1, "the memory plan");
  Status status = memory_forecast(&request, plan);
  if (status == OK) memory_plan_share(plan, part);
  if (status == OK) {
    status = memory_table_check(plan, room, run->device.exec->device);
    run->no_room = status == ERR_GPU;
  }
  FREE(plan);
  return status;
}

Status run_check_memory(Run *run, Setup *setup) {
  return run->device.on_gpu && !run->rehearsed ? ranks_agree(run, gpu_holds(run, setup)) : OK;
}

Status run_solved(const Run *run, Status status) { return run->rehearsed && status == ERR_NUMERIC ? OK : status; }

Status linear_params_of_case(const Case *c, LinearParams *out) {
  const CaseSolver *given = &c->solver;
  LinearParams params = linear_params_default();
  params.rtol = given->rtol.value;
  params.max_iterations = given->max_iterations.value;
  params.preconditioner = given->preconditioner.type.text;
  params.degree = (int32_t)given->preconditioner.degree.value;
  const PrecondType *type = precond_type(given->preconditioner.type.value - 1); /* NULL: auto */
  params.has_values = type && type->n_param > 0;
  for (int32_t k = 0; params.has_values && k < type->n_param; ++k)
    params.values[k] = given->preconditioner.value[k].value;
  *out = params;
  return linear_params_precision(out, given->precision.text);
}

void run_name_place(const Run *run, const Setup *setup, const LinearReport *linear, int32_t block) {
  const Mesh *mesh = run->mesh;
  if (!mesh || linear->reason == LINEAR_CONVERGED || linear->equation < 0 ||
      linear->equation >= mesh->n_node * (int64_t)block)
    return;
  const int32_t rank = (int32_t)(linear->equation / block);
  int32_t node = rank;
  for (int32_t i = 0; setup->node_rank && i < mesh->n_node; ++i)
    if (setup->node_rank[i] == rank) node = i;
  const double *x = mesh->x[node];
  status_context(ERR_NUMERIC, "at node %lld of %s, (%g, %g, %g)", (long long)mesh->node_tag[node], mesh->path, x[0],
                 x[1], x[2]);
}

void run_measure_memory(Run *run) {
  run->report->exec_peak = run->device.exec->peak;
  run->report->host_peak = mem_peak();
}

void run_measure(Run *run) {
  RunReport *report = run->report;
  if (run->rehearsed) return;
  run_measure_memory(run);
  /* It takes a tenth of a second on a CPU, and a hundredth of that on a GPU. */
  const double worth = exec_is_host(run->device.exec) ? 0.5 : 0.05;
  if (report->linear.solve_seconds > worth && report->linear.bytes_per_iteration > 0)
    report->bandwidth = measure_bandwidth(run->device.exec);
  if (!bandwidth_share_holds(report_bandwidth_share(report))) report->bandwidth = 0;
  progress_phase(&run->progress, PHASE_MEASURE);
}

void run_guard(const Run *run, int on) {
  if (run->params->guard) run->params->guard(on);
}

bool run_asked_to_stop(const Run *run) { return run->params->guard && run->params->guard(1) != 0; }

bool run_files_beside(const Run *run) {
  return !run->rehearsed && run_is_root(run) && run->device.on_gpu &&
         run->c->output.compression.value == COMPRESSION_NONE;
}

void run_phase_solve(Run *run, const StepReport *report) {
  double *seconds = run->report->seconds;
  progress_phase(&run->progress, PHASE_SOLVE);
  seconds[PHASE_ASSEMBLY] += report->assembly_seconds;
  seconds[PHASE_PREPARE] += report->linear.setup_seconds;
  seconds[PHASE_SOLVE] -= report->assembly_seconds + report->linear.setup_seconds;
}

/* The report has the end in it, but for itself. */
static void run_end(Run *run) {
  ranks_release(run);
  mesh_destroy(&run->mesh);
  run->no_room |= tracker_refused(run->device.tracker);
  device_close(&run->device);
  progress_phase(&run->progress, PHASE_END);
  run->report->total = run->progress.phase_start - run->progress.start;
}

Status run_pipeline(Run *run, void *work, Status (*pipeline)(void *work), Status (*release)(void *work)) {
  char message[4096]; /* closing the files may have others */
  const Status status = pipeline(work);
  if (run->rehearsed) mem_watch(NULL); /* what is there now is what is kept */
  snprintf(message, sizeof message, "%s", status == OK ? "" : status_message());
  if (status != OK) progress_phase(&run->progress, run->solving ? PHASE_SOLVE : PHASE_SETUP);
  run_guard(run, 1);
  Status closed = release(work);
  if (status == OK && closed == OK && !run->rehearsed) closed = adapt_end(run);
  const Status told = status == OK && closed == OK ? ranks_tell(run) : OK;
  if (!run->rehearsed) run_end(run); /* a rehearsal has mesh and device of another */
  if (status != OK) return FAIL(status, "%s", message);
  TRY(closed);
  if (run->rehearsed) return OK;
  TRY(told);
  if (!run_is_root(run)) return OK;
  const Status saved = report_save(run->report, run->c, run->params->folder, NULL);
  run_guard(run, 0);
  return saved;
}

Status run_step_control(const Case *c, StepControlParams *out, StepEvent **event) {
  const CaseTime *time = &c->time;
  const double cycle = c->circulation.cycle.value;
  const int64_t n_beat = cycle > 0 ? (int64_t)(time->end.value / cycle) : 0; /* a beat ends where the next one begins */
  int32_t n = 0;
  ALLOC(*event, (int64_t)c->expect.n + c->steps.n + n_beat, "times of expectations");
  for (int64_t k = 1; k <= n_beat; ++k) (*event)[n++].time = (double)k * cycle;
  for (int32_t i = 0; i < c->expect.n; ++i)
    if (place_given(case_expect(c, i)->time.place)) (*event)[n++].time = case_expect(c, i)->time.value;
  for (int32_t k = 0; k < c->steps.n; ++k) (*event)[n++] = (StepEvent){case_step(c, k)->end.value, true};
  const bool samples = c->output.sample.value > 0;
  *out = (StepControlParams){.end = time->end.value,
                             .step = time->step.value,
                             .adaptive = case_adapts(time),
                             .tolerance = c->chain ? 1 : time->adaptive.tolerance.value,
                             .min = time->adaptive.min.value,
                             .max = time->adaptive.max.value,
                             .every = samples ? c->output.sample.value : case_every(c),
                             .through = samples ? (int64_t)round(case_every(c) / c->output.sample.value) : 0,
                             .n_span = c->chain ? c->steps.n : 0,
                             .span = c->chain ? c->chain->span : NULL,
                             .n_event = n,
                             .event = *event};
  return OK;
}

double run_steps(const Case *c) { return place_given(c->time.place) ? case_step_count(c) : 0; }

void run_note_steps(const Run *run, const StepControl *control) {
  char n[32], all[32];
  run->report->forced = control->n_forced;
  if (control->n_forced == 0) return;
  status_warn("in %s of %s steps the shortest one allowed, min %g, was too long for the tolerance %g: their errors "
              "were up to %.2g "
              "times what it asks for\n  remedy: a smaller 'min' or a larger 'tolerance' under 'adaptive:'",
              count_text(control->n_forced, n), count_text(control->n_accepted, all), control->params.min,
              control->params.tolerance, control->worst_forced);
}

/* A run that did not converge, or was stopped, leaves its report, so that programs see it too. The message of the
 * failure stays. */
static void report_failure(Run *run, Status why) {
  char message[4096];
  snprintf(message, sizeof message, "%s", status_message());
  run->report->converged = false;
  run->report->stopped = why == ERR_STOPPED;
  run_guard(run, 1);
  const bool may = run_may_report(run);
  if (may) report_save(run->report, run->c, run->params->folder, message);
  if (why != ERR_STOPPED) run_guard(run, 0); /* the request that waits would end the process with the message unsaid */
  FAIL(why, "%s", message);
  if (!may) status_context(why, "the result of an earlier run in '%s' is untouched", run->params->folder);
}

static Status run_or_finish(Run *run) {
  bool finished = false;
  CHECK(!run->params->from || run->c->physics->takes_over, ERR_USAGE,
        "sinew: --from takes over the state of a heart; this case is of %s", run->c->physics->name);
  TRY(ranks_meet(run));
  if (run->params->resume && !run->params->together) {
    TRY(ranks_agree(run, run_is_root(run) ? run_finished(run, &finished) : OK));
    TRY(ranks_hear(run, &finished));
    run->report->finished_before = finished;
  }
  if (run->params->together) return run->c->physics->run_together(run, run->params->together);
  return finished ? OK : run->c->physics->run(run);
}

/* One way through, to the end with everything given back. *no_room: it ended because the GPU of `auto` has no room, and
 * nothing of a result is there. */
static Status run_on(Run *run, bool *no_room) {
  if (!run->c->physics->without_mesh && !reads_in_child(run->c)) begin_device(run);
  const Status status = run_or_finish(run);
  run->no_room |= tracker_refused(run->device.tracker);
  *no_room = status == ERR_GPU && run->no_room && run->params->backend == BACKEND_AUTO && run_alone(run) &&
             !run->published && !run->params->together;
  if (run_is_root(run) && !run->params->together && ((status == ERR_NUMERIC && run->solving) || status == ERR_STOPPED))
    report_failure(run, status);
  const Status left = ranks_leave(run, status);
  output_folder_close(&run->folder);
  FREE(run->receipt);
  ranks_release(run);
  mesh_destroy(&run->mesh);
  device_drop(&run->begun);
  device_close(&run->device);
  return left;
}

static Status run_once(const Case *c, const RunParams *given, RunReport *report) {
  const RunReport empty = {.precision = c->solver.precision.text, .format = c->solver.format.type.text};
  RunParams own = *given;
  ranks_settle(&own);
  const double begin = own.begin > 0 ? own.begin : clock_seconds();
  Run run = {.c = c,
             .params = &own,
             .report = report,
             .progress = progress_start(own.quiet, own.verbose, begin, report->seconds)};
  bool no_room;
  Units units;
  *report = empty;
  units_of_case(c, &units);
  unit_behind(&units, UNIT_TIME, run.progress.time_unit);
  progress_phase(&run.progress, PHASE_START);
  mem_reset_peak();
  const Status status = run_on(&run, &no_room);
  if (!no_room) return status;
  status_warn("this run uses the CPU, because the GPU has too little memory for it\n  %s", status_message());
  status_clear();
  warnings_print();
  progress_phase(&run.progress, PHASE_START);
  own.backend = BACKEND_CPU;
  const Run again = {.c = c, .params = &own, .report = report, .progress = run.progress};
  RunReport next = empty;
  memcpy(next.seconds, report->seconds, sizeof next.seconds);
  report_release(report);
  *report = next;
  run = again;
  return run_on(&run, &no_room);
}

Status run_case(const Case *c, const RunParams *params, RunReport *report) {
  return place_given(c->adapt.place) ? adapt_case(c, params, report, run_once) : run_once(c, params, report);
}
