/* Cells and muscle in one case: what the tables cannot say, and the cells as a case of their own. */
#include "app/electromechanics/coupled.h"
#include "app/electromechanics/pump.h"
#include "app/input/case_tables.h"
#include "app/monodomain/purkinje.h"
#include "core/memory.h"
#include "mesh/elements/halved.h"
#include "mesh/make/halve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Relative: lengths of steps that count as multiples. */
static const double SAME = 1e-9;

static CaseTissue *tissue(const Case *c, int32_t i) {
  return (CaseTissue *)maps_item(&c->tissue, sizeof(CaseTissue), i);
}

TensionDrive coupled_drive(const Case *c) {
  for (int32_t m = 0; m < c->materials.n; ++m)
    if (case_material(c, m)->active.model.text)
      return tension_type(case_material(c, m)->active.model.value)->shape.drive;
  return TENSION_BY_CALCIUM;
}

static bool is_multiple(double length, double of) {
  const double n = length / of;
  return n >= 1 - SAME && fabs(n - round(n)) <= SAME * n;
}

/* Fibres of the cells are those of the muscle, unless it has its own. */
static void take_fibers(Case *c) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    CaseMaterial *to = case_material(c, m);
    if (place_given(to->axes.place) || place_given(to->axes.fibers.place)) continue;
    for (int32_t i = 0; i < c->tissue.n; ++i) {
      if (c->tissue.n > 1 && !case_same_groups(&tissue(c, i)->on, &to->on)) continue;
      to->axes.fibers = tissue(c, i)->fibers;
      if (!place_given(to->axes.sheets.place)) to->axes.sheets = tissue(c, i)->sheets;
    }
  }
}

static bool same_place(Place a, Place b) {
  return a.line == b.line && a.column == b.column && a.option == b.option && a.file == b.file;
}

/* Lists of groups that two entries have belong to the tissue. */
void coupled_release(Case *c) {
  tensions_close(c);
  for (int32_t m = 0; m < c->materials.n; ++m) {
    CaseAxes *axes = &case_material(c, m)->axes;
    for (int32_t i = 0; i < c->tissue.n; ++i) {
      if (place_given(axes->fibers.place) && same_place(axes->fibers.place, tissue(c, i)->fibers.place))
        axes->fibers = (CaseFibers){0};
      if (place_given(axes->sheets.place) && same_place(axes->sheets.place, tissue(c, i)->sheets.place))
        axes->sheets = (CaseFibers){0};
    }
  }
  if (c->heart && c->heart->physics->release) c->heart->physics->release(c->heart);
  FREE(c->heart);
}

static void check_steps(const Case *c, Diagnostics *out) {
  const CaseTime *t = &c->time;
  const NumberValue *every = &c->output.every;
  if (!(t->step.value > 0) || !(t->cells.step.value > 0)) return; /* said already */
  if (!is_multiple(t->step.value, t->cells.step.value))
    report_error(out, t->cells.step.place,
                 "step of the cells is %g ms, and that of the body, %g ms, is not a multiple of it\n  such as: %g",
                 t->cells.step.value, t->step.value,
                 t->step.value / fmax(1, ceil(t->step.value / t->cells.step.value - SAME)));
  if (every->value > 0 && !is_multiple(every->value, t->step.value))
    report_error(out, every->place, "every is %g ms, must be a multiple of the step of the body, %g ms", every->value,
                 t->step.value);
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const NumberValue *at = &case_expect(c, i)->time;
    if (place_given(at->place) && at->value > 0 && !is_multiple(at->value, t->step.value))
      report_error(out, at->place, "time is %g ms, must be a multiple of the step of the body, %g ms", at->value,
                   t->step.value);
  }
  const NumberValue *cycle = &c->circulation.cycle;
  if (cycle->value > 0 && !is_multiple(cycle->value, t->step.value))
    report_error(
        out, cycle->place,
        "cycle is %g ms, must be a multiple of the step of the body, %g ms, where it has cells: beats end with "
        "steps",
        cycle->value, t->step.value);
  if (case_adapts(t))
    report_error(out, t->adaptive.place,
                 "steps of a body with cells have one length, and are cut where they fail\n  remedy: leave 'adaptive' "
                 "out");
}

