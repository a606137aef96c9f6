/* Stimuli and electrodes, of stim[] and of the older stimulus[]. */
#include "app/carp/par.h"
#include "core/memory.h"
#include "core/text_source.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the two families call the same thing. */
typedef struct ParFamily {
  const char *array, *type, *strength, *start, *duration, *period, *count, *file, *whole, *balance;
} ParFamily;
static const ParFamily families[] = {
    {"stim", "crct.type", "pulse.strength", "ptcl.start", "ptcl.duration", "ptcl.bcl", "ptcl.npls", "elec.vtx_file",
     "crct.total_current", "crct.balance"},
    {"stimulus", "stimtype", "strength", "start", "duration", "bcl", "npls", "vtx_file", "total_current", "balance"}};

/* What a source is: crct.type and stimtype. */
enum { TRANSMEMBRANE, EXTRACELLULAR_CURRENT, EXTRACELLULAR_VOLTAGE, GROUND, OPEN_VOLTAGE = 5 };
enum { SPHERE = 1, BLOCK, CYLINDER };
enum { PULSES_MOST = 10000 };
static const double MM = 1e-3;      /* of a micrometre */
static const double MA = 1e-3;      /* of uA */
static const double PER_MM3 = 1e-3; /* of a number per cm3 */

typedef struct ParStimulus {
  const ParFamily *of;
  int k, type;
  char array[24], name[64];
  bool of_volume; /* its strength is by the volume that its nodes stand for */
  Text on;
} ParStimulus;

static double stimulus_number(Par *par, const ParStimulus *s, const char *member, double otherwise) {
  return par_number(par, otherwise, "%s.%s", s->array, member);
}

static void add_point(Text *text, const Par *par, const double x[3]) {
  for (int a = 0; a < par_coordinates(par); ++a) text_add(text, "%s%.10g", a ? ", " : "[", MM * x[a]);
  text_add(text, "]");
}

static void add_box(Par *par, ParStimulus *s, double from[3], double to[3]) {
  for (int a = 0; a < 3; ++a)
    if (to[a] < from[a]) {
      const double swap = to[a];
      to[a] = from[a];
      from[a] = swap;
    }
  text_add(&s->on, "{box: {min: ");
  add_point(&s->on, par, from);
  text_add(&s->on, ", max: ");
  add_point(&s->on, par, to);
  text_add(&s->on, "}}");
}

static void corners(Par *par, const ParStimulus *s, double p0[3], double p1[3]) {
  static const char axis[] = "xyz";
  const bool old = s->of == &families[1];
  const bool centred = old && stimulus_number(par, s, "ctr_def", 0) != 0;
  for (int a = 0; a < 3; ++a) {
    if (!old) {
      p0[a] = par_number(par, 0, "%s.elec.p0[%d]", s->array, a);
      p1[a] = par_number(par, 0, "%s.elec.p1[%d]", s->array, a);
      continue;
    }
    const double begin = par_number(par, 0, "%s.%c0", s->array, axis[a]);
    const double length = par_number(par, 100, "%s.%cd", s->array, axis[a]);
    p0[a] = centred ? begin - length / 2 : begin;
    p1[a] = p0[a] + length;
  }
}

static void add_shape(Par *par, ParStimulus *s) {
  double p0[3], p1[3];
  const bool old = s->of == &families[1];
  const ParLine *shape = par_find(par, "%s.elec.geom_type", s->array),
                *region = par_find(par, "%s.elec.geomID", s->array);
  const int type = par_integer(par, BLOCK, "%s.elec.geom_type", s->array);
  const double radius = par_number(par, 100, "%s.elec.radius", s->array);
  if (region && strcmp(region->value, "-1") != 0)
    par_refuse(par, region, "regions that are drawn (tagreg) cannot be had");
  corners(par, s, p0, p1);
  if (old || type == BLOCK) add_box(par, s, p0, p1);
  else if (type == SPHERE) {
    text_add(&s->on, "{sphere: {center: ");
    add_point(&s->on, par, p0);
    text_add(&s->on, ", radius: %.10g}}", MM * radius);
  } else
    par_refuse(par, shape, "is %d%s\n  allowed: 1 (sphere), 2 (block), or a vtx_file", type,
               type == CYLINDER ? ", a cylinder" : "");
}

/* Adds a node that is there, and for a current through the membrane has cells; what is not is counted. */
static void add_node(Par *par, ParStimulus *s, const ParLine *line, int64_t number, const uint8_t *cells, int64_t *kept,
                     int64_t *bare) {
  if (number < 0 || number >= par->mesh->n_node)
    par_refuse(par, line, "has node %lld, and the mesh has those from 0 to %d", (long long)number,
               (int)par->mesh->n_node - 1);
  else if (s->type == TRANSMEMBRANE && !cells[number]) ++*bare;
  else text_add(&s->on, "%s%lld", (*kept)++ ? ", " : "{nodes: [", (long long)number);
}

