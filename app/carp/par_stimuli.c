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
static const double MM = 1e-3; /* of a micrometre */
static const double MA = 1e-3; /* of uA */

typedef struct ParStimulus {
  const ParFamily *of;
  int k, type;
  char array[24], name[64];
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

/* Numbers of a .vtx file: how many, "intra" or "extra", and one a line. */
static Status add_nodes(Par *par, ParStimulus *s, const char *path, const ParLine *line) {
  TextSource source = {0};
  Status status = source_open(path, path, &source);
  int64_t n = 0, number;
  if (status == OK) status = source_text_int(&source, "the number of nodes", &n);
  if (status == OK) status = source_check_count(&source, source.at, "nodes", n, 1);
  source_skip_blanks(&source);
  if (status == OK && !source_take_word(&source, "intra")) source_take_word(&source, "extra");
  for (int64_t i = 0; status == OK && i < n; ++i) {
    status = source_text_int(&source, "the number of a node", &number);
    if (status == OK) text_add(&s->on, "%s%lld", i ? ", " : "{nodes: [", (long long)number);
  }
  if (n > 0) text_add(&s->on, "]}");
  else if (status == OK) par_refuse(par, line, "'%s' has no nodes", path);
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
  const Status status = add_group(par, s, path) ? OK : add_nodes(par, s, path, file);
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

/* Start, duration and train, one after the other: those of a stimlist, or start, bcl and npls. what: "amplitude: 50". */
static void add_entries(Par *par, ParStimulus *s, const char *what) {
  const ParLine *list = par_find(par, "%s.ptcl.stimlist", s->array);
  const ParLine *long_ = par_find(par, "%s.%s", s->array, s->of->duration);
  const double duration = stimulus_number(par, s, s->of->duration, 0);
  const double period = stimulus_number(par, s, s->of->period, 0);
  const int count = par_integer(par, 1, "%s.%s", s->array, s->of->count);
  double time = stimulus_number(par, s, s->of->start, 0);
  if (!(duration > 0)) par_refuse(par, long_, "%s needs a %s > 0, ms", s->array, s->of->duration);
  const ParLine *pulses = par_find(par, "%s.%s", s->array, s->of->count);
  if (count < 1) par_refuse(par, pulses, "is %d, must be 1 or more", count);
  if (count > 1 && list) par_leave(par, pulses, "the times are those of ptcl.stimlist");
  else if (count > 1 && !(period > 0)) par_refuse(par, pulses, "is %d, and there is no %s", count, s->of->period);
  const char *p = list ? list->value : "";
  do {
    if (*p) {
      char *end;
      const bool more = *p == '+';
      const double value = strtod(p + more, &end);
      if (end == p + more) {
        par_refuse(par, list, "is '%s', not a list of times such as \"0,+240\"", list->value);
        return;
      }
      time = more ? time + value : value;
      p = end + strspn(end, " ,");
    }
    text_add(par->text, "  - {name: %s, on: %s", s->name, s->on.data ? s->on.data : "?");
    text_add(par->text, ", start: %.10g, duration: %.10g, %s", time, duration, what);
    if (count > 1 && !list) text_add(par->text, ", period: %.10g, count: %d", period, count);
    text_add(par->text, "}     # %s\n", s->array);
  } while (*p);
}

/* A current into, or a potential of, the space outside of the cells. */
static void add_electrode(Par *par, ParStimulus *s) {
  char what[96];
  if (s->on.data && *s->on.data == '{')
    par_refuse(
        par, NULL,
        "%s is a box, a sphere or a list of nodes; electrodes are groups of the mesh\n  remedy: a vtx_file called "
        "HEART.NAME.vtx, of the mesh HEART, with a NAME of its own",
        s->array);
  const ParLine *of = par_find(par, "%s.%s", s->array, s->of->balance),
                *pulses = par_find(par, "%s.%s", s->array, s->of->count),
                *list = par_find(par, "%s.ptcl.stimlist", s->array);
  const int balances = par_integer(par, -1, "%s.%s", s->array, s->of->balance);
  const double strength = stimulus_number(par, s, s->of->strength, 0);
  const bool whole = stimulus_number(par, s, s->of->whole, 0) != 0;
  if (balances >= 0 && s->type != EXTRACELLULAR_CURRENT)
    par_leave(par, of, "%s is no current, and balances none", s->array);
  if (s->type == GROUND) {
    text_add(par->text, "  - {name: %s, on: %s, ground: true}     # %s\n", s->name, s->on.data ? s->on.data : "?",
             s->array);
    return;
  }
  if (balances >= 0 && s->type == EXTRACELLULAR_CURRENT) {
    if (balances == s->k ||
        par_integer(par, TRANSMEMBRANE, "%s[%d].%s", s->of->array, balances, s->of->type) != EXTRACELLULAR_CURRENT)
      par_refuse(par, of, "is %d: %s[%d] is no other current outside of the cells", balances, s->of->array, balances);
    text_add(par->text, "  - {name: %s, on: %s, balances: electrode-%d}     # %s\n", s->name,
             s->on.data ? s->on.data : "?", balances, s->array);
    return;
  }
  if (s->type == EXTRACELLULAR_VOLTAGE) snprintf(what, sizeof what, "potential: %.10g", strength);
  else snprintf(what, sizeof what, "current: %.10g", MA * strength);
  if (s->type == EXTRACELLULAR_CURRENT && !whole && fabs(strength) > 0)
    par_refuse(par, par_find(par, "%s.%s", s->array, s->of->strength),
               "is in uA/cm3, and the nodes of a .vtx have no volume here\n  remedy: %s.%s = 1, with a strength in uA "
               "for all of them",
               s->array, s->of->whole);
  if (par_integer(par, 1, "%s.%s", s->array, s->of->count) > 1)
    par_refuse(par, pulses, "electrodes have one pulse here");
  if (list && strpbrk(list->value + strspn(list->value, " ,"), " ,"))
    par_refuse(par, list, "electrodes have one pulse here");
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
  Status status = add_place(par, &s);
  if (status == OK && s.on.status == OK) {
    if (!*any) text_add(par->text, electrodes ? "electrodes:\n" : "stimuli:\n");
    *any = true;
    snprintf(what, sizeof what, "amplitude: %.10g", strength);
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
