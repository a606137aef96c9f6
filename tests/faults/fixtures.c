/* Cases that are small, so that a run takes some ten milliseconds, and that leave every kind of file. */
#include "tests/faults/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* %s: what makes the other one. */
static const struct {
  const char *name, *text, *value, *other;
} models[N_MODEL] = {
    [HEART] = {"heart",
               "version: 1\nmesh: {grid: [11, 3], size: [5, 1]}\nphysics: monodomain\n"
               "tissue: [{on: body, ionic: {model: aliev-panfilov, preset: goktepe-kuhl}, diffusivity: 0.5}]\n"
               "stimuli: [{name: left, on: {box: {min: [0, 0], max: [2, 1]}}, start: 0, duration: 2, amplitude: %s}]\n"
               "time: {end: 20, step: 0.5, scheme: bdf2}\n"
               "output: {every: 2, fields: [potential, recovery], maps: [activation, apd], checkpoint: 4,\n"
               "  probes: [{name: near, at: [1, 0.5]}, {name: far, at: [4, 0.5], field: activation}]}\n",
               "50", "70"},
    [PLATE] = {"plate",
               "version: 1\nmesh: {grid: [9, 3], size: [4, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
               "materials: [{on: body, young: %s, poisson: 0.3, thickness: 1}]\n"
               "boundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
               "output: {fields: [displacement, stress, von-mises, reaction], probes: [{name: tip, at: [4, 0.5], "
               "field: displacement-x}],\n"
               "  sums: [{name: left, on: x0, field: reaction}]}\n",
               "1000", "500"},
    [HEAT] = {
        "heat",
        "version: 1\nmesh: {grid: [9, 9]}\nphysics: heat\nmaterials: [{on: body, conductivity: %s, capacity: 4}]\n"
        "boundary: [{on: [x0, x1, y0, y1], temperature: 0}]\ninitial: sin(pi*x)*sin(pi*y)\n"
        "time: {end: 0.1, step: 0.01, scheme: bdf2}\n"
        "output: {every: 0.02, checkpoint: 0.03, probes: [{name: middle, at: [0.5, 0.5]}]}\n",
        "2", "3"}};

const char *model_name(Model model) { return models[model].name; }

static const char *file_of(Model model, bool other, const char *ending) {
  static char name[4][64];
  static int next;
  char *out = name[next++ % 4];
  snprintf(out, sizeof *name, "%s%s%s", other ? "other-" : "", models[model].name, ending);
  return out;
}

Ended fixture_run(const Campaign *c, Model model, bool other, const char *output, const char *option,
                  const char *const *settings) {
  const char *words[] = {"run",      file_of(model, other, ".yaml"),
                         "--output", output,
                         "--quiet",  "--backend",
                         "cpu",      "--threads",
                         "1",        option,
                         NULL};
  return program_run(c->program, c->folder, words, settings);
}

static void make_one(const Campaign *c, Model model, bool other) {
  char text[2048];
  snprintf(text, sizeof text, models[model].text, other ? models[model].other : models[model].value);
  file_write(path_in(c->folder, file_of(model, other, ".yaml")), text, strlen(text));
  const Ended ended = fixture_run(c, model, other, path_in(c->folder, file_of(model, other, "")), NULL, NULL);
  if (ended.code != 0) give_up("'%s' without any fault: exit code %d\n%s", models[model].name, ended.code, ended.said);
}

void fixture_make(const Campaign *c, Model model) {
  if (file_there(path_in(c->folder, file_of(model, true, "")))) return;
  make_one(c, model, false);
  make_one(c, model, true);
}

/* The number of the operation on which the log has `name` for the nth time. */
static int64_t find_operation(const char *log, const char *name, int nth) {
  size_t n;
  char *text = (char *)file_read(log, &n), *rest = text;
  int64_t found = 0;
  for (char *line; !found && text && (line = strsep(&rest, "\n"));) {
    const char *space = strchr(line, ' ');
    if (space && strcmp(space + 1, name) == 0 && --nth == 0) found = atol(line);
  }
  free(text);
  return found;
}