/* Numbers of a .vtx file: how many, "intra" or "extra", and one a line. */
static Status add_nodes(Par *par, ParStimulus *s, const char *path, const ParLine *line) {
  TextSource source = {0};
  int64_t n = 0, number, kept = 0, bare = 0;
  uint8_t *cells = NULL;
  Status status = source_open(path, path, &source);
  TRY_DONE(status);
  TRY_DONE(par_cell_nodes(par, &cells));
  TRY_DONE(source_text_int(&source, "the number of nodes", &n));
  TRY_DONE(source_check_count(&source, source.at, "nodes", n, 1));
  source_skip_blanks(&source);
  if (!source_take_word(&source, "intra")) source_take_word(&source, "extra");
  for (int64_t i = 0; i < n; ++i) {
    TRY_DONE(source_text_int(&source, "the number of a node", &number));
    add_node(par, s, line, number, cells, &kept, &bare);
  }
  if (kept > 0) text_add(&s->on, "]}");
  else if (bare == n) par_refuse(par, line, n ? "no node of '%s' has cells" : "'%s' has no nodes", path);
  if (kept > 0 && bare > 0)
    par_leave(par, line, "%lld of its nodes have no cells: nothing acts there", (long long)bare);
done:
  FREE(cells);
  source_close(&source);
  return status;
}

/* A file that begins with the name of the mesh is a group of it already, unless HEART.NAME.surf beside HEART.NAME.vtx is what the name
 * stands for. */
static bool add_group(Par *par, ParStimulus *s, const char *path) {
  const char *mesh = par->mesh->path, *dot = strrchr(mesh, '.');
  const size_t n = (size_t)(dot - mesh), m = strlen(path);
  char name[256];
  if (m < n + 6 || strncmp(path, mesh, n) != 0 || path[n] != '.') return false;
  snprintf(name, sizeof name, "%.*s", (int)(m - n - 5), path + n + 1);
  for (int32_t dim = 1; dim <= par->mesh->dim; ++dim)
    if (mesh_group_dim(par->mesh, name, dim)) return false;
  if (!mesh_group(par->mesh, name)) return false;
  text_add(&s->on, "%s", name);
  return true;
}

static Status add_place(Par *par, ParStimulus *s) {
  const ParLine *file = par_find(par, "%s.%s", s->array, s->of->file);
  const ParLine *varying = par_find(par, "%s.elec.vtx_fcn", s->array);
  char *path = NULL;
  if (!varying) varying = par_find(par, "%s.vtx_fcn", s->array);
  if (varying && strcmp(varying->value, "0") != 0)
    par_refuse(par, varying, "strengths that differ from node to node cannot be had");
  if (!file || !*file->value) {
    add_shape(par, s);
    return OK;
  }
  TRY(par_path(par, file->value, ".vtx", &path));
  if (!path) {
    par_refuse(par, file, "there is no file '%s.vtx', neither beside this file nor in the current folder", file->value);
    return OK;
  }
  const Status status = !s->of_volume && add_group(par, s, path) ? OK : add_nodes(par, s, path, file);
  FREE(path);
  return status;
}

static void check_pulse(Par *par, const ParStimulus *s) {
  static const char *const waves[] = {"pulse.shape", "pulse.file", "pulse.bias", "pulse.s2", "data_file",
                                      "pulse_file",  "d1",         "s2",         "bias"};
  static const char *const even[] = {"pulse.tau_edge", "pulse.tau_plateau", "pulse.name",         "ptcl.name",
                                     "elec.name",      "elec.domain",       "elec.dump_vtx_file", "dump_vtx_file",
                                     "tau_edge",       "tau_plateau"};
  for (size_t i = 0; i < sizeof waves / sizeof *waves; ++i) {
    const ParLine *line = par_find(par, "%s.%s", s->array, waves[i]);
    if (line && *line->value && strcmp(line->value, "0") != 0)
      par_refuse(par, line, "is '%s': pulses are square here", line->value);
  }
  for (size_t i = 0; i < sizeof even / sizeof *even; ++i) {
    const ParLine *line = par_find(par, "%s.%s", s->array, even[i]);
    if (line && *line->value && strstr(even[i], "tau_")) par_leave(par, line, "pulses have no edges here");
  }
}

