/* Material parameters and temperatures that vary in space: the case against the mesh. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/input/input_file.h"
#include "core/child.h"
#include "core/memory.h"
#include "mesh/fibers/fibers.h"
#include "output/read.h"
#include "output/text.h"
#include "physics/material.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The error of a status becomes one of the case at that place. */
static Status report_status(Status status, Place place, Diagnostics *out) {
  char text[2048];
  if (status != ERR_INPUT) return status;
  snprintf(text, sizeof text, "%s", status_message());
  report_error(out, place, "%s", text);
  return OK;
}

Status elastic_numbers(ElasticSetup *setup, int64_t n, const char *what, double **out) {
  RESIZE(setup->numbers, (int64_t)setup->n_numbers + 1, what);
  setup->numbers[setup->n_numbers] = NULL;
  ALLOC(setup->numbers[setup->n_numbers], n, what);
  *out = setup->numbers[setup->n_numbers++];
  return OK;
}

static ScalarSource source_of_field(const MeshField *field) {
  return (ScalarSource){.node = field->on_nodes ? field->value : NULL,
                        .element = field->on_nodes ? NULL : field->value};
}

static ScalarSource source_of_expr(const Expr *expr) {
  const double origin[3] = {0};
  if (!expr_is_constant(expr)) return (ScalarSource){.expr = expr};
  return (ScalarSource){.value = expr_value(expr, origin, 0)};
}

/* ---- materials ---- */

static Status bind_parameters(const Case *c, const Mesh *mesh, int32_t m, Setup *setup, Diagnostics *out) {
  ElasticSetup *own = elastic_setup(setup);
  MaterialValues *to = &own->material[m];
  MaterialVarying *varying = own->varying + m * MATERIAL_MAX_PARAMS;
  to->varying = varying;
  for (int k = 0; k < material_type(to->kind)->n_param; ++k) {
    const char *name = material_type(to->kind)->param[k].name;
    ScalarSource source;
    char what[64];
    if (!place_given(case_material(c, m)->varying[k].place)) continue;
    snprintf(what, sizeof what, "parameter %s", name);
    TRY(setup_source(c, mesh, setup, m, &case_material(c, m)->varying[k], name, what, &source, out));
    TRY(setup_where(c, case_material(c, m)->varying[k].place, setup, &source.where));
    if (k == material_parameter(to->kind, "density")) own->density[m] = source, to->density = &own->density[m];
    else varying[to->n_varying++] = (MaterialVarying){.parameter = k, .source = source};
  }
  return OK;
}

Status setup_varying(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  ALLOC(own->varying, c->materials.n * (int64_t)MATERIAL_MAX_PARAMS, "parameters of the materials");
  ALLOC(own->density, c->materials.n, "densities of the materials");
  for (int32_t m = 0; m < c->materials.n; ++m) TRY(bind_parameters(c, mesh, m, setup, diagnostics));
  return OK;
}

/* ---- temperature ---- */

/* A file of results is read in a process of its own: a damaged one can crash HDF5 or ask for any memory. */
typedef struct HeatFile {
  const char *path;
  const char *case_path; /* of the case that it is of, as that lies there now; NULL: not found */
  const char *where;     /* of the case that asks for it */
  const CaseTemperature *t;
  const Mesh *mesh;
} HeatFile;

typedef struct HeatAnswer {
  bool wrong, of_time; /* the case must change; the place is that of `time` */
  bool changed;        /* the heat case is another one now */
  char text[2048];
  double value[]; /* [mesh->n_node] */
} HeatAnswer;

