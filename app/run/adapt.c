#include "app/run/adapt.h"
#include "app/input/case_tables.h"
#include "app/run/ranks.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/percent.h"
#include "mesh/sizes.h"
#include "output/folder.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Sizes for the next pass. As long as they are there, the result in the folder is that of a pass which may not be the last. */
static const char SIZES[] = "adapting.pos";

Status adapt_add(Run *run, int64_t n, const double *share, const double *square) {
  Adapt *a = run->params->adapt;
  double error = 0, whole = 0;
  if (!a->part) {
    ALLOC(a->part, n, "errors of elements");
    a->pass[a->n] = (RunPass){.probe = (double)NAN, .change = (double)NAN};
    a->goal = a->bound = (double)NAN;
  }
  for (int64_t i = 0; i < n; ++i) error += share[i], whole += square[i];
  if (!(error >= 0 && error + whole > 0)) return OK;
  for (int64_t i = 0; i < n; ++i) a->part[i] += share[i] / (error + whole);
  a->pass[a->n].error = fmax(a->pass[a->n].error, sqrt(error / (error + whole)));
  return OK;
}

bool adapt_wants_goal(const Run *run, int32_t *probe) {
  const Case *c = run->c;
  if (!run->params->adapt || run->rehearsed || run->share || !c->adapt.probe.text) return false;
  for (*probe = 0; *probe < c->output.probes.n; ++*probe)
    if (case_probe(c, *probe)->name.text && strcmp(case_probe(c, *probe)->name.text, c->adapt.probe.text) == 0)
      return true;
  return false;
}

void adapt_add_goal(Run *run, int64_t n, const AdaptGoal *of) {
  Adapt *a = run->params->adapt;
  a->goal = a->bound = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double dual = fmax(0, (of->plus[i] + of->minus[i]) / 2 - of->share[i]);
    a->part[i] = sqrt(of->share[i] * dual) / of->scale;
    a->bound += a->part[i];
    a->goal += (of->plus[i] - of->minus[i]) / (4 * of->scale);
  }
}

uint64_t adapt_mesh_hash(const Run *run) {
  Adapt *a = run->params->adapt;
  if (!a->first_mesh) a->first_mesh = mesh_hash(run->mesh);
  return a->first_mesh;
}

bool adapt_goes_on(const Run *run) { return run->params->adapt && run->params->adapt->n > 0; }

static void see_extremes(const Extremes *e, RunPass *pass) {
  for (int i = 0; i < e->n; ++i)
    if (e->item[i].kind == UNIT_STRESS && e->item[i].value > pass->most) pass->most = e->item[i].value;
}

/* The value of the probe that is asked for, in the end. */
static double probe_value(const Case *c, const RunReport *report) {
  for (int32_t i = 0; c->adapt.probe.text && i < report->columns.n; ++i)
    if (strcmp(report->columns.name[i], c->adapt.probe.text) == 0) return report->columns.value[i];
  return (double)NAN;
}

/* A share of nothing cannot be asked for. A displacement or temperature that is 0 but for rounding is known by the largest there is. */
static Status probe_check(const Run *run, const Adapt *a, double value) {
  static const double ROUNDING = 1e-12;
  const Extremes *e = &run->report->extremes;
  const CaseAdapt *asked = &run->c->adapt;
  const double largest = isfinite(a->bound) && e->n > 0 ? fabs(e->item[0].value) : 0;
  char where[1024];
  if (!asked->probe.text || fabs(value) > ROUNDING * largest || isnan(value)) return OK;
  return FAIL(ERR_INPUT,
              "%s: probe '%s' is %.3g, and 'rtol' is a share of it\n  remedy: a probe where something is left, or "
              "'energy: 0.02' in place of 'probe' and 'rtol'",
              place_text(run->c->path, asked->probe.place, where, sizeof where), asked->probe.text, value);
}

/* What probes and sums have at the end, beside those of the passes before; all of them for the report. */
static Status keep_values(RunReport *report, Adapt *a) {
  const int64_t n = report->columns.n, before = a->n * n;
  TRY(mem_resize(before + n, sizeof *a->value, "values of a pass", (void **)&a->value));
  ALLOC(report->pass_value, before + n, "values of the passes");
  if (n) memcpy(a->value + before, report->columns.value, (size_t)n * sizeof *a->value);
  if (n) memcpy(report->pass_value, a->value, (size_t)(before + n) * sizeof *a->value);
  return OK;
}

static void pass_fill(Run *run, Adapt *a) {
  const RunReport *report = run->report;
  RunPass *pass = &a->pass[a->n];
  const double before = a->n ? a->pass[a->n - 1].probe : (double)NAN;
  pass->unknowns = report->unknowns, pass->elements = report->n_element;
  see_extremes(&report->extremes, pass);
  for (int32_t i = 0; i < report->n_load_case; ++i) see_extremes(&report->load_case[i].extremes, pass);
  pass->probe = probe_value(run->c, report);
  if (report->extremes.has_error) pass->error = fmax(pass->error, report->extremes.error.value); /* by the surface */
  if (pass->probe != 0) pass->change = fabs(pass->probe - before) / fabs(pass->probe);
  pass->probe_error = a->goal / fabs(pass->probe), pass->probe_bound = a->bound / fabs(pass->probe);
  for (int32_t i = 0; isfinite(pass->probe_bound) && i < report->n_element; ++i) a->part[i] /= fabs(pass->probe);
  pass->seconds = clock_seconds() - a->began;
}

/* Of the probe: by the dual solution where there is one, else how far it came from the last pass. */
static double probe_error(const RunPass *pass) {
  return isfinite(pass->probe_bound) ? pass->probe_bound : pass->change;
}