/* When each pulse of a stimlist begins, such as "0,+240"; how many, 0: it is refused. */
static int list_starts(Par *par, const ParLine *list, double t[PULSES_MOST]) {
  double time = 0;
  int n = 0;
  for (const char *p = list->value; *p && n < PULSES_MOST;) {
    char *end;
    const bool more = *p == '+';
    const double value = strtod(p + more, &end);
    if (end == p + more) {
      par_refuse(par, list, "is '%s', not a list of times such as \"0,+240\"", list->value);
      return 0;
    }
    t[n++] = time = more ? time + value : value;
    p = end + strspn(end, " ,");
  }
  return n;
}

/* When each pulse begins: those of a stimlist, or of a train, with its length. */
typedef struct ParPulses {
  int n;
  double duration, t[PULSES_MOST];
  bool listed;
} ParPulses;
static void read_pulses(Par *par, const ParFamily *of, const char *array, ParPulses *out) {
  const ParLine *list = par_find(par, "%s.ptcl.stimlist", array), *pulses = par_find(par, "%s.%s", array, of->count);
  const double start = par_number(par, 0, "%s.%s", array, of->start),
               period = par_number(par, 0, "%s.%s", array, of->period);
  out->duration = par_number(par, 0, "%s.%s", array, of->duration);
  out->n = par_integer(par, 1, "%s.%s", array, of->count);
  out->listed = list && *list->value;
  if (!(out->duration > 0))
    par_refuse(par, par_find(par, "%s.%s", array, of->duration), "%s needs a %s > 0, ms", array, of->duration);
  if (out->n < 1) par_refuse(par, pulses, "is %d, must be 1 or more", out->n);
  if (out->n > PULSES_MOST) par_refuse(par, pulses, "is %d, must be at most %d", out->n, PULSES_MOST);
  if (out->n > 1 && out->listed) par_leave(par, pulses, "the times are those of ptcl.stimlist");
  else if (out->n > 1 && !(period > 0)) par_refuse(par, pulses, "is %d, and there is no %s", out->n, of->period);
  if (out->listed) out->n = list_starts(par, list, out->t);
  for (int k = 0; k < out->n && k < PULSES_MOST && !out->listed; ++k) out->t[k] = start + k * period;
}

/* Start, duration and train of the k-th entry; those of a stimlist are entries of their own. */
static int entries_of(const ParPulses *p) { return p->listed ? p->n : 1; }
static void add_times(Text *text, const ParPulses *p, int k, const char *what) {
  text_add(text, "start: %.10g, duration: %.10g, %s", p->t[k], p->duration, what);
  if (p->n > 1 && !p->listed) text_add(text, ", period: %.10g, count: %d", p->t[1] - p->t[0], p->n);
}

/* what: "amplitude: 50". */
static void add_entries(Par *par, ParStimulus *s, const char *what) {
  ParPulses pulses;
  read_pulses(par, s->of, s->array, &pulses);
  for (int k = 0; k < entries_of(&pulses); ++k) {
    text_add(par->text, "  - {name: %s, on: %s, ", s->name, s->on.data ? s->on.data : "?");
    add_times(par->text, &pulses, k, what);
    text_add(par->text, "}     # %s\n", s->array);
  }
}

/* What balances another current takes its times, one entry by one. */
static void add_currents(Par *par, const ParStimulus *s, int source, const char *what) {
  ParPulses pulses;
  char from[24];
  snprintf(from, sizeof from, "%s[%d]", s->of->array, source);
  read_pulses(par, s->of, from, &pulses);
  for (int k = 0; k < entries_of(&pulses); ++k) {
    char number[16] = "";
    if (k) snprintf(number, sizeof number, "-%d", k + 1);
    text_add(par->text, "  - {name: %s%s, on: %s, ", s->name, number, s->on.data ? s->on.data : "?");
    if (source != s->k) text_add(par->text, "balances: electrode-%d%s", source, number);
    else add_times(par->text, &pulses, k, what);
    text_add(par->text, "}     # %s\n", s->array);
  }
}

static bool is_whole(Par *par, const ParStimulus *s) { return stimulus_number(par, s, s->of->whole, 0) != 0; }

static void add_current(Par *par, const ParStimulus *s) {
  const ParLine *of = par_find(par, "%s.%s", s->array, s->of->balance);
  const int balances = par_integer(par, -1, "%s.%s", s->array, s->of->balance);
  const double strength = stimulus_number(par, s, s->of->strength, 0);
  const char *array = s->of->array;
  char what[96];
  if (is_whole(par, s)) snprintf(what, sizeof what, "current: %.10g", MA * strength);
  else snprintf(what, sizeof what, "density: %.10g", PER_MM3 * strength);
  if (balances < 0) add_currents(par, s, s->k, what);
  else if (balances == s->k ||
           par_integer(par, TRANSMEMBRANE, "%s[%d].%s", array, balances, s->of->type) != EXTRACELLULAR_CURRENT)
    par_refuse(par, of, "is %d: %s[%d] is no other current outside of the cells", balances, array, balances);
  else add_currents(par, s, balances, what);
}