/* The cells of the tissue that have none are named. */
static void check_calcium(const Case *c, const CaseActive *a, Diagnostics *out) {
  char list[256] = "";
  for (int i = 0; i < ionic_listed(); ++i)
    if (ionic_state(i, CALCIUM) >= 0)
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", ionic_type(i)->name);
  for (int32_t i = 0; i < c->tissue.n; ++i) {
    const CaseIonic *ionic = &tissue(c, i)->ionic;
    const int32_t kind = ionic_kind_of(ionic);
    if (kind < 0 || ionic_state(kind, CALCIUM) >= 0) continue;
    report_error(out, place_given(a->model.place) ? a->model.place : a->place,
                 "%s has no calcium '" CALCIUM "', and the tension of %s goes by it\n  allowed: %s\n  remedy: another "
                 "ionic model, or model: goektepe-kuhl, which goes by the potential",
                 ionic_type(kind)->name, a->model.text, list);
    return;
  }
}

static void check_tensions(const Case *c, Diagnostics *out) {
  const CaseActive *first = NULL;
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseActive *a = &case_material(c, m)->active;
    if (!a->model.text) continue;
    const TensionType *type = tension_type(a->model.value);
    if (first && type->shape.drive != tension_type(first->model.value)->shape.drive) {
      report_error(out, a->model.place,
                   "%s and %s in one body: one goes by calcium, the other by the potential\n  remedy: models that go "
                   "by one of them",
                   first->model.text, a->model.text);
      return;
    }
    if (!first && type->shape.drive == TENSION_BY_CALCIUM) check_calcium(c, a, out);
    if (!first) first = a;
  }
  if (!first)
    report_error(out, c->tissue.place,
                 "nothing goes by these cells: no entry of muscle has a tension with a model\n  such as: tension: "
                 "{model: land}; or leave 'tissue' out");
}

/* What the body does to its cells. */
static void check_feedback(const Case *c, Diagnostics *out) {
  Place place = c->conduction.place;
  for (int32_t i = 0; i < c->tissue.n; ++i) {
    const CaseTissue *t = tissue(c, i);
    if (!place_given(t->stretch_current.place)) continue;
    if (!c->conduction.value) place = t->stretch_current.place;
    if (!place_given(t->fibers.place))
      report_error(
          out, t->stretch_current.place,
          "stretch-current goes by the stretch of fibres, and this tissue has none\n  remedy: 'fibers' beside it");
  }
  if (c->purkinje.n && heart_deforms(c->heart))
    report_error(out, place,
                 "%s goes by where the body is, and trees are not told where they are carried to\n  remedy: leave "
                 "'purkinje' out, or this",
                 c->conduction.value ? "conduction in space" : "stretch-current");
  if (c->unload.n && heart_deforms(c->heart))
    report_error(out, place,
                 "%s goes by where the body is from its place without load, and cells have the mesh of the image where "
                 "there is 'unload'\n  remedy: leave one of the two out, or take the mesh of unloaded.h5",
                 c->conduction.value ? "conduction in space" : "stretch-current");
}

static void check_fields(const Case *c, Diagnostics *out) {
  bool any = false;
  for (int32_t i = 0; i < c->tissue.n; ++i) {
    const int32_t kind = ionic_kind_of(&tissue(c, i)->ionic);
    any = any || kind < 0 || ionic_state(kind, CALCIUM) >= 0;
  }
  if (!any && elastic_field_asked(c, elastic_cell_row() + CELL_CALCIUM))
    report_error(out, c->output.fields.place,
                 "calcium: no cell of this case has the state '" CALCIUM "'\n  remedy: "
                 "leave it out");
}

/* Whether a pulse of it begins from `from` on and before `to`. */
static bool has_pulse(const CaseStimulus *s, double from, double to) {
  if (!place_given(s->period.place)) return s->start.value >= from && s->start.value < to;
  const double k = fmax(0, ceil((from - s->start.value) / s->period.value - SAME));
  return s->start.value + k * s->period.value < to && (!place_given(s->count.place) || k < (double)s->count.value);
}

