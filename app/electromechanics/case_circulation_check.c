/* What the tables cannot say of `circulation:`. */
#include "app/elasticity/case_elasticity.h"
#include "app/electromechanics/case_electromechanics.h"
#include "app/input/case_tables.h"
#include "core/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAMBERS_MOST = 4, LOOPS_MOST = 8, CHAMBER_NAME = 24, NAMED_MOST = 32 };

static void check_valve(const CaseValve *valve, Diagnostics *out) {
  if (place_given(valve->closed.place) && valve->open.value >= valve->closed.value)
    report_error(
        out, valve->open.place,
        "open is %g and closed is %g kPa ms/mL: the valve lets less through when it is open\n  allowed: open < "
        "closed\n  remedy: leave 'closed' out where the valve is tight",
        valve->open.value, valve->closed.value);
}

static void check_elastance(const CaseElastance *e, const Elastance *unless, double cycle, Diagnostics *out) {
  const struct {
    const char *name;
    const NumberValue *value;
  } needed[] = {{"active", &e->active},           {"passive", &e->passive},       {"v0", &e->v0},
                {"contraction", &e->contraction}, {"relaxation", &e->relaxation}, {"volume", &e->volume}};
  if (!place_given(e->place)) return;
  for (int k = 0; k < COUNT(needed) && !unless; ++k)
    if (!place_given(needed[k].value->place))
      report_error(out, e->place,
                   "elastance needs the key '%s'\n  allowed: {active: 0.318, passive: 0.012, v0: 10, "
                   "contraction: 300, relaxation: 150, volume: 110}, kPa/mL, mL and ms",
                   needed[k].name);
  const Elastance used = elastance_of_case(e, unless);
  if (used.contraction + used.relaxation > cycle)
    report_error(out, place_given(e->contraction.place) ? e->contraction.place : e->place,
                 "contraction and relaxation last %g and %g ms, together longer than the cycle of %g ms\n  remedy: "
                 "shorter ones, or a longer 'cycle'; times are in ms",
                 used.contraction, used.relaxation, cycle);
  if (used.start >= cycle)
    report_error(out, e->start.place, "start is %g ms, must be less than the cycle of %g ms", used.start, cycle);
}

static void check_outflow(const CaseOutflow *to, Diagnostics *out) {
  const CaseWindkessel *w = &to->windkessel;
  const int forms = place_given(w->place) + place_given(to->pressure.place);
  check_valve(&to->valve, out);
  if (forms != 1)
    report_error(out, to->place, "to needs one of windkessel and pressure; this one has %s", forms ? "both" : "none");
  if (place_given(w->l.place) && !place_given(w->zc.place))
    report_error(out, w->l.place,
                 "l is an inertance beside zc, and there is no zc\n  allowed: {r, c}, {zc, r, c} and {zc, l, r, c}\n  "
                 "remedy: add 'zc', or leave 'l' out");
}

int case_cavity_names(const Case *c, int most, const char **names) {
  int n = 0;
  for (int32_t i = 0; i < c->cavities.n && n < most; ++i)
    if (case_cavity(c, i)->name.text) names[n++] = case_cavity(c, i)->name.text;
  return n;
}

int32_t case_cavity_called(const Case *c, const char *name) {
  for (int32_t i = 0; i < c->cavities.n; ++i)
    if (case_cavity(c, i)->name.text && strcmp(case_cavity(c, i)->name.text, name) == 0) return i;
  return -1;
}

