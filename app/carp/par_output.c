/* Times, activation, points outside, states that are kept. */
#include "app/carp/par.h"
#include "core/memory.h"
#include "core/text_source.h"

#include <math.h>
#include <string.h>

static const double MS = 1e-3;         /* of a microsecond */
static const double MM = 1e-3;         /* of a micrometre */
static const double REPOLARIZED = -70; /* mV, below which a beat has ended */

/* Of the potential, 0, or outside, 1; rising, 0, or falling, 1. */
typedef struct ParLats {
  bool rises, falls, all;
  double threshold;
} ParLats;

static void read_lats(Par *par, ParLats *out) {
  const int n = par_count(par, "num_LATs", "lats", 0);
  for (int k = 0; k < n; ++k) {
    const ParLine *what = par_find(par, "lats[%d].measurand", k);
    const bool falls = par_integer(par, 0, "lats[%d].mode", k) == 1;
    const double threshold = par_number(par, -10, "lats[%d].threshold", k);
    const ParLine *method = par_find(par, "lats[%d].method", k);
    par_find(par, "lats[%d].ID", k);
    if (par_integer(par, 0, "lats[%d].measurand", k) != 0) {
      par_leave(par, what, "times outside of the cells are not there");
      continue;
    }
    if (method && par_integer(par, 1, "lats[%d].method", k) != 1)
      par_leave(par, method, "times are those of a threshold, not of the steepest slope");
    if (par_integer(par, 1, "lats[%d].all", k) != 0) out->all = true;
    if (falls) {
      out->falls = true;
      if (fabs(threshold - REPOLARIZED) > 0.1)
        par_leave(par, par_find(par, "lats[%d].threshold", k), "repolarization is the fall below -70 mV");
    } else if (out->rises && fabs(threshold - out->threshold) > 0)
      par_leave(par, par_find(par, "lats[%d].threshold", k), "there is one threshold, %g mV", out->threshold);
    else {
      out->rises = true;
      out->threshold = threshold;
    }
  }
}

static void add_maps(Par *par) {
  ParLats lats = {0};
  read_lats(par, &lats);
  const ParLine *apd = par_find(par, "compute_APD"), *rise = par_find(par, "actthresh"),
                *fall = par_find(par, "recovery_thresh");
  const bool durations = par_integer(par, 0, "compute_APD") != 0;
  if (durations && rise && !lats.rises) lats.threshold = par_number(par, -30, "actthresh");
  if (durations && fall) par_leave(par, fall, "durations end below -70 mV; 'apd: 90' under 'output:' is by percent");
  if (durations && !rise && !lats.rises) par_leave(par, apd, "durations begin above -30 mV");
  if (!lats.rises && !lats.falls && !durations) return;
  static const char *const name[] = {"activation", "repolarization", "apd"};
  const bool wanted[] = {lats.rises || durations, lats.falls, durations};
  int n = 0;
  text_add(par->text, "  maps: [");
  for (int k = 0; k < 3; ++k)
    if (wanted[k]) text_add(par->text, lats.all ? "%s{name: %s, beats: all}" : "%s%s", n++ ? ", " : "", name[k]);
  text_add(par->text, "]\n");
  if (!lats.rises && !(durations && rise)) return;
  if (lats.threshold > REPOLARIZED) text_add(par->text, "  threshold: %.10g\n", lats.threshold);
  else
    par_leave(par, NULL, "a threshold of %g mV is at or below %g mV, where a beat ends here: -30 mV is taken",
              lats.threshold, REPOLARIZED);
}

/* phie_rec_ptf: points, in mm, and what is there. */
typedef struct ParPoints {
  int64_t n;
  double (*x)[3];  /* owned */
  ParPlace *place; /* owned */
} ParPoints;

static Status read_points(const Par *par, const char *path, ParPoints *out) {
  TextSource source = {0};
  Status status = source_open(path, path, &source);
  if (status == OK) status = source_text_int(&source, "the number of points", &out->n);
  if (status == OK) status = source_check_count(&source, source.at, "points", out->n, 1);
  ALLOC_DONE(out->x, out->n, "points");
  ALLOC_DONE(out->place, out->n, "points");
  for (int64_t i = 0; status == OK && i < out->n; ++i) {
    for (int a = 0; a < 3 && status == OK; ++a) status = source_text_double(&source, "a coordinate", &out->x[i][a]);
    for (int a = 0; a < 3; ++a) out->x[i][a] *= MM;
    if (status == OK) status = par_locate(par, out->x[i], &out->place[i]);
  }
done:
  source_close(&source);
  return status;
}

