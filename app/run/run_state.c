/* See run_state.h. */
#include "app/run/run_state.h"
#include "app/run/ranks.h"
#include "app/run/run_folder.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double AT_ASKED = 1e-6; /* a state is of the time that was asked for */

/* Another build may order its sums in another way. */
static void compare_builds(const Checkpoint *c) {
  if (*c->made_by && strcmp(c->made_by, sinew_commit()) != 0)
    status_warn("the checkpoint was written by another build of Sinew (commit %s, this is %s): results may differ in "
                "their last "
                "bits from those of an undisturbed run",
                c->made_by, sinew_commit());
}

enum { STEPS, NEWTON, REJECTED, REBUILT, ITERATIONS, PRODUCTS, RESTARTS, SOLVES, PEAKS, PEAK_COUNTS = 3 };
_Static_assert(PEAKS + N_PEAKS * PEAK_COUNTS == CHECKPOINT_COUNTS, "the counts of a checkpoint");

static void counts_save(const RunReport *r, int64_t count[CHECKPOINT_COUNTS]) {
  count[STEPS] = r->steps, count[NEWTON] = r->heart.newton;
  count[REJECTED] = r->rejected, count[REBUILT] = r->rebuilt;
  count[ITERATIONS] = r->linear.iterations, count[PRODUCTS] = r->linear.products, count[RESTARTS] = r->linear.restarts;
  count[SOLVES] = r->linear.solves;
  for (int k = 0; k < N_PEAKS; ++k) { /* the bits of the numbers */
    int64_t *to = &count[PEAKS + k * PEAK_COUNTS];
    memcpy(&to[0], &r->peak[k].value, sizeof *to);
    memcpy(&to[1], &r->peak[k].time, sizeof *to);
    to[2] = r->peak[k].place;
  }
}

static void counts_restore(const int64_t count[CHECKPOINT_COUNTS], RunReport *r) {
  r->steps = r->steps_before = count[STEPS], r->heart.newton = count[NEWTON];
  r->rejected = count[REJECTED], r->rebuilt = count[REBUILT];
  r->linear.iterations = r->iterations_before = count[ITERATIONS];
  r->linear.products = count[PRODUCTS], r->linear.restarts = (int32_t)count[RESTARTS];
  r->linear.solves = count[SOLVES];
  for (int k = 0; k < N_PEAKS; ++k) {
    const int64_t *from = &count[PEAKS + k * PEAK_COUNTS];
    memcpy(&r->peak[k].value, &from[0], sizeof *from);
    memcpy(&r->peak[k].time, &from[1], sizeof *from);
    r->peak[k].place = (int32_t)from[2];
  }
}

static Status state_save(void *stepper, void *host) { return stepper_save(stepper, host); }

Status run_checkpoint(Run *run, Stepper *stepper, ResultStream *stream, double *next) {
  Checkpoint c = {.time = run->report->time,
                  .start = run->start,
                  .kind = run->state_kind,
                  .case_hash = run->report->case_hash,
                  .mesh_hash = run->report->mesh_hash,
                  .n_byte = stepper_state_bytes(stepper),
                  .version = sinew_version(),
                  .commit = sinew_commit(),
                  .case_text = run->c->text,
                  .device = run->report->device};
  progress_phase(&run->progress, PHASE_SOLVE);
  counts_save(run->report, c.count);
  TRY(run_is_root(run) ? recorder_checkpoint(result_stream_recorder(stream), &c, state_save, stepper)
                       : stepper_save(stepper, NULL));
  *next = run_next_checkpoint(run, c.time);
  progress_phase(&run->progress, PHASE_WRITE);
  return OK;
}

/* "12.5 ms", with the unit where it is known. */
static const char *time_text(const Run *run, double time, char text[64]) {
  Units units;
  units_of_case(run->c, &units);
  const char *unit = units_text(&units, UNIT_TIME);
  snprintf(text, 64, "%g%s%s", time, unit ? " " : "", unit ? unit : "");
  return text;
}

/* Rank 0 has read it; the receipt, which is of the files, stays there. */
static Status checkpoint_share(const Run *run, Checkpoint *c, bool *found) {
  Comm *comm = run->params->comm;
  Checkpoint head = *c;
  TRY(ranks_hear(run, found));
  if (!*found) return OK;
  TRY(comm_broadcast(comm, 0, &head, sizeof head));
  if (!run_is_root(run)) {
    *c = head;
    c->state = c->receipt = NULL;
    c->n_receipt = 0;
    c->version = c->commit = c->case_text = c->device = NULL;
    TRY(mem_alloc(c->n_byte, 1, "the state of a checkpoint", &c->state));
  }
  return comm_broadcast(comm, 0, c->state, c->n_byte);
}

Status run_find(Run *run, Checkpoint *c, bool *found) {
  *c = (Checkpoint){0};
  *found = false;
  if (!run->params->resume) return OK;
  TRY(run_hashes(run));
  const RunReport *now = run->report;
  TRY(ranks_agree(run, run_is_root(run) ? checkpoint_load(run->params->folder, now->case_hash, now->mesh_hash, c, found)
                                        : OK));
  if (!run_alone(run)) TRY(checkpoint_share(run, c, found));
  if (*found) run->start = c->start;
  else progress_say(&run->progress, "no checkpoint in %s: starting from the beginning", run->params->folder);
  return OK;
}

