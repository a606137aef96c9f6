/* Models of tension from files: `tension: {file: stress.model}`. Each entry reads its own, since constants may differ. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "app/input/cell_settings.h"
#include "core/memory.h"
#include "physics/import/tension_file.h"

static Status tension_read(Case *c, CaseActive *a) {
  CellSetting *setting = NULL;
  char *path = NULL;
  Status status = case_path(c, a->file.text, &path);
  int kind = -1;
  if (status == OK) status = case_cell_settings(&a->parameters, &setting);
  const TensionFile file = {.path = path,
                            .n_setting = a->parameters.n,
                            .setting = setting,
                            .drive = a->variable[0].text,
                            .stretch = a->variable[1].text,
                            .rate = a->variable[2].text,
                            .tension = a->variable[3].text,
                            .units = place_given(a->units.place) ? UNITS_CHECK + a->units.value : UNITS_BY_FORMAT};
  if (status == OK) status = tension_open(&file, &kind);
  if (status == OK) {
    const uint64_t hash = tension_hash(kind);
    case_note(c, &hash, sizeof hash);
    a->imported = kind;
    a->model = (WordValue){.text = tension_type(kind)->name, .value = kind, .place = a->file.place};
  }
  FREE(setting);
  FREE(path);
  return status;
}

/* What is of a file alone. */
static void check_without(const CaseActive *a, Diagnostics *out) {
  const struct Part {
    const char *name;
    Place place;
  } part[] = {{"parameters", a->parameters.place},      {"units", a->units.place},
              {"drive-variable", a->variable[0].place}, {"stretch-variable", a->variable[1].place},
              {"rate-variable", a->variable[2].place},  {"tension-variable", a->variable[3].place}};
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k)
    if (place_given(part[k].place))
      report_error(
          out, part[k].place,
          "%s is of a model of tension from a file, and there is no 'file'; parameters of others are keys of their "
          "own\n  remedy: leave it out",
          part[k].name);
}

static void tension_one(Case *c, CaseActive *a, Diagnostics *out) {
  if (!place_given(a->file.place)) {
    check_without(a, out);
    return;
  }
  if (place_given(a->model.place) || place_given(a->tension.place)) {
    report_error(out, a->file.place, "file and %s are both given; leave one of them out",
                 place_given(a->model.place) ? "model" : "a tension");
    return;
  }
  if (place_given(a->preset.place)) {
    report_error(out, a->preset.place,
                 "a model of tension from a file has no presets; set its constants with 'parameters:'");
    return;
  }
  const Status status = a->file.text ? tension_read(c, a) : OK;
  if (status == ERR_MEMORY) out->broken = status;
  else if (status != OK) report_error(out, a->file.place, "%s", status_message());
}

void tensions_read(Case *c, Diagnostics *out) {
  for (int32_t m = 0; m < c->materials.n; ++m)
    if (place_given(case_material(c, m)->active.place)) tension_one(c, &case_material(c, m)->active, out);
}

void tensions_close(Case *c) {
  for (int32_t m = 0; c->materials.item && m < c->materials.n; ++m) {
    CaseActive *a = &case_material(c, m)->active;
    if (a->imported) tension_close(a->imported);
    a->imported = 0;
  }
}