static int64_t count_operations(const Campaign *c, Model model, const char *start, const char *option,
                                const char *log) {
  char preload[PATH_ROOM + 16], into[PATH_ROOM + 16], output[PATH_ROOM];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", c->io_shim);
  snprintf(into, sizeof into, "FAULT_LOG=%s", log);
  snprintf(output, sizeof output, "%s", path_in(c->folder, "counted"));
  folder_drop(output);
  if (start) folder_copy(path_in(c->folder, start), output);
  remove(log);
  const char *settings[] = {preload, into, NULL};
  const Ended ended = fixture_run(c, model, false, output, option, settings);
  if (ended.code != 0)
    give_up("'%s' while it was counted: exit code %d\n%s", models[model].name, ended.code, ended.said);
  size_t n;
  char *text = (char *)file_read(log, &n);
  int64_t lines = 0;
  for (size_t i = 0; i < n; ++i) lines += text[i] == '\n';
  free(text);
  if (lines == 0) give_up("no operation on files was counted: the library '%s' does not work here", c->io_shim);
  return lines;
}

int64_t fixture_operations(const Campaign *c, Model model, const char *start, const char *option) {
  char log[PATH_ROOM];
  snprintf(log, sizeof log, "%s", path_in(c->folder, "operations.log"));
  return count_operations(c, model, start, option, log);
}

int64_t fixture_allocations(const Campaign *c, Model model, const char *start, const char *option) {
  char preload[PATH_ROOM + 16], into[PATH_ROOM + 16], output[PATH_ROOM], count[PATH_ROOM];
  snprintf(count, sizeof count, "%s", path_in(c->folder, "allocations.txt"));
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", c->mem_shim);
  snprintf(into, sizeof into, "FAULT_COUNT=%s", count);
  snprintf(output, sizeof output, "%s", path_in(c->folder, "counted"));
  folder_drop(output);
  if (start) folder_copy(path_in(c->folder, start), output);
  const char *settings[] = {preload, into, NULL};
  const Ended ended = fixture_run(c, model, false, output, option, settings);
  if (ended.code != 0)
    give_up("'%s' while it was counted: exit code %d\n%s", models[model].name, ended.code, ended.said);
  size_t n;
  char *text = (char *)file_read(count, &n);
  const int64_t allocations = text ? atol(text) : 0;
  free(text);
  if (allocations == 0) give_up("no allocation was counted: the library '%s' does not work here", c->mem_shim);
  return allocations;
}

/* Killed at the third rename that follows the second fsync of a checkpoint: there are two of them, and steps after
 * them. */
void fixture_half(const Campaign *c, Model model) {
  char preload[PATH_ROOM + 16], at[64], output[PATH_ROOM], log[PATH_ROOM];
  snprintf(output, sizeof output, "%s", path_in(c->folder, file_of(model, false, "-half")));
  if (file_there(output)) return;
  snprintf(log, sizeof log, "%s", path_in(c->folder, "operations.log"));
  const int64_t all = count_operations(c, model, NULL, NULL, log);
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", c->io_shim);
  for (int nth = 1;; ++nth) { /* the first kill that leaves two checkpoints, and then some twenty operations later */
    const int64_t found = find_operation(log, "link", nth);
    if (!found) give_up("'%s' never has two checkpoints", models[model].name);
    snprintf(at, sizeof at, "FAULT_AT=%ld", (long)(found + 20 < all ? found + 20 : all - 1));
    const char *settings[] = {preload, at, "FAULT_HOW=kill", NULL};
    folder_drop(output);
    fixture_run(c, model, false, output, NULL, settings);
    if (file_there(path_in(output, "checkpoint-1.hdf")) && file_there(path_in(output, "checkpoint-2.hdf"))) return;
  }
}