Status run_restore(Run *run, const Stepper *stepper, Checkpoint *c, Status (*restore)(void *context, const void *host),
                   void *context) {
  char at[64];
  const int64_t n_byte = stepper_state_bytes(stepper);
  CHECK(c->n_byte == n_byte, ERR_RESTART,
        "the checkpoint in %s holds %lld bytes, this run %lld: it is of another version of Sinew", run->params->folder,
        (long long)c->n_byte, (long long)n_byte);
  TRY(restore(context, c->state));
  run->report->time = c->time;
  counts_restore(c->count, run->report);
  compare_builds(c);
  run->receipt = c->receipt, run->n_receipt = c->n_receipt;
  c->receipt = NULL;
  progress_say(&run->progress, "resumed      at t = %s after %lld steps", time_text(run, c->time, at),
               (long long)run->report->steps);
  return OK;
}

Status run_take(Run *run, Checkpoint *c) {
  char at[64], end[64];
  bool found = true;
  *c = (Checkpoint){0};
  TRY(ranks_agree(
      run, run_is_root(run) ? checkpoint_take(run->params->from, run_mesh_hash(run), run->params->from_time, c) : OK));
  if (!run_alone(run)) TRY(checkpoint_share(run, c, &found));
  run->start = c->time;
  CHECK(!c->kind || c->kind == run->state_kind, ERR_RESTART,
        "the state in '%s' comes from other cells or another scheme\n  ionic models, 'reaction:' and 'scheme:' must be "
        "those "
        "of the run that it is from",
        run->params->from);
  CHECK(c->time < run->c->time.end.value, ERR_INPUT,
        "the state in '%s' is of t = %s, and the run ends at %s\n  --set time.end=%g goes on for as long again",
        run->params->from, time_text(run, c->time, at), time_text(run, run->c->time.end.value, end), 2 * c->time);
  progress_say(&run->progress, "begins       with the state of '%s' at t = %s", run->params->from,
               time_text(run, c->time, at));
  const double asked = run->params->from_time;
  if (run_is_root(run) && fabs(c->time - asked) > AT_ASKED * fabs(asked)) /* not where none was asked for: NaN */
    status_warn(
        "'%s' has no state of t = %s; the one next to it is of %s, and the run begins there\n  remedy: 'checkpoint:' "
        "under 'output:' in the case of that run, such that it has one at that time",
        run->params->from, time_text(run, asked, end), time_text(run, c->time, at));
  return OK;
}

typedef struct Start {
  Stepper *stepper;
  double *u;
} Start;

static Status start_restore(void *context, const void *host) {
  const Start *start = context;
  return stepper_restore(start->stepper, start->u, host);
}

Status run_start(Run *run, Stepper *stepper, double *u, bool *resumed) {
  Start start = {stepper, u};
  Checkpoint c;
  Status status = run_find(run, &c, resumed);
  if (status == OK)
    status = *resumed ? run_restore(run, stepper, &c, start_restore, &start) : stepper_start(stepper, u);
  checkpoint_release(&c);
  return status;
}

Status run_in_time(Run *run, Stepper *stepper, ResultStream *stream, Status (*step)(void *context), void *context) {
  RunReport *report = run->report;
  double checkpoint = run_next_checkpoint(run, report->time);
  bool told = false;
  progress_phase(&run->progress, PHASE_SETUP);
  while (!stepper_done(stepper)) {
    TRY(step(context));
    if (stepper_done(stepper) || run->rehearsed) break;
    bool asked;
    TRY(ranks_any(run, run_asked_to_stop(run), &asked));
    if (asked && stepper_is_anew(stepper)) return run_stop(run, stepper, stream);
    if (asked && !told) progress_say(&run->progress, "stopping before the next step that makes its hierarchy anew");
    told = told || asked;
    if (report->time < checkpoint * (1 - 1e-12)) continue;
    TRY(run_checkpoint(run, stepper, stream, &checkpoint));
    stepper_begin_anew(stepper);
  }
  progress_clear(&run->progress);
  progress_phase(&run->progress, PHASE_SOLVE);
  run_note_steps(run, stepper_control(stepper));
  report->seconds[PHASE_PREPARE] = report->linear.setup_seconds; /* the solver's own clock */
  report->seconds[PHASE_SOLVE] -= report->linear.setup_seconds;
  return OK;
}

void run_add_step(Run *run, const StepReport *step) {
  RunReport *report = run->report;
  linear_report_add(&report->linear, &step->linear);
  report->time = step->time;
  report->rejected += step->rejected;
  report->rebuilt += step->rebuilt;
  ++report->steps;
  progress_step(&run->progress, report->steps, step->time, run->c->time.end.value, step->linear.iterations);
}

double run_next_checkpoint(const Run *run, double time) {
  const NumberValue *every = &run->c->output.checkpoint;
  return place_given(every->place) ? every->value * (floor(time / every->value + 1e-9) + 1) : (double)INFINITY;
}

Status run_stop(Run *run, Stepper *stepper, ResultStream *stream) {
  const char *folder = run->params->folder, *again = run->params->again;
  char at[64];
  double next;
  progress_clear(&run->progress);
  TRY(run_checkpoint(run, stepper, stream, &next));
  TRY(ranks_agree(run, result_stream_finish(stream)));
  return FAIL(ERR_STOPPED, "stopped on request at t = %s after %lld steps; the state is in %s/checkpoint-1.hdf%s%s",
              time_text(run, run->report->time, at), (long long)run->report->steps, folder,
              again ? "\n  go on with: " : "", again ? again : "");
}