/* The stored step of a time; -1 after an error. */
static int64_t step_of(const Result *result, const CaseTemperature *t, HeatAnswer *out) {
  enum { SHOWN = 5 };
  char list[SHOWN * 32 + 64] = "";
  if (!place_given(t->time.place)) return result->n_step - 1;
  for (int64_t k = 0; k < result->n_step; ++k)
    if (fabs(result->time[k] - t->time.value) <= 1e-9 * fabs(t->time.value)) return k;
  int used = 0;
  for (int64_t k = 0; k < result->n_step && k < SHOWN; ++k)
    used += snprintf(list + used, sizeof list - (size_t)used, "%s%g", k ? ", " : "", result->time[k]);
  if (result->n_step > SHOWN)
    snprintf(list + used, sizeof list - (size_t)used, " ... %g", result->time[result->n_step - 1]);
  out->wrong = out->of_time = true;
  snprintf(out->text, sizeof out->text, "'%s' has no time %g\n  stored there: %s", result->path, t->time.value, list);
  return -1;
}

/* Whether the file is of this mesh and has a temperature. */
static Status read_temperature(const Result *result, const CaseTemperature *t, const Mesh *mesh, HeatAnswer *out) {
  char hash[32] = "unknown", own[32];
  const bool known = result_provenance(result, "mesh_hash", hash, sizeof hash);
  const ResultField *field = result_field(result, "temperature", false);
  snprintf(own, sizeof own, "%016" PRIx64, mesh_hash(mesh));
  if (!field || field->n_component != 1) {
    out->wrong = true;
    snprintf(out->text, sizeof out->text, "'%s' has no temperature at nodes; it must be of a case with 'physics: heat'",
             result->path);
    return OK;
  }
  if (result->n_node != mesh->n_node || !known || strcmp(hash, own) != 0) {
    out->wrong = true;
    snprintf(out->text, sizeof out->text,
             "'%s' is of another mesh (%lld nodes, hash %s) than this case (%lld nodes, hash %s)\n  run the heat "
             "case on this mesh, with the same order, refine and scale, or give a mesh that holds the temperature "
             "as data: {field: NAME}",
             result->path, (long long)result->n_node, hash, (long long)mesh->n_node, own);
    return OK;
  }
  const int64_t step = step_of(result, t, out);
  return step < 0 ? OK : result_read(result, field, step, out->value);
}

/* What only makes a warning possible may be missing. */
static Status unless_memory(Status status) {
  if (status == ERR_MEMORY) return status;
  status_clear();
  return OK;
}

/* What a case says, as `sinew check` shows it, without what changes no temperature. False: it cannot be read. */
static Status case_says(const char *path, const char *bytes, size_t n, Text *out, bool *known) {
  static const char *const aside[] = {"title:", "output:", "expect:"};
  Case *c = NULL;
  Text all = {0};
  bool skip = false;
  Status status = case_parse(path, bytes, n, 0, NULL, &c);
  *known = status == OK;
  if (!*known) return unless_memory(status);
  case_echo(c, &all);
  case_destroy(&c);
  for (const char *line = all.data, *end; line && *line && all.status == OK; line = end) {
    end = line + strcspn(line, "\n");
    end += *end == '\n';
    if (isalpha((unsigned char)*line)) skip = false;
    for (size_t k = 0; k < sizeof aside / sizeof *aside; ++k) skip |= !strncmp(line, aside[k], strlen(aside[k]));
    if (!skip) text_add_bytes(out, line, end - line);
  }
  status = all.status == OK ? out->status : all.status;
  text_release(&all);
  return status;
}

/* Whether the case file says something else than what the result holds of it, --set arguments left out; what cannot be
 * read, as a deck, has not changed. */
static Status case_changed(const Result *result, const char *path, bool *changed) {
  enum { MOST = 16 << 20 };
  char *now = NULL, *then = NULL;
  Text says = {0}, said = {0};
  size_t n = 0;
  bool known = false;
  *changed = false;
  Status status = input_file(path, "case file", MOST, &now, &n);
  if (status == OK) status = mem_alloc(MOST, 1, "a case", (void **)&then);
  if (status == OK && result_provenance(result, "case", then, MOST))
    status = case_says(path, then, strlen(then), &said, &known);
  if (status == OK && known) status = case_says(path, now, n, &says, &known);
  if (status == OK && known) *changed = says.n != said.n || memcmp(says.data, said.data, (size_t)says.n) != 0;
  FREE(now);
  FREE(then);
  text_release(&says);
  text_release(&said);
  return unless_memory(status);
}