/* A current into, or a potential of, the space outside of the cells. */
static void add_electrode(Par *par, ParStimulus *s) {
  char what[96];
  const ParLine *of = par_find(par, "%s.%s", s->array, s->of->balance),
                *list = par_find(par, "%s.ptcl.stimlist", s->array);
  if (s->type == EXTRACELLULAR_CURRENT) {
    add_current(par, s);
    return;
  }
  if (par_integer(par, -1, "%s.%s", s->array, s->of->balance) >= 0)
    par_leave(par, of, "%s is no current, and balances none", s->array);
  if (s->type == GROUND) {
    text_add(par->text, "  - {name: %s, on: %s, ground: true}     # %s\n", s->name, s->on.data ? s->on.data : "?",
             s->array);
    return;
  }
  if (list && strpbrk(list->value + strspn(list->value, " ,"), " ,"))
    par_refuse(par, list, "electrodes that hold a potential have even trains here, by npls and bcl");
  snprintf(what, sizeof what, "potential: %.10g", stimulus_number(par, s, s->of->strength, 0));
  add_entries(par, s, what);
}

static void check_type(Par *par, const ParStimulus *s) {
  const ParLine *line = par_find(par, "%s.%s", s->array, s->of->type);
  const bool outside = s->type >= EXTRACELLULAR_CURRENT && s->type <= GROUND;
  if (s->type == TRANSMEMBRANE || (outside && par_bidomain(par))) return;
  par_refuse(par, line, "is %d%s", s->type,
             outside ? ", a source outside of the cells, which needs 'bidomain = 1'"
                     : "\n  allowed: 0 (current through the membrane); with 'bidomain = 1' also 1 (current outside), 2 "
                       "(potential, "
                       "closed circuit) and 3 (ground)");
}

/* What stands in a case without quotes. */
static bool is_word(const char *text) {
  if (!isalpha((unsigned char)*text) || strlen(text) > 40) return false;
  while (isalnum((unsigned char)*text) || *text == '_' || *text == '-') ++text;
  return !*text;
}

static Status add_stimulus(Par *par, const ParFamily *of, int k, bool electrodes, bool *any) {
  ParStimulus s = {.of = of, .k = k};
  char what[64];
  snprintf(s.array, sizeof s.array, "%s[%d]", of->array, k);
  s.type = par_integer(par, TRANSMEMBRANE, "%s.%s", s.array, of->type);
  if ((s.type != TRANSMEMBRANE) != electrodes) return OK;
  const ParLine *called = par_find(par, "%s.name", s.array);
  snprintf(s.name, sizeof s.name, "%s-%d", electrodes ? "electrode" : "stimulus", k);
  if (called && !electrodes && is_word(called->value)) snprintf(s.name, sizeof s.name, "%s", called->value);
  const double strength = par_number(par, 0, "%s.%s", s.array, of->strength);
  if (!electrodes && !(fabs(strength) > 0)) {
    par_leave(par, NULL, "%s has no strength: it is no stimulus", s.array);
    return OK;
  }
  check_type(par, &s);
  check_pulse(par, &s);
  s.of_volume = s.type == EXTRACELLULAR_CURRENT && fabs(strength) > 0 && !is_whole(par, &s);
  Status status = add_place(par, &s);
  if (status == OK && s.on.status == OK) {
    if (!*any) text_add(par->text, electrodes ? "electrodes:\n" : "stimuli:\n");
    *any = true;
    snprintf(what, sizeof what, "amplitude: %.10g", strength);
    par->shocked = par->shocked || electrodes;
    if (electrodes) add_electrode(par, &s);
    else add_entries(par, &s, what);
  }
  if (status == OK) status = s.on.status;
  text_release(&s.on);
  return status;
}

Status par_stimuli(Par *par) {
  const bool both = par_any(par, "stim[") && par_any(par, "stimulus[");
  const ParFamily *of = &families[par_any(par, "stimulus[")];
  const int n = par_count(par, "num_stim", of->array, 0);
  if (both) par_refuse(par, NULL, "has stim[] and stimulus[]; a file has one of them");
  for (int electrodes = 0; electrodes < 2 && !both; ++electrodes) {
    bool any = false;
    for (int k = 0; k < n; ++k) TRY(add_stimulus(par, of, k, electrodes, &any));
  }
  return OK;
}