/* Those of one kind, below a heading: probes of the tissue, or leads. */
static void list_points(Par *par, const ParPoints *points, ParPlace place, const char *heading, const char *format,
                        const char *more, bool *any) {
  for (int64_t i = 0; i < points->n; ++i) {
    if (points->place[i] != place) continue;
    if (!*any) text_add(par->text, "%s", heading);
    *any = true;
    text_add(par->text, "    - {name: phie-%lld, %s: [", (long long)i, format);
    const int n = place == PAR_NOWHERE ? 3 : par_coordinates(par);
    for (int a = 0; a < n; ++a) text_add(par->text, "%s%.10g", a ? ", " : "", points->x[i][a]);
    text_add(par->text, "]%s}\n", more);
  }
}

/* Where the potential outside of the cells is solved for points have that, of the tissue as probes and of what is around it as leads against
 * where it is 0. All others are leads in a medium without end. */
static void add_list(Par *par, const ParLine *file, const ParPoints *points) {
  const bool solved = par_integer(par, 0, "bidomain") != 0;
  bool probes = false, leads = false;
  for (int64_t i = 0; i < points->n; ++i) {
    const double *x = points->x[i];
    const bool alone = solved && (par->bare.n || par->shocked); /* a medium is refused there */
    const bool wrong = points->place[i] == PAR_TISSUE ? !solved : points->place[i] == PAR_NOWHERE && alone;
    if (!wrong) continue;
    par_leave(par, file, "point %lld at (%g, %g, %g) mm lies %s", (long long)i, x[0], x[1], x[2],
              solved ? "outside of the mesh, and has no potential"
                     : "in the tissue: with 'bidomain = 1' or 2 it has a potential");
    points->place[i] = PAR_LEFT;
  }
  list_points(par, points, PAR_TISSUE, "  probes:\n", "at", ", field: extracellular", &probes);
  if (solved) list_points(par, points, PAR_BARE, "  ecg:\n", "positive", "", &leads);
  const bool around = leads;
  list_points(par, points, PAR_NOWHERE, "  medium: 1     # S/m\n  ecg:\n", "positive", "", &leads);
  if (!solved) list_points(par, points, PAR_BARE, "  medium: 1     # S/m\n  ecg:\n", "positive", "", &leads);
  if (leads && !around)
    par_leave(par, file,
              "leads in an infinite medium of 1 S/m ('medium:'), the conductivity of a bath unless it is given");
}

static Status add_points(Par *par) {
  const ParLine *file = par_find(par, "phie_rec_ptf");
  ParPoints points = {0};
  char *path = NULL;
  if (!file || !*file->value) return OK;
  TRY(par_path(par, file->value, ".pts", &path));
  if (!path) {
    par_refuse(par, file, "there is no file '%s.pts'", file->value);
    return OK;
  }
  const Status status = read_points(par, path, &points);
  if (status == OK) add_list(par, file, &points);
  FREE(points.x);
  FREE(points.place);
  FREE(path);
  return status;
}

static void check_positive(Par *par, const char *name, double value) {
  const ParLine *line = par_find(par, "%s", name);
  if (line && !(value > 0)) par_refuse(par, line, "is %s, must be > 0", line->value);
}

static void add_output(Par *par) {
  const int model = par_integer(par, 0, "bidomain");
  const double kept = par_number(par, 0, "chkpt_intv"), states = par_number(par, 0, "num_tsav"),
               every = par_number(par, 1, "spacedt");
  check_positive(par, "spacedt", every);
  text_add(par->text, "output:\n  every: %.10g\n", every);
  text_add(par->text, model ? "  fields: [potential, extracellular]\n" : "  fields: [potential]\n");
  if (kept > 0) text_add(par->text, "  checkpoint: %.10g\n", kept);
  if (states > 0)
    par_leave(par, par_find(par, "num_tsav"),
              "states at given times: 'checkpoint' under 'output:' has ms between states, and the end is one");
  add_maps(par);
}

Status par_times(Par *par) {
  const ParLine *end = par_find(par, "tend"), *step = par_find(par, "dt"), *solve = par_find(par, "parab_solve");
  const ParLine *lumped = par_find(par, "mass_lumping");
  const double length = MS * par_number(par, 10, "dt"), last = par_number(par, 100, "tend");
  if (!end) par_refuse(par, NULL, "has no tend");
  check_positive(par, "tend", last);
  check_positive(par, "dt", length);
  if (!step) par_leave(par, NULL, "no dt: steps of %g ms", length);
  if (!par_find(par, "spacedt")) par_leave(par, NULL, "no spacedt: fields every 1 ms");
  text_add(par->text, "time: {end: %.10g, step: %.10g", last, length);
  if (solve) {
    const int how = par_integer(par, 1, "parab_solve");
    if (how < 0 || how > 2) par_leave(par, solve, "is %d, which is no way to step that is known here", how);
    text_add(par->text, ", scheme: %s", how == 0 ? "rush-larsen-chebyshev" : "rush-larsen");
  }
  text_add(par->text, "}     # ms\n");
  if (lumped && par_integer(par, 1, "mass_lumping") == 0)
    text_add(par->text, "mass: 1     # consistent; 0.5 errs least\n");
  add_output(par);
  return add_points(par);
}