/* Numbers are those of the last whole beat, which takes a pulse of its own. */
static void warn_of_beats(const Case *c) {
  const double cycle = c->circulation.cycle.value, n = cycle > 0 ? floor(c->time.end.value / cycle * (1 + SAME)) : 0;
  char where[512];
  const char *at = place_text(c->path, c->circulation.cycle.place, where, sizeof where);
  bool any = false;
  for (int32_t i = 0; n > 1 && i < c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(c, i);
    any = any || has_pulse(s, (n - 1) * cycle, n * cycle);
    if (place_given(s->period.place) && fabs(s->period.value - cycle) > SAME * cycle)
      status_warn("%s: a beat lasts %g ms, and stimulus '%s' repeats every %g ms\n  remedy: one length for both", at,
                  cycle, s->name.text, s->period.value);
  }
  if (n > 1 && c->stimuli.n && !any)
    status_warn(
        "%s: no stimulus begins in the last of %g beats, whose volumes and pressures are the numbers of the run\n  "
        "remedy: 'period: %g' of a stimulus, or an 'end' of one beat",
        at, n, cycle);
}

static void warn_of_rest(const Case *c) {
  char where[512];
  if (c->stimuli.n) return;
  status_warn(
      "%s: there is no stimulus: cells that do not fire by themselves stay at rest, and so does the muscle\n  remedy: "
      "stimuli: [{on: GROUP, duration: 2, amplitude: 50}], ms and mV/ms",
      place_text(c->path, c->tissue.place, where, sizeof where));
}

/* The cells alone, with the steps of the body as the times that theirs end at. */
static Status make_heart(Case *c) {
  Case *heart = NULL;
  ALLOC(heart, 1, "the cells as a case");
  *heart = *c;
  heart->physics = &monodomain_physics;
  heart->materials = c->tissue;
  heart->heart = NULL;
  heart->circulation = (CaseCirculation){0};
  heart->chain = NULL;
  heart->made = NULL;
  heart->tissue = heart->boundary = heart->body = heart->equations = heart->cavities = heart->functions =
      heart->expect = (MapsValue){0};
  heart->model = heart->formulation = (WordValue){0};
  heart->solver.preconditioner = (CasePreconditioner){.type = {0, "auto", {0}}};
  heart->solver.method = (WordValue){0, "auto", {0}};
  heart->time = (CaseTime){.place = c->time.place,
                           .end = c->time.end,
                           .step = c->time.cells.step,
                           .scheme = c->time.cells.scheme,
                           .cells = c->time.cells};
  heart->single = heart->time;
  heart->output = (CaseOutput){.place = c->output.place,
                               .every = c->time.step,
                               .threshold = c->output.threshold,
                               .ecg = c->output.ecg,
                               .electrodes = c->output.electrodes,
                               .medium = c->output.medium};
  heart->output.every.place = c->time.step.place;
  c->heart = heart;
  return OK;
}

void coupled_check(Case *c, Diagnostics *out) {
  take_fibers(c);
  if (case_axisymmetric(c))
    report_error(out, c->model.place,
                 "cells around an axis are not there yet\n  remedy: 'model: 3d', or give 'calcium' in 'tension' "
                 "without 'tissue'");
  if (make_heart(c) != OK) {
    report_error(out, c->tissue.place, "%s", status_message());
    return;
  }
  c->heart->physics->check(c->heart, out);
  c->files_hash = c->heart->files_hash;
  pump_check(c, out);
  check_steps(c, out);
  check_tensions(c, out);
  check_fields(c, out);
  check_feedback(c, out);
  if (!out->n) warn_of_beats(c);
  if (!out->n) warn_of_rest(c);
}

Status coupled_mesh(const Case *c, const Mesh *mesh, NodeSources *level, Mesh **out) {
  char where[512];
  bool linear = true;
  *out = NULL;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim != mesh->dim || type->order == 1 || !mesh->block[b].n) continue;
    linear = false;
    CHECK(element_halves(type), ERR_INPUT,
          "%s: cells of a body live on its nodes, which have to be those of smaller linear elements, and the mesh has "
          "%s\n  allowed: linear elements, tet10, hex27\n  remedy: leave 'order' out, or give 'calcium' in 'tension' "
          "without 'tissue'",
          place_text(c->path, c->mesh.place, where, sizeof where), type->name);
  }
  if (!linear) TRY(mesh_halve(mesh, out));
  for (int64_t k = 0; k < c->time.cells.refine.value; ++k) {
    Mesh *next = NULL;
    TRY_CONTEXT(mesh_refine_from(*out ? *out : mesh, level ? &level[k] : NULL, &next),
                "while elements are split for the cells");
    mesh_destroy(out);
    *out = next;
  }
  if (!c->purkinje.n) return OK;
  if (!*out) TRY(mesh_elevate_to(mesh, 1, false, out)); /* one of their own: the body has no trees */
  return purkinje_add(c->heart, *out);
}
