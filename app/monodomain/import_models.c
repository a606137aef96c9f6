/* Cell models from files: `ionic: {file: cell.cellml}`. Each entry of the tissue reads its own, since constants may differ. */
#include "app/monodomain/case_monodomain.h"
#include "app/input/case_tables.h"
#include "app/input/cell_settings.h"
#include "core/memory.h"
#include "physics/import/imported.h"

#include <math.h>
#include <string.h>

int32_t ionic_kind_of(const CaseIonic *ionic) {
  if (ionic->imported) return ionic->imported;
  if (!ionic->model.text) return -1;
  const int32_t in_float = ionic->gates.value == 1 ? ionic_in_float(ionic->model.value) : -1;
  return in_float >= 0 ? in_float : ionic->model.value; /* none: check_gates */
}

/* Does an entry before name the same file? */
static bool read_before(const Case *c, const CaseIonic *ionic) {
  for (int32_t i = 0; i < heart_ionics(c) && heart_ionic(c, i) != ionic; ++i)
    if (heart_ionic(c, i)->file.text && !strcmp(heart_ionic(c, i)->file.text, ionic->file.text)) return true;
  return false;
}

static Status import_read(Case *c, CaseIonic *ionic) {
  CellSetting *setting = NULL;
  char *path = NULL;
  int kind = -1;
  Status status = case_path(c, ionic->file.text, &path);
  if (status == OK) status = case_cell_settings(&ionic->parameters, &setting);
  const ImportParams params = {.path = path,
                               .n_setting = ionic->parameters.n,
                               .setting = setting,
                               .potential = ionic->potential.text,
                               .stimulus = ionic->stimulus.text,
                               .units =
                                   place_given(ionic->units.place) ? UNITS_CHECK + ionic->units.value : UNITS_BY_FORMAT,
                               .again = read_before(c, ionic)};
  if (status == OK) status = imported_open(&params, &kind);
  if (status == OK) {
    const uint64_t hash = imported_hash(kind);
    case_note(c, &hash, sizeof hash);
    ionic->imported = kind;
  }
  FREE(setting);
  FREE(path);
  return status;
}

static void import_one(Case *c, CaseIonic *ionic, Diagnostics *out) {
  const bool file = place_given(ionic->file.place);
  if (!file && !place_given(ionic->model.place) && place_given(ionic->place) && !error_reported_at(out, ionic->place))
    report_error(
        out, ionic->place,
        "ionic needs the key 'model' (see 'sinew list ionic') or 'file': a cell model to read (.mmt, .cellml, .model)");
  if (file && place_given(ionic->model.place))
    report_error(out, ionic->file.place, "file and model are both given; leave one of them out");
  if (file && place_given(ionic->preset.place))
    report_error(out, ionic->preset.place,
                 "a cell model from a file has no presets; set its constants with 'parameters:'");
  if (!file && place_given(ionic->parameters.place))
    report_error(out, ionic->parameters.place,
                 "parameters are those of a file; of a built-in model they are keys of 'ionic:' themselves");
  if (!file && place_given(ionic->units.place)) report_error(out, ionic->units.place, "units are those of a file");
  const TextValue *const named[] = {&ionic->potential, &ionic->stimulus};
  for (int k = 0; k < 2 && !file; ++k)
    if (place_given(named[k]->place))
      report_error(out, named[k]->place, "%s names a variable of a file; a built-in model has its own",
                   k ? "stimulus" : "potential");
  if (!ionic->file.text || ionic->model.text) return;
  const Status status = import_read(c, ionic);
  if (status == ERR_MEMORY) out->broken = status;
  else if (status != OK) report_error(out, ionic->file.place, "%s", status_message());
}

void import_models(Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < heart_ionics(c); ++i) import_one(c, heart_ionic(c, i), out);
}

void monodomain_release(Case *c) {
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    if (!(i < c->materials.n ? c->materials.item : c->purkinje.item)) continue;
    CaseIonic *ionic = heart_ionic(c, i);
    if (ionic->imported) imported_close(ionic->imported);
    ionic->imported = 0;
  }
  if (c->torso.item == c->bath.item) c->torso = (MapsValue){0};
}
