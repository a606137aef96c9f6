/* See intervals.h. */
#include "app/monodomain/intervals.h"
#include "app/monodomain/case_monodomain.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "output/folder.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEEP = 0.05; /* of the largest rate */
static const double HIGH = 0.5;   /* of the largest deflection: a front on its way, though nothing changes */
static const double GAP = 20;     /* ms, between parts of a QRS complex, and behind it */
static const double SMALL = 0.01; /* of the largest deflection: no T wave */
static const double APART = 100;  /* ms, at least, from beat to beat: stimuli that come sooner are of one */
static const double LONGEST = 2;  /* ms between samples */

const char *const interval_word[INTERVAL_WORDS] = {"qrs", "t-peak", "qt"};

bool heart_has_intervals(const Case *c) {
  return case_leads(c) > 0 && heart_sampling(c) > 0 && heart_sampling(c) <= LONGEST * (1 + 1e-9);
}

static double rate(const double *t, const double *v, int32_t k) { return (v[k] - v[k - 1]) / (t[k] - t[k - 1]); }

/* The first and last sample of the QRS complex. most: the largest deflection. */
static void find_qrs(int32_t n, const double *t, const double *v, double most, int32_t *first, int32_t *last) {
  int32_t steepest = 1;
  for (int32_t k = 2; k < n; ++k)
    if (fabs(rate(t, v, k)) > fabs(rate(t, v, steepest))) steepest = k;
  const double least = STEEP * fabs(rate(t, v, steepest));
  *first = steepest - 1, *last = steepest;
  for (int32_t k = steepest; k > 0 && t[*first] - t[k] < GAP; --k)
    if (fabs(rate(t, v, k)) > least || fabs(v[k] - v[0]) > HIGH * most) *first = k - 1;
  for (int32_t k = steepest; k < n && t[k - 1] - t[*last] < GAP; ++k)
    if (fabs(rate(t, v, k)) > least || fabs(v[k] - v[0]) > HIGH * most) *last = k;
}

Intervals intervals_of(int32_t n, const double *t, const double *v) {
  Intervals out = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
  int32_t first, last, peak = -1, back = -1;
  double most = 0;
  for (int32_t k = 0; k < n; ++k) most = fmax(most, fabs(v[k] - v[0]));
  if (n < 3 || !(most > 0)) return out;
  find_qrs(n, t, v, most, &first, &last);
  out.onset = t[first];
  if (t[n - 1] - t[last] < GAP * (1 - 1e-9)) return out; /* it may go on */
  out.qrs = t[last] - t[first];
  for (int32_t k = last; k < n - 1; ++k)
    if (t[k] > t[last] + GAP && (peak < 0 || fabs(v[k] - v[0]) > fabs(v[peak] - v[0]))) peak = k;
  if (peak < 0 || !(fabs(v[peak] - v[0]) > SMALL * most)) return out;
  if (fabs(v[n - 1] - v[0]) > fabs(v[peak] - v[0])) return out; /* it still grows */
  const double sign = v[peak] > v[0] ? 1 : -1;
  for (int32_t k = peak + 1; k < n; ++k)
    if (back < 0 || sign * rate(t, v, k) < sign * rate(t, v, back)) back = k;
  const double slope = rate(t, v, back), middle = (v[back] + v[back - 1]) / 2;
  const double end = (t[back] + t[back - 1]) / 2 - (middle - v[0]) / slope;
  out.t_peak = t[peak] - t[first];
  if (sign * slope < 0 && end <= t[n - 1]) out.qt = end - t[first];
  return out;
}

/* The first pulse of a stimulus at `time` or later; infinite: there is none. */
static double pulse_from(const CaseStimulus *s, double time) {
  const double start = s->start.value, period = s->period.value;
  if (start >= time) return start;
  const double k = ceil((time - start) / period * (1 - 1e-12));
  const bool over = !place_given(s->period.place) || (place_given(s->count.place) && k >= s->count.value);
  return over ? (double)INFINITY : start + k * period;
}

/* When the second beat of a run from `time` on begins, by its stimuli: what comes from then on is no part of the first. It is the second pulse
 * of a train, or the first one of another place that comes late. Starts of fronts of given velocities have no duration, and are all of one beat. */
