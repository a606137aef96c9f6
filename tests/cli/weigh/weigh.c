/* A physics that the program does not have: weighs groups of a body, from the density of each material. promises.sh
 * adds it as docs/adding.md says: this folder, and a line in app/input/physics.def. */
#include "app/input/case_tables.h"
#include "app/run/result_stream.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

typedef struct WeighMaterial {
  Place place;
  NamesValue on;
  NumberValue density;
} WeighMaterial;

typedef struct Work {
  Run *run;
  Setup setup;
  ResultStream *stream;
} Work;

static const Key material_keys[] = {
    {"on", VALUE_NAMES, true, AT(WeighMaterial, on), .meaning = "group or list of groups of elements"},
    {"density", VALUE_NUMBER, true, AT(WeighMaterial, density), .open_min = true, .max = INFINITY,
     .meaning = "mass per volume"}};
static const Schema material_schema = {
    .what = "a material", .n = COUNT(material_keys), .key = material_keys, .size = sizeof(WeighMaterial)};
static const Word sum_words[] = {{"mass", false}, {NULL, false}},
                  quantity_words[] = {{"unknowns", false}, {NULL, false}};
static const Key sum_keys[] = {{"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "its column"},
                               {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group of elements"},
                               {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words, .meaning = "mass"}};
static const Schema sum_schema = {.what = "a sum", .n = COUNT(sum_keys), .key = sum_keys, .size = sizeof(CaseSum)};
static const Key output_keys[] = {
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &sum_schema, .meaning = "masses of groups"}};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};
static const Key expect_keys[] = {CASE_EXPECT_KEYS(quantity_words)};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};
static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &material_schema, .meaning = "a list"},
    CASE_SOLVER_KEY,
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
static const Schema case_schema = {.what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case)};

static void weigh_own_release(void *own) { (void)own; }

Status setup_weigh(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  TRY(setup_take_own(setup, sizeof(double), weigh_own_release));
  return setup_regions(c, mesh, setup, diagnostics);
}

/* Of a group that is of one material. */
static Status weigh_columns(void *context, const StreamMoment *m, double *value) {
  (void)m;
  const Work *w = context;
  const Case *c = w->run->c;
  const WeighMaterial *material = c->materials.item;
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const Group *on = w->setup.sum[i];
    TRY(mesh_group_measure(w->run->mesh, on, &value[i]));
    value[i] *= material[w->setup.element_material[on->element[0]]].density.value;
  }
  return OK;
}

static Status weigh_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  static const char *const history[] = {"time"};
  const StreamParams params = {.n_step = 1, .n_history = 1, .history = history, .context = w, .columns = weigh_columns};
  TRY(run_begin(run, &w->setup));
  run_guard(run, 1);
  TRY(result_stream_create(run, &w->setup, &params, &w->stream));
  TRY(result_stream_store(w->stream, 0));
  run->report->converged = true;
  return OK;
}

static Status weigh_release(void *work) {
  Work *w = work;
  const Status status = result_stream_close(&w->stream);
  setup_release(&w->setup);
  return status;
}

Status run_weigh(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, weigh_pipeline, weigh_release);
}

static Status weigh_inspect(Inspection *inspection) {
  if (!inspection->quiet) printf("# weigh\nmaterials: %d\n\n", inspection->c->materials.n);
  return OK;
}

static const char *weigh_unit(const Case *c, const Units *units, int32_t i) {
  (void)c, (void)i;
  return units_text(units, UNIT_MASS);
}

static void weigh_check(Case *c, Diagnostics *diagnostics) { (void)c, (void)diagnostics; }

const Physics weigh_physics = {.name = "weigh",
                               .region = "material",
                               .regions = "materials",
                               .schema = &case_schema,
                               .check = weigh_check,
                               .n_component = 1,
                               .bind = setup_weigh,
                               .cell_sums = 1,
                               .step_unit = UNIT_TIME,
                               .column_unit = weigh_unit,
                               .inspect = weigh_inspect,
                               .run = run_weigh};