static Status heat_work(void *context, void *answer) {
  const HeatFile *file = context;
  Result *result = NULL;
  child_limit(RESULT_HEAD);
  Status status = result_open(file->path, &result);
  if (status == OK) child_limit((size_t)result_memory(result));
  if (status == OK) status = read_temperature(result, file->t, file->mesh, answer);
  if (status == OK && file->case_path) status = case_changed(result, file->case_path, &((HeatAnswer *)answer)->changed);
  result_close(&result);
  return status;
}

static Status read_results(const HeatFile *file, double *value, Diagnostics *out) {
  enum { SECONDS = 600 };
  const ChildParams params = {.what = file->path, .doing = "read", .broken = ERR_IO, .seconds = SECONDS};
  const size_t bytes = (size_t)file->mesh->n_node * sizeof *value;
  HeatAnswer *answer = NULL;
  TRY(mem_alloc((int64_t)(sizeof *answer + bytes), 1, "the temperature of a result", (void **)&answer));
  const Status status = child_run(&params, heat_work, (void *)(uintptr_t)file, answer, sizeof *answer + bytes);
  if (status == OK) memcpy(value, answer->value, bytes);
  if (status == OK && answer->changed)
    status_warn("%s: '%s' has changed since it was run: the temperature of '%s' is older\n  remedy: run it again",
                file->where, file->case_path, file->path);
  if (status == OK && answer->wrong)
    report_error(out, answer->of_time ? file->t->time.place : file->t->results.place, "%s", answer->text);
  FREE(answer);
  return status;
}

/* The case file of the name that the folder's report has, beside the folder; not known: it is not there. */
static Status heat_case(const char *folder, char *path, int size, bool *known) {
  static const char KEY[] = "\"case\": \"";
  char *text = NULL, name[512] = "", report[4096];
  size_t n = 0;
  const char *slash = strrchr(folder, '/');
  snprintf(report, sizeof report, "%s/report.json", folder);
  *known = false;
  const Status status = input_file(report, "report", 64 << 20, &text, &n);
  if (status != OK) return unless_memory(status);
  const char *at = strstr(text, KEY), *end = at ? strchr(at + sizeof KEY - 1, '"') : NULL;
  if (end) snprintf(name, sizeof name, "%.*s", (int)(end - at - (int)sizeof KEY + 1), at + sizeof KEY - 1);
  FREE(text);
  const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
  snprintf(path, (size_t)size, "%.*s%s", slash ? (int)(slash - folder) + 1 : 0, folder, base);
  *known = *base && access(path, R_OK) == 0;
  return OK;
}

static Status bind_results(const Case *c, const Mesh *mesh, const CaseTemperature *t, Setup *setup, ScalarSource *to,
                           Diagnostics *out) {
  ElasticSetup *own = elastic_setup(setup);
  Status status = OK;
  char *folder = NULL, path[4096], by[4096], place[512];
  double *value;
  TRY(elastic_numbers(own, mesh->n_node, "temperature", &value));
  *to = (ScalarSource){.node = value};
  TRY_DONE(case_path(c, t->results.text, &folder));
  snprintf(path, sizeof path, "%s/results.hdf", folder);
  bool known;
  TRY_DONE(heat_case(folder, by, sizeof by, &known));
  place_text(c->path, t->results.place, place, sizeof place);
  status = read_results(&(HeatFile){path, known ? by : NULL, place, t, mesh}, value, out);
  if (status == ERR_IO) {
    char text[2048];
    snprintf(text, sizeof text, "%s", status_message());
    report_error(out, t->results.place, "%s\n  results must name the folder of a heat run", text);
    status = OK;
  }
done:
  FREE(folder);
  return status;
}

