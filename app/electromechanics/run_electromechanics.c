/* The circulation alone, from a case to files: beats until they repeat, or as long as is asked for. */
#include "app/electromechanics/run_loops.h"
#include "app/run/run.h"
#include "core/memory.h"
#include "output/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double ROUND_OFF = 1e-9; /* of counts of steps */

/* The folder, which is this run's from now on. What lies there stays unless it may be replaced. */
static Status open_folder(Run *run) {
  const RunParams *p = run->params;
  char *path = NULL;
  TRY(output_folder_check(p->folder, p->overwrite, p->resume));
  TRY(output_path(p->folder, "loops.csv", &path));
  const bool there = access(path, F_OK) == 0;
  Status status = OK;
  if (there && !p->overwrite && !p->resume)
    status = FAIL(ERR_RESTART, "there is a result already: '%s'; use --overwrite or another --output", path);
  FREE(path);
  TRY(status);
  if (p->resume) progress_say(&run->progress, "no checkpoint of a circulation is kept; starting from the beginning");
  return output_folder_open(p->folder, &run->folder);
}

/* A beat takes a tenth of a second: requests to stop wait for its end, and leave nothing. */
static Status one_beat(Run *run, Loops *k, int64_t steps) {
  TRY(loops_beat(k, steps));
  progress_live(&run->progress, "beat %lld, change %.2g", (long long)k->n_beat, k->change);
  const bool stop = run_asked_to_stop(run);
  if (!stop) run_guard(run, 0);
  CHECK(!stop, ERR_STOPPED, "stopped after %lld beats; nothing is stored before the last one", (long long)k->n_beat);
  return OK;
}

/* Beats until no volume changes any more, at most as many as `begin` says. */
static Status beats_repeat(Run *run, Loops *k) {
  const CaseBegin *begin = &run->c->circulation.begin;
  do {
    TRY(one_beat(run, k, k->per_beat));
  } while (k->change > begin->tolerance.value && k->n_beat < begin->beats.value);
  progress_clear(&run->progress);
  if (k->change > begin->tolerance.value)
    status_warn(
        "beats do not repeat after %lld of them: volumes still change by %.2g, and 'tolerance' is %g\n  remedy: "
        "more 'beats' or a larger 'tolerance' under 'begin:' of 'circulation:'",
        (long long)k->n_beat, k->change, begin->tolerance.value);
  else
    progress_say(&run->progress, "periodic     after %lld beats: volumes change by %.2g", (long long)k->n_beat,
                 k->change);
  return OK;
}

static Status beats_until(Run *run, Loops *k, double end) {
  int64_t left = (int64_t)ceil(end / k->step * (1 - ROUND_OFF));
  for (int64_t steps; left > 0; left -= steps) {
    steps = left < k->per_beat ? left : k->per_beat;
    TRY(one_beat(run, k, steps));
  }
  progress_clear(&run->progress);
  return OK;
}

static Status columns_fill(const Loops *k, RunReport *report) {
  Columns *columns = &report->columns;
  const int32_t n = k->n_chamber * N_LOOP_QUANTITIES;
  ALLOC(columns->name, n, "names of columns");
  ALLOC(columns->value, n, "columns");
  for (; columns->n < n; ++columns->n) {
    const int32_t m = columns->n / N_LOOP_QUANTITIES, q = columns->n % N_LOOP_QUANTITIES;
    snprintf(columns->name[columns->n], COLUMN_BYTES, "%s-%s", k->circuit.node[k->chamber[m]].name, loop_type[q].word);
    columns->value[columns->n] = k->beat[m].value[q];
  }
  return OK;
}

/* Chambers that eject into vessels, as atria do not, in a whole beat. */
static void tell_chambers(const Case *c, const Loops *k) {
  const double beats = k->state.t / k->circuit.cycle;
  char where[512];
  if (beats < 0.5 || fabs(beats - round(beats)) > ROUND_OFF * beats) return;
  for (int32_t m = 0; m < k->n_chamber; ++m) {
    const int32_t out = circuit_outflow(&k->circuit, k->chamber[m]);
    if (out < 0 || k->circuit.node[k->circuit.branch[out].to].kind == CIRCUIT_CHAMBER) continue;
    beat_doubt(&k->beat[m], place_text(c->path, c->circulation.place, where, sizeof where),
               k->circuit.node[k->chamber[m]].name);
  }
}

static Status beats_of_case(Run *run, Loops *k) {
  const double end = run->c->time.end.value;
  TRY(open_folder(run));
  warnings_print();
  run->solving = true;
  TRY(end > 0 ? beats_until(run, k, end) : beats_repeat(run, k));
  tell_chambers(run->c, k);
  progress_phase(&run->progress, PHASE_SOLVE);
  run->report->steps = k->state.steps;
  run->report->time = k->state.t;
  run->report->unknowns = k->circuit.n_node + k->circuit.n_branch;
  run->report->converged = true;
  snprintf(run->report->device, sizeof run->report->device, "the host");
  return columns_fill(k, run->report);
}

Status run_electromechanics(Run *run) {
  Loops loops;
  loops_start(run->c, &loops);
  Status status = beats_of_case(run, &loops);
  if (status == OK) {
    run_guard(run, 1);
    status = loops_save(&loops, run->params->folder);
    progress_phase(&run->progress, PHASE_WRITE);
    run->report->host_peak = mem_peak();
    run->report->total = run->progress.phase_start - run->progress.start;
    if (status == OK) status = report_save(run->report, run->c, run->params->folder, NULL);
    run_guard(run, 0);
  }
  loops_release(&loops);
  return status;
}
