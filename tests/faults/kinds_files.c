/* Kinds of faults at operations on files: the program is killed there, or the operation fails. */
#include "tests/faults/campaign.h"

#include <stdio.h>
#include <string.h>

/* What lies in the output folder when the run begins, and the option that it is given. */
typedef enum Start { NEW, SAME, OTHER_RUN, HALF_WAY } Start;
#define VARIANT(model, start) ((model)*4 + (start))
static Model model_of(const Kind *kind) { return (Model)(kind->variant / 4); }
static Start start_of(const Kind *kind) { return (Start)(kind->variant % 4); }

/* The folder that is copied, NULL: none. */
static const char *folder_of(const Kind *kind, char text[64]) {
  static const char *const form[] = {"", "%s", "other-%s", "%s-half"};
  if (start_of(kind) == NEW) return NULL;
  snprintf(text, 64, form[start_of(kind)], model_name(model_of(kind)));
  return text;
}

static const char *option_of(const Kind *kind) {
  static const char *const option[] = {NULL, "--overwrite", "--overwrite", "--resume"};
  return option[start_of(kind)];
}

static int64_t prepare(const Campaign *c, const Kind *kind) {
  char start[64];
  fixture_make(c, model_of(kind));
  if (start_of(kind) == HALF_WAY) fixture_half(c, model_of(kind));
  return fixture_operations(c, model_of(kind), folder_of(kind, start), option_of(kind));
}

static Ended run_with(const Campaign *c, const Kind *kind, int64_t operation, const char *const how[3],
                      const char *output) {
  char preload[PATH_ROOM + 16], at[48], start[64];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", c->io_shim);
  snprintf(at, sizeof at, "FAULT_AT=%ld", (long)operation);
  folder_drop(output);
  if (start_of(kind) != NEW) folder_copy(path_in(c->folder, folder_of(kind, start)), output);
  const char *settings[] = {preload, at, how[0], how[1], how[2], NULL};
  return fixture_run(c, model_of(kind), false, output, option_of(kind), settings);
}

/* ---- kills ---- */
static int64_t prepare_kills(const Campaign *c, const Kind *kind) { return 2 * prepare(c, kind); }

static void kill_point(const Campaign *c, const Kind *kind, int64_t point, const char *work, Outcome *outcome) {
  const char *const how[3] = {point % 2 ? "FAULT_HOW=half" : "FAULT_HOW=kill"};
  const Ended ended = run_with(c, kind, point / 2 + 1, how, work);
  if (ended.code == 0) { /* it had fewer operations this time */
    if (run_is_whole(c, model_of(kind), work, "undisturbed", outcome)) conclude(outcome, PASSED, "%s", "");
    return;
  }
  if (ended.signal != 9) {
    conclude(outcome, CODE, "exit code %d, signal %d before the kill\n%.300s", ended.code, ended.signal, ended.said);
    return;
  }
  if (files_hold(c, model_of(kind), work, start_of(kind) == OTHER_RUN, true, outcome))
    resume_holds(c, model_of(kind), work, HELD, outcome);
}

#define KILLS(name, what, model, start, full, small)                                                                   \
  { name, "killed at an operation on files: " what, full, small, prepare_kills, kill_point, VARIANT(model, start) }
const Kind kill_kinds[] = {
    KILLS("kill-heart-new", "a heart, into an empty folder", HEART, NEW, 1000, 10),
    KILLS("kill-heart-same", "a heart, over its own finished result", HEART, SAME, 1000, 10),
    KILLS("kill-heart-other", "a heart, over another result", HEART, OTHER_RUN, 1000, 10),
    KILLS("kill-heart-resume", "a heart, inside --resume", HEART, HALF_WAY, 1000, 10),
    KILLS("kill-heat-new", "heat, into an empty folder", HEAT, NEW, 1000, 5),
    KILLS("kill-heat-same", "heat, over its own finished result", HEAT, SAME, 1000, 5),
    KILLS("kill-heat-resume", "heat, inside --resume", HEAT, HALF_WAY, 1000, 5),
    KILLS("kill-plate-new", "a static part, into an empty folder", PLATE, NEW, 1000, 5),
    KILLS("kill-plate-same", "a static part, over its own finished result", PLATE, SAME, 1000, 5),
    KILLS("kill-plate-other", "a static part, over another result", PLATE, OTHER_RUN, 1000, 5),
    {0}};

/* ---- failures ---- */
enum { HOWS = 4 };

static int64_t prepare_failures(const Campaign *c, const Kind *kind) { return HOWS * prepare(c, kind); }

static void failure_point(const Campaign *c, const Kind *kind, int64_t point, const char *work, Outcome *outcome) {
  static const char *const how[HOWS][3] = {{"FAULT_HOW=error"},                   /* ENOSPC, once */
                                           {"FAULT_HOW=error", "FAULT_STICKY=1"}, /* the disk stays full */
                                           {"FAULT_HOW=error", "FAULT_ERRNO=5"},  /* EIO, once */
                                           {"FAULT_HOW=short"}};
  const Model model = model_of(kind);
  const Ended ended = run_with(c, kind, point / HOWS + 1, how[point % HOWS], work);
  if (!ended_well(&ended, "with the failure", outcome)) return;
  if (ended.code == 0) {
    if (run_is_whole(c, model, work, "with the failure", outcome)) conclude(outcome, PASSED, "%s", "");
  } else if (ended.code != 9) {
    conclude(outcome, CODE, "exit code %d\n%.300s", ended.code, ended.said);
  } else if (files_hold(c, model, work, start_of(kind) == OTHER_RUN, false, outcome)) {
    resume_holds(c, model, work, HELD, outcome);
  }
}

#define FAILURES(name, what, model, start, full, small)                                                                \
  { name, "an operation on files fails: " what, full, small, prepare_failures, failure_point, VARIANT(model, start) }
const Kind failure_kinds[] = {
    FAILURES("fail-heart-new", "a heart, into an empty folder", HEART, NEW, 2000, 15),
    FAILURES("fail-heart-other", "a heart, over another result", HEART, OTHER_RUN, 2000, 15),
    FAILURES("fail-heart-resume", "a heart, inside --resume", HEART, HALF_WAY, 2000, 15),
    FAILURES("fail-plate-new", "a static part, into an empty folder", PLATE, NEW, 2000, 5),
    FAILURES("fail-plate-other", "a static part, over another result", PLATE, OTHER_RUN, 2000, 10),
    {0}};