static double second_beat(const Case *c, double time) {
  double begin = INFINITY, next = INFINITY;
  for (int32_t i = 0; i < c->stimuli.n; ++i) begin = fmin(begin, pulse_from(case_stimulus(c, i), time));
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(c, i);
    if (!place_given(s->duration.place)) continue;
    const double first = pulse_from(s, time), second = pulse_from(s, first + s->duration.value);
    next = fmin(next, first >= begin + APART ? first : second);
  }
  return next;
}

/* The numbers of column `name` before `end`, with their times. The text stays as it is. */
static int32_t read_column(const char *text, const char *name, double end, double *t, double *v) {
  const size_t length = strlen(name);
  int32_t column = 0, n = 0;
  const char *p = text;
  for (; *p && *p != '\n'; p += strcspn(p, ",\n"), p += *p == ',', ++column)
    if (strncmp(p, name, length) == 0 && strchr(",\n", p[length])) break;
  if (!*p || *p == '\n') return 0;
  for (p = strchr(p, '\n'); p && p[1]; p = strchr(p, '\n')) {
    t[n] = strtod(++p, NULL);
    const char *at = p;
    for (int32_t k = 0; k < column && at; ++k) at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    if (!at || !(t[n] < end)) break;
    v[n++] = strtod(at, NULL);
  }
  return n;
}

static double interval_named(const Intervals *of, const char *word) {
  const double value[INTERVAL_WORDS] = {of->qrs, of->t_peak, of->qt};
  for (int k = 0; k < INTERVAL_WORDS; ++k)
    if (strcmp(word, interval_word[k]) == 0) return value[k];
  return (double)NAN;
}

static Status intervals_table(const Case *c, const char *text, double *t, double *v, RunReport *report, Text *out) {
  const char *first = strchr(text, '\n');
  const double end = second_beat(c, first ? strtod(first, NULL) : 0);
  text_add(out, "lead,onset,qrs,t-peak,qt\n");
  for (int32_t i = 0; i < case_leads(c); ++i) {
    const char *name = case_lead_title(c, i)->text;
    const int32_t n = read_column(text, name, end, t, v);
    const Intervals of = intervals_of(n, t, v);
    text_add(out, "%s,%.9g,%.9g,%.9g,%.9g\n", name, of.onset, of.qrs, of.t_peak, of.qt);
    if (!report->heart.lead && isfinite(of.qrs)) {
      const double told[INTERVAL_WORDS] = {of.qrs, of.t_peak, of.qt};
      report->heart.lead = name;
      memcpy(report->heart.interval, told, sizeof told);
    }
    for (int32_t k = 0; k < c->expect.n; ++k) {
      const CaseExpect *row = case_expect(c, k);
      if (row->ecg.text && row->quantity.text && strcmp(row->ecg.text, name) == 0)
        report->at_time[k] = interval_named(&of, row->quantity.text);
    }
  }
  return out->status;
}

Status intervals_save(const Run *run) {
  const char *folder = run->params->folder;
  TextSource source = {0};
  Text table = {0};
  char *from = NULL, *to = NULL;
  double *t = NULL, *v = NULL;
  int64_t lines = 0;
  Status status = OK;
  if (!heart_has_intervals(run->c) || run->rehearsed || !run_is_root(run)) return OK;
  TRY_DONE(output_path(folder, "probes.csv", &from));
  TRY_DONE(output_path(folder, "intervals.csv", &to));
  TRY_DONE(source_open(from, from, &source));
  for (const char *p = source.bytes; *p; ++p) lines += *p == '\n';
  ALLOC_DONE(t, lines + 1, "times of leads");
  ALLOC_DONE(v, lines + 1, "leads");
  TRY_DONE(intervals_table(run->c, source.bytes, t, v, run->report, &table));
  status = text_save(&table, to, false);
done:
  source_close(&source);
  text_release(&table);
  FREE(t);
  FREE(v);
  FREE(from);
  FREE(to);
  return status;
}

void intervals_print(const RunReport *report) {
  static const char *const word[INTERVAL_WORDS] = {"QRS", "T peak", "QT"};
  if (!report->heart.lead) return;
  printf("intervals    lead %s:", report->heart.lead);
  for (int k = 0; k < INTERVAL_WORDS; ++k)
    if (isfinite(report->heart.interval[k])) printf("%s %s %.4g ms", k ? "," : "", word[k], report->heart.interval[k]);
  printf("; all in intervals.csv\n");
}