/* Whether the last pass is as good as asked for. */
static bool is_reached(const CaseAdapt *asked, const RunPass *pass) {
  return asked->probe.text ? probe_error(pass) <= asked->rtol.value : pass->error <= asked->energy.value;
}

/* What the next mesh is to have: a probe follows the square of the error. */
static double next_error(const CaseAdapt *asked, const Adapt *a) {
  static const double SAFE = 0.9, THIRD = 1.0 / 3, STANDS = 0.7;
  const RunPass *pass = &a->pass[a->n - 1];
  const bool dual = isfinite(pass->probe_bound); /* its parts are products of two errors */
  if (asked->probe.text && !dual) return THIRD * pass->error;
  const double now = dual ? sqrt(pass->probe_bound) : pass->error;
  const double before = a->n == 1 ? (double)INFINITY : dual ? sqrt(pass[-1].probe_bound) : pass[-1].error;
  if (now > STANDS * before) return STANDS * a->aim; /* Gmsh's elements are somewhat larger than asked for */
  return dual ? sqrt(SAFE * asked->rtol.value) : SAFE * asked->energy.value;
}

static void say_pass(const Run *run, const Adapt *a, const RunPass *pass) {
  char unknowns[32], elements[32], error[32], share[32], probe[200] = "";
  if (!isnan(pass->probe)) snprintf(probe, sizeof probe, ", %s %.6g", run->c->adapt.probe.text, pass->probe);
  if (isfinite(pass->probe_error))
    snprintf(probe + strlen(probe), sizeof probe - strlen(probe), " (error about %s)",
             percent_text(fabs(pass->probe_error), share));
  progress_say(&run->progress, "pass %-7d %s unknowns, %s elements, error about %s in the energy norm%s", a->n,
               count_text(pass->unknowns, unknowns), count_text(pass->elements, elements),
               percent_text(pass->error, error), probe);
}

static void warn_of_rest(const Case *c, const Adapt *a) {
  const CaseAdapt *asked = &c->adapt;
  const RunPass *pass = &a->pass[a->n - 1];
  char error[32], wanted[32];
  const double got = asked->probe.text ? probe_error(pass) : pass->error;
  if (isnan(got)) snprintf(error, sizeof error, "not known");
  else percent_text(got, error);
  percent_text(asked->probe.text ? asked->rtol.value : asked->energy.value, wanted);
  if (strcmp(error, wanted) == 0) snprintf(error, sizeof error, "%.4g %%", 100 * got); /* just above it */
  status_warn(
      "%s: after %d passes and %d elements %s is %s, and %s is asked for\n  remedy: a larger '%s' under 'adapt:'",
      c->path, a->n, (int)pass->elements,
      isfinite(pass->probe_bound) ? "the estimated error of the probe"
      : asked->probe.text         ? "the change of the probe from the last pass"
                                  : "the estimated error in the energy norm",
      error, wanted, a->full ? "most" : "passes");
}

Status adapt_end(Run *run) {
  static const double FULL = 0.7;
  Adapt *a = run->params->adapt;
  const CaseAdapt *asked = &run->c->adapt;
  if (!a || !a->part) return OK;
  pass_fill(run, a);
  TRY(keep_values(run->report, a));
  const RunPass *pass = &a->pass[a->n++];
  TRY(probe_check(run, a, pass->probe));
  a->reached = is_reached(asked, pass);
  a->full = pass->elements >= FULL * asked->most.value;
  a->last = a->reached || a->full || a->n >= asked->passes.value;
  ALLOC(run->report->pass, a->n, "passes");
  memcpy(run->report->pass, a->pass, (size_t)a->n * sizeof *a->pass);
  run->report->n_pass = a->n;
  a->aim = next_error(asked, a);
  const MeshSizesParams sizes = {a->aim, asked->most.value, run->c->mesh.scale.value};
  (void)unlink(a->sizes); /* which would be written through, where it is a link */
  const Status status = a->last ? OK : mesh_sizes_write(run->mesh, a->part, &sizes, a->sizes);
  FREE(a->part);
  say_pass(run, a, pass);
  if (!(pass->error > 0))
    status_warn(
        "%s: nothing is left at the end that 'adapt' could go by: no stress, no flux; the mesh stays as it is\n  "
        "remedy: let the steps end under load",
        run->c->path);
  if (a->last && !a->reached) warn_of_rest(run->c, a);
  warnings_print();
  return status;
}

static Status passes_run(const Case *c, RunParams *own, RunReport *report,
                         Status (*run_once)(const Case *, const RunParams *, RunReport *)) {
  Adapt *a = own->adapt;
  if (own->resume && access(a->sizes, F_OK) == 0) own->resume = false, own->overwrite = true;
  for (;;) {
    const int before = a->n;
    a->began = clock_seconds();
    const Status status = run_once(c, own, report);
    FREE(a->part);
    TRY(status);
    if (a->n == before || a->last) return OK; /* a finished result that is resumed is no pass */
    own->overwrite = true, own->resume = false, own->sizes = a->sizes, own->begin = 0;
    report_release(report);
  }
}

Status adapt_case(const Case *c, const RunParams *params, RunReport *report,
                  Status (*run_once)(const Case *, const RunParams *, RunReport *)) {
  RunParams own = *params;
  char *sizes = NULL;
  Adapt *a = NULL;
  TRY(output_path(params->folder, SIZES, &sizes));
  Status status = mem_alloc(1, sizeof *a, "passes", (void **)&a);
  if (status == OK) {
    a->sizes = sizes;
    own.adapt = a;
    status = passes_run(c, &own, report, run_once);
  }
  if (a) FREE(a->value);
  FREE(a);
  FREE(sizes);
  return status;
}
