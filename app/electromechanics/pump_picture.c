/* loops.svg of a body: pressure over volume of its cavities in the first beat and the last whole one, as the rows of loops.csv have
 * them, which a run that goes on has too. */
#include "app/electromechanics/pump.h"
#include "app/electromechanics/run_loops.h"
#include "core/memory.h"
#include "output/folder.h"

#include <stdio.h>

static const double EDGE = 1e-6; /* of a beat: rows at its ends */

static Status read_rows(const char *folder, Text *out) {
  char line[4096], *path = NULL;
  TRY(output_path(folder, "loops.csv", &path));
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) text_add(out, "%s", line);
  if (file) fclose(file);
  FREE(path);
  return out->status;
}

static void beat_add(const ElasticRun *w, const char *rows, int64_t beat, Chart *chart) {
  const Case *c = w->run->c;
  const double length = place_given(c->circulation.place) ? c->circulation.cycle.value : c->time.end.value;
  const double from = (double)beat * length, span[2] = {from - EDGE * length, from + (1 + EDGE) * length};
  for (int32_t k = 0; k < c->cavities.n; ++k) {
    char name[80];
    const int32_t cavity = case_cavity_at(c, k);
    snprintf(name, sizeof name, "%.40s, beat %lld", case_cavity(c, cavity)->name.text, (long long)beat + 1);
    chart_curve(chart, name);
    loops_curve(chart, rows, 1 + 2 * k, span);
  }
}

Status pump_picture(const ElasticRun *w) {
  const Run *run = w->run;
  const int64_t n_beat = pump_own(w)->state.n_beat;
  Chart chart = {.x_label = "volume, mL", .y_label = "pressure, kPa"};
  Text rows = {0}, picture = {0};
  char *path = NULL;
  Status status = read_rows(run->params->folder, &rows);
  if (status == OK && rows.n) {
    beat_add(w, rows.data, 0, &chart);
    if (n_beat > 1) beat_add(w, rows.data, n_beat - 1, &chart);
    chart_draw(&chart, &picture);
    status = output_path(run->params->folder, "loops.svg", &path);
    if (status == OK) status = text_save(&picture, path, false);
  }
  FREE(path);
  chart_release(&chart);
  text_release(&rows);
  text_release(&picture);
  return status;
}