/* A temperature of 0 is one as it may be, and a rise from 0 as well. */
static void warn_of_reference(const Case *c, const CaseThermal *thermal) {
  const ExprValue *value = &thermal->temperature.value;
  const double origin[3] = {0};
  char place[512];
  if (place_given(thermal->reference.place) || (c->steps.n && thermal != case_first_thermal(c))) return;
  if (place_given(value->place) && expr_is_constant(&value->expr) && expr_value(&value->expr, origin, 0) == 0) return;
  status_warn(
      "%s: thermal has no 'reference', so the body is free of stress at the temperature 0\n  remedy: 'reference' with "
      "the temperature at which it is, 0 where temperatures are rises from it",
      place_text(c->path, thermal->place, place, sizeof place));
}

/* What it is above the reference. */
static Status bind_temperature(const Case *c, const Mesh *mesh, const CaseThermal *thermal, Setup *setup,
                               ScalarSource *to, Diagnostics *diagnostics) {
  const CaseTemperature *t = &thermal->temperature;
  if (!elasticity_expands(&elastic_setup(setup)->params)) {
    report_error(
        diagnostics, thermal->place,
        "no material expands or is given at several temperatures, so the temperature does nothing: give 'expansion' "
        "to one of them");
    return OK;
  }
  if (t->results.text) TRY(bind_results(c, mesh, t, setup, to, diagnostics));
  if (t->field.text) {
    const MeshField *field;
    const Status status = fiber_field(mesh, t->field.text, 1, "temperature", &field);
    if (status != OK) return report_status(status, t->field.place, diagnostics);
    *to = source_of_field(field);
  }
  if (place_given(t->value.place)) *to = source_of_expr(&t->value.expr);
  warn_of_reference(c, thermal);
  TRY(setup_where(c, thermal->place, setup, &to->where));
  to->value -= c->steps.n ? case_first_thermal(c)->reference.value : thermal->reference.value;
  return OK;
}

static bool heats(const ScalarSource *source) { return scalar_source_varies(source) || source->value != 0; }

/* Those of a chain. What is said of the whole is one of them that heats the body, if any does. */
static Status bind_steps(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  ALLOC(own->heat, c->chain->n_heat, "temperatures of steps");
  own->n_heat = c->chain->n_heat;
  for (int32_t k = 0; k < own->n_heat; ++k) {
    const CaseHeat *heat = &c->chain->heat[k];
    own->heat[k].window = heat->window;
    TRY(bind_temperature(c, mesh, heat->thermal, setup, &own->heat[k].source, diagnostics));
    if (k == 0 || !heats(&own->temperature)) own->temperature = own->heat[k].source;
  }
  return OK;
}

/* Tables of materials become those above the reference. */
static void bind_tables(const Case *c, const ElasticSetup *own, Diagnostics *out) {
  const CaseThermal *first = case_first_thermal(c);
  for (int32_t m = 0; m < c->materials.n; ++m) {
    MaterialValues *of = &own->material[m];
    if (material_over_temperature(of->kind, of->value) && !first)
      report_error(
          out, case_material(c, m)->place,
          "a parameter is given at several temperatures, and the body has none\n  remedy: thermal: {reference: "
          "..., temperature: ...}, or one table alone");
    material_from_reference(of->kind, first ? first->reference.value : 0, of->value);
  }
}

Status setup_thermal(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  bool heated = case_first_thermal(c) != NULL;
  if (diagnostics->n) return OK;
  bind_tables(c, own, diagnostics);
  if (c->chain && c->chain->n_heat) TRY(bind_steps(c, mesh, setup, diagnostics));
  else if (heated) TRY(bind_temperature(c, mesh, &c->thermal, setup, &own->temperature, diagnostics));
  for (int32_t i = 0; i < c->load_cases.n; ++i) {
    const CaseThermal *thermal = &case_load_case(c, i)->thermal;
    if (!place_given(thermal->place)) continue;
    TRY(bind_temperature(c, mesh, thermal, setup, &own->act[i].temperature, diagnostics));
    own->act[i].heated = heated = true;
  }
  if (heated) own->params.temperature = &own->temperature;
  own->params.heat_in_steps = heated && elastic_has(c, HAS_LOAD_STEPS | ANALYSIS_NEWTON_MOTION);
  return OK;
}
