/* What is promised after a fault, and looking whether it is so. */
#include "tests/faults/campaign.h"
#include "tests/faults/same.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void conclude(Outcome *outcome, Verdict verdict, const char *format, ...) {
  va_list list;
  va_start(list, format);
  outcome->verdict = verdict;
  vsnprintf(outcome->text, sizeof outcome->text, format, list);
  va_end(list);
}

bool ended_well(const Ended *ended, const char *when, Outcome *outcome) {
  if (ended->hung) conclude(outcome, HANG, "%s: still running after %d s of work", when, CPU_SECONDS);
  else if (ended->signal)
    conclude(outcome, CRASH, "%s: signal %d (%s)\n%.400s", when, ended->signal, strsignal(ended->signal), ended->said);
  else if (ended->code == 1 || ended->code > 10)
    conclude(outcome, CRASH, "%s: exit code %d\n%.400s", when, ended->code, ended->said);
  else if (ended->code && strlen(ended->said) < 10)
    conclude(outcome, WORDLESS, "%s: exit code %d without a word", when, ended->code);
  else if (strstr(ended->said, "HDF5-DIAG"))
    conclude(outcome, WORDLESS, "%s: exit code %d, and HDF5's own text\n%.400s", when, ended->code, ended->said);
  else return true;
  return false;
}

/* Whose a file is: 'n' of the run with the fault, 'o' of the one before, '-' of none or of both, '?' of neither. */
static char owner(Likeness now, Likeness before) {
  const bool is_now = now == WHOLE || now == PART, was_before = before == WHOLE;
  if (now == ABSENT || (is_now && before >= PART)) return '-';
  return is_now ? 'n' : was_before ? 'o' : '?';
}

static char owner_of_report(const char *path, Model model) {
  char other[64];
  size_t n;
  char *text = (char *)file_read(path, &n);
  snprintf(other, sizeof other, "\"other-%s.yaml\"", model_name(model));
  const char owner = !text ? '-' : strstr(text, other) ? 'o' : strrchr(text, '}') ? 'n' : '?';
  free(text);
  return owner;
}

bool files_hold(const Campaign *c, Model model, const char *output, bool old, bool killed, Outcome *outcome) {
  char now[PATH_ROOM], before[PATH_ROOM], other[64];
  int n_step;
  snprintf(other, sizeof other, "other-%s", model_name(model));
  snprintf(now, sizeof now, "%s", path_in(c->folder, model_name(model)));
  snprintf(before, sizeof before, "%s", path_in(c->folder, other));
  const char *result = path_in(output, "results.hdf"), *rows = path_in(output, "probes.csv");
  const Likeness mine = result_likeness(result, path_in(now, "results.hdf"), true, &n_step);
  const Likeness theirs = old ? result_likeness(result, path_in(before, "results.hdf"), true, &n_step) : OTHER;
  const char data = owner(mine, theirs);
  const char probes = owner(rows_likeness(rows, path_in(now, "probes.csv")),
                            old ? rows_likeness(rows, path_in(before, "probes.csv")) : OTHER);
  const char report = owner_of_report(path_in(output, "report.json"), model);
  if (data == '?')
    conclude(outcome, LOST, "results.hdf is %s",
             mine == UNREADABLE ? "unreadable" : "of neither run, or holds less than its steps");
  else if (probes == '?' && !killed) conclude(outcome, LOST, "probes.csv is of neither run");
  else if (report == '?' && !killed) conclude(outcome, LOST, "report.json is cut off");
  else if (old && !killed && (data == 'o' || probes == 'o' || report == 'o') &&
           (data == 'n' || probes == 'n' || report == 'n'))
    conclude(outcome, MIXTURE, "results.hdf is of the %s run, probes.csv %c, report.json %c (n new, o old)",
             data == 'o' ? "old" : "new", probes, report);
  else return true;
  return false;
}

static bool nothing_left_over(const char *output, const char *when, Outcome *outcome) {
  static const char *const names[] = {"results.hdf",      "results.xdmf",     "probes.csv", "report.json",
                                      "checkpoint-1.hdf", "checkpoint-2.hdf", ".",          ".."};
  DIR *list = opendir(output);
  bool good = list != NULL;
  for (const struct dirent *entry; list && good && (entry = readdir(list));) {
    bool known = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) known |= strcmp(entry->d_name, names[k]) == 0;
    if (!known) conclude(outcome, LEFT_OVER, "%s: '%s' is left over", when, entry->d_name);
    good = known;
  }
  if (list) closedir(list);
  return good;
}

bool run_is_whole(const Campaign *c, Model model, const char *output, const char *when, Outcome *outcome) {
  int n_step;
  char reference[PATH_ROOM];
  snprintf(reference, sizeof reference, "%s", path_in(c->folder, model_name(model)));
  const Likeness data =
      result_likeness(path_in(output, "results.hdf"), path_in(reference, "results.hdf"), false, &n_step);
  const Likeness rows = rows_likeness(path_in(output, "probes.csv"), path_in(reference, "probes.csv"));
  if (data != WHOLE)
    conclude(outcome, LOST, "%s: exit code 0, but results.hdf is %s (%d steps)", when, likeness_word(data), n_step);
  else if (rows != WHOLE) conclude(outcome, LOST, "%s: exit code 0, but probes.csv is %s", when, likeness_word(rows));
  else if (owner_of_report(path_in(output, "report.json"), model) != 'n')
    conclude(outcome, LOST, "%s: exit code 0, but report.json is missing or old", when);
  else if (!file_there(path_in(output, "results.xdmf")))
    conclude(outcome, LOST, "%s: exit code 0, but results.xdmf is missing", when);
  else return nothing_left_over(output, when, outcome);
  return false;
}

void resume_holds(const Campaign *c, Model model, const char *output, Verdict held, Outcome *outcome) {
  const Ended ended = fixture_run(c, model, false, output, "--resume", NULL);
  if (!ended_well(&ended, "--resume", outcome)) return;
  if (ended.code == 5) conclude(outcome, REFUSED, "--resume: %.400s", ended.said);
  else if (ended.code != 0) conclude(outcome, CODE, "--resume: exit code %d\n%.400s", ended.code, ended.said);
  else if (run_is_whole(c, model, output, "--resume", outcome)) conclude(outcome, held, "%s", "");
}