void case_refuse_cavity(const Case *c, const TextValue *name, Diagnostics *out) {
  const char *names[CHAMBERS_MOST] = {0};
  const int n = case_cavity_names(c, CHAMBERS_MOST, names);
  const char *near = nearest_name(name->text, n, names);
  report_error(out, name->place,
               "there is no cavity '%s' in 'cavities'%s%s%s\n  remedy: the name of a cavity, or an 'elastance', which "
               "makes a chamber without a body",
               name->text, near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* What makes the pressure: an elastance, or a body. */
static void check_chamber_kind(const Case *c, const CaseChamber *chamber, Diagnostics *out) {
  const bool elastance = place_given(chamber->elastance.place), body = case_cavity_called(c, chamber->name.text) >= 0;
  if (body && elastance)
    report_error(out, chamber->elastance.place,
                 "chamber '%s' is a cavity of the body, which makes its pressure\n  remedy: leave 'elastance' out",
                 chamber->name.text);
  if (elastance || body) return;
  if (elastic_has(c, HAS_PUMP)) case_refuse_cavity(c, &chamber->name, out);
  else
    report_error(out, chamber->name.place,
                 "chamber '%s' has no elastance: nothing makes its pressure\n  allowed: elastance: {active: 0.318, "
                 "passive: 0.012, v0: 10, contraction: 300, relaxation: 150, volume: 110}",
                 chamber->name.text);
}

/* Of an open loop: filled by something and emptied into something. */
static void check_chamber(const Case *c, const CaseChamber *chamber, Diagnostics *out) {
  const double cycle = c->circulation.cycle.value;
  const char *name = chamber->name.text;
  check_chamber_kind(c, chamber, out);
  if (!place_given(chamber->from.place))
    report_error(out, chamber->name.place,
                 "nothing fills chamber '%s'\n  allowed: from: {pressure: 1.2, valve: {open: 2}}", name);
  if (!place_given(chamber->to.place))
    report_error(out, chamber->name.place,
                 "chamber '%s' empties into nothing\n  allowed: to: {valve: {open: 2}, windkessel: {zc: 8, r: 130, c: "
                 "9, pressure: 10}}",
                 name);
  check_elastance(&chamber->elastance, NULL, cycle, out);
  if (place_given(chamber->from.place)) check_valve(&chamber->from.valve, out);
  check_elastance(&chamber->from.atrium.elastance, NULL, cycle, out);
  if (place_given(chamber->to.place)) check_outflow(&chamber->to, out);
}

static void check_open(const Case *c, Diagnostics *out) {
  const CaseCirculation *k = &c->circulation;
  const struct {
    const char *name;
    Place place;
  } closed[] = {{"systemic", k->systemic.place},
                {"pulmonary", k->pulmonary.place},
                {"valves", k->valves.place},
                {"ventricles", k->ventricles.place}};
  for (int i = 0; i < COUNT(closed); ++i)
    if (place_given(closed[i].place))
      report_error(out, closed[i].place,
                   "'%s' is for a closed loop; this is an open one\n  remedy: leave it out, or write 'model: "
                   "closed-loop'",
                   closed[i].name);
  if (elastic_has(c, HAS_PUMP) && place_given(k->begin.place))
    report_error(
        out, k->begin.place,
        "'begin' is of beats without the body, and an open loop has none: its chambers are the body\n  remedy: "
        "leave it out, or 'model: closed-loop', whose chambers have elastances");
  if (k->chambers.n == 0)
    report_error(out, k->place,
                 "an open loop needs a chamber, under a name of its own\n  allowed: lv: {elastance: {..}, from: {..}, "
                 "to: {..}}\n  remedy: 'model: closed-loop' has four chambers with defaults");
  if (k->chambers.n > CHAMBERS_MOST)
    report_error(out, k->chambers.place, "there are %d chambers, at most %d are possible", (int)k->chambers.n,
                 CHAMBERS_MOST);
  for (int32_t i = 0; i < k->chambers.n; ++i) check_chamber(c, circulation_chamber(c, i), out);
}

/* Chambers with a body: cavities that are there, each once, and without an elastance in the run. */
static void check_ventricles(const Case *c, Diagnostics *out) {
  const CaseVentricles *v = &c->circulation.ventricles;
  if (elastic_has(c, HAS_PUMP) && !place_given(v->place))
    report_error(out, c->circulation.place,
                 "no cavity takes part in the closed loop\n  allowed: 'ventricles: {lv: NAME}', of a cavity in "
                 "'cavities'");
  for (int k = 0; k < CASE_LOOP_CHAMBERS; ++k) {
    if (!v->cavity[k].text) continue;
    if (case_cavity_called(c, v->cavity[k].text) < 0) case_refuse_cavity(c, &v->cavity[k], out);
    for (int j = 0; j < k; ++j)
      if (v->cavity[j].text && strcmp(v->cavity[j].text, v->cavity[k].text) == 0)
        report_error(out, v->cavity[k].place, "cavity '%s' is two chambers, %s and %s", v->cavity[k].text,
                     closed_name[j], closed_name[k]);
  }
}

static bool has_elastance(const CaseCirculation *k, const char *name) {
  bool has = false;
  for (int32_t i = 0; i < k->chambers.n; ++i) {
    const CaseChamber *chamber = (const CaseChamber *)maps_item(&k->chambers, sizeof(CaseChamber), i);
    has |= strcmp(chamber->name.text, name) == 0 && place_given(chamber->elastance.place);
  }
  return has;
}

/* Chambers of a closed loop of which the case says nothing: how long they contract and relax is that of beats of a second. */
static void check_defaults(const CaseCirculation *k, Diagnostics *out) {
  const double cycle = k->cycle.value;
  for (int which = 0; which < N_CLOSED; ++which) {
    const Elastance e = closed_elastance(which, cycle);
    const char *name = closed_name[which];
    if (has_elastance(k, name) || e.contraction + e.relaxation <= cycle) continue;
    report_error(out, k->cycle.place,
                 "cycle is %g ms, shorter than contraction and relaxation of '%s', %g and %g ms unless given\n  "
                 "remedy: times are in ms; of shorter beats %s: {elastance: {contraction: .., relaxation: ..}}",
                 cycle, name, e.contraction, e.relaxation, name);
  }
}

static void check_closed(const Case *c, Diagnostics *out) {
  const CaseCirculation *k = &c->circulation;
  check_ventricles(c, out);
  check_valve(&k->valves, out);
  for (int32_t i = 0; i < k->chambers.n; ++i) {
    const CaseChamber *chamber = circulation_chamber(c, i);
    const char *name = chamber->name.text, *near = nearest_name(name, N_CLOSED, closed_name);
    int which = 0;
    while (which < N_CLOSED && strcmp(closed_name[which], name)) ++which;
    if (which == N_CLOSED) {
      report_error(out, chamber->name.place, "a closed loop has no chamber '%s'\n  allowed: la, lv, ra, rv%s%s%s", name,
                   near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
    } else {
      const Elastance unless = closed_elastance(which, k->cycle.value);
      check_elastance(&chamber->elastance, &unless, k->cycle.value, out);
    }
    if (place_given(chamber->from.place) || place_given(chamber->to.place))
      report_error(out, place_given(chamber->from.place) ? chamber->from.place : chamber->to.place,
                   "what fills and empties the chambers of a closed loop is given by the loop\n  remedy: leave it out, "
                   "or write 'model: open-loop'");
  }
  check_defaults(k, out);
}

/* What has columns in loops.csv. */
typedef struct Named {
  int n;
  char text[NAMED_MOST][CHAMBER_NAME + 16];
} Named;

static void add_named(Named *k, const char *name, const char *what, Place place, Diagnostics *out) {
  char *text = k->text[k->n];
  snprintf(text, sizeof k->text[0], "%.*s%s", CHAMBER_NAME - 1, name, what);
  for (int i = 0; i < k->n; ++i)
    if (strcmp(k->text[i], text) == 0)
      report_error(out, place,
                   "two of cavities, chambers and vessels are called '%s', and columns of loops.csv go by these "
                   "names\n  remedy: "
                   "another name",
                   text);
  k->n += k->n + 1 < NAMED_MOST;
}

static void add_name(Named *k, const char *what, const TextValue *name, Diagnostics *out) {
  if (strlen(name->text) >= CHAMBER_NAME || strpbrk(name->text, ",\";\n\r\t"))
    report_error(out, name->place,
                 "a name of a %s is at most %d bytes and has no comma, semicolon, quote or line break", what,
                 CHAMBER_NAME - 1);
  add_named(k, name->text, "", name->place, out);
}

static void add_closed(const Case *c, Named *k, Diagnostics *out) {
  static const char *const vessel[] = {"systemic-artery", "systemic-vein", "pulmonary-artery", "pulmonary-vein"};
  const CaseCirculation *of = &c->circulation;
  for (int i = 0; i < N_CLOSED; ++i)
    if (!of->ventricles.cavity[i].text) add_named(k, closed_name[i], "", of->place, out);
  for (int i = 0; i < COUNT(vessel); ++i) add_named(k, vessel[i], "", of->place, out);
}

void circulation_check_names(const Case *c, Diagnostics *out) {
  const CaseCirculation *of = &c->circulation;
  const bool given = place_given(of->place), closed = of->model.value == CIRCULATION_CLOSED;
  Named k = {0};
  for (int32_t i = 0; i < c->cavities.n; ++i) {
    const TextValue *name = &case_cavity(c, i)->name;
    if (name->text && case_cavity_called(c, name->text) == i) add_name(&k, "cavity", name, out); /* two: said already */
  }
  if (given && closed) add_closed(c, &k, out);
  for (int32_t i = 0; given && !closed && i < of->chambers.n; ++i) {
    const CaseChamber *chamber = circulation_chamber(c, i);
    const TextValue *name = &chamber->name;
    if (case_cavity_called(c, name->text) < 0) add_name(&k, "chamber", name, out);
    if (place_given(chamber->from.atrium.place)) add_named(&k, name->text, "-atrium", name->place, out);
    if (place_given(chamber->to.windkessel.place)) add_named(&k, name->text, "-artery", name->place, out);
  }
}

/* Chambers and cavities that have loops. */
static int loop_names(const Case *c, const char *names[LOOPS_MOST]) {
  const bool closed = c->circulation.model.value == CIRCULATION_CLOSED && place_given(c->circulation.place);
  int n = case_cavity_names(c, LOOPS_MOST, names);
  for (int32_t i = 0; i < (closed ? N_CLOSED : c->circulation.chambers.n) && n < LOOPS_MOST; ++i) {
    const char *name = closed ? closed_name[i] : circulation_chamber(c, i)->name.text;
    if (!(closed ? c->circulation.ventricles.cavity[i].text != NULL : case_cavity_called(c, name) >= 0))
      names[n++] = name;
  }
  return n;
}

void circulation_check_expectations(const Case *c, Diagnostics *out) {
  const char *names[LOOPS_MOST] = {0};
  char list[512] = "";
  const int n = loop_names(c, names);
  for (int k = 0; k < n; ++k)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.40s", k ? ", " : "", names[k]);
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const TextValue *loop = &case_expect(c, i)->loop;
    bool known = false;
    for (int k = 0; loop->text && k < n; ++k) known |= strcmp(names[k], loop->text) == 0;
    const char *near = loop->text ? nearest_name(loop->text, n, names) : NULL;
    if (loop->text && !known)
      report_error(out, loop->place, "unknown chamber '%s'\n  known: %s%s%s%s", loop->text, n ? list : "none",
                   near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
}

void circulation_check(Case *c, Diagnostics *out) {
  if (!(c->circulation.cycle.value > 0)) return; /* said already */
  if (c->circulation.model.value == CIRCULATION_CLOSED) circulation_fill_closed(&c->circulation), check_closed(c, out);
  else check_open(c, out);
  circulation_check_expectations(c, out);
}
