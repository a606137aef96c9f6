/* Cells of a region: the model, its parameters, and the states that cells begin with. */
#include "app/carp/par.h"
#include "app/input/carp_names.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "physics/ionic.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of flags=.. and of presets; the first one is openCARP's unless flags are given. */
typedef struct ParLayer {
  const char *flag, *preset;
} ParLayer;
static const ParLayer layers[] = {{"EPI", "epi"}, {"ENDO", "endo"}, {"MCELL", "mid"}, {"M", "mid"}, {"MID", "mid"}};
static const char *const begin_endo[] = {"ohara-rudy", "tor-ord"};

/* Equal but for capitals, dashes and underscores. */
static bool same_name(const char *a, const char *b) {
  for (;; ++a, ++b) {
    while (*a == '-' || *a == '_') ++a;
    while (*b == '-' || *b == '_') ++b;
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
    if (!*a) return true;
  }
}

static int parameter_of(int kind, const char *name) {
  const IonicType *type = ionic_type(kind);
  const char *word = carp_parameter(name);
  char plain[64]; /* maxI_NaCa as maxINaCa */
  size_t n = 0;
  for (const char *p = name; *p && n + 1 < sizeof plain; ++p)
    if (*p != '_') plain[n++] = *p;
  plain[n] = 0;
  if (!word) word = carp_parameter(plain);
  for (int k = 0; k < type->n_param; ++k)
    if (same_name(type->param[k].name, name)) return k;
  return word ? ionic_parameter(kind, word) : -1;
}

/* "EPI" to a preset of the model; NULL: it has none of that name. */
static const char *preset_of(int kind, const char *flag) {
  for (size_t k = 0; k < sizeof layers / sizeof *layers; ++k)
    if (!strcasecmp(layers[k].flag, flag) && ionic_preset(kind, layers[k].preset) >= 0) return layers[k].preset;
  return NULL;
}

static const char *usual_preset(int kind) {
  const IonicType *type = ionic_type(kind);
  for (size_t k = 0; k < sizeof begin_endo / sizeof *begin_endo; ++k)
    if (!strcmp(begin_endo[k], type->name)) return "endo";
  return ionic_preset(kind, "epi") >= 0 ? "epi" : NULL;
}

/* A change of a parameter: "GKs*0.5", "GNa=12", "GKr-10%". */
typedef struct ParChange {
  char name[48], op;
  double value;
  bool percent;
} ParChange;

static bool change_of(const char *text, size_t n, ParChange *out) {
  char number[64];
  const char *why;
  size_t used = 0, digits = 0;
  for (; n && *text != '=' && !strchr("*/+-", *text); ++text, --n)
    if (*text != ' ' && used + 1 < sizeof out->name) out->name[used++] = *text;
  out->name[used] = 0;
  if (n < 2 || used == 0) return false;
  out->op = *text;
  for (size_t i = 1; i < n && digits + 1 < sizeof number; ++i)
    if (text[i] != ' ') number[digits++] = text[i];
  out->percent = digits > 0 && number[digits - 1] == '%';
  number[digits - (out->percent ? 1 : 0)] = 0;
  return number_parse(number, &out->value, &why);
}

/* The value as a number or a factor, as a case has it. base: of the preset; NULL: nobody knows. False: there is none. */
static bool add_change(Text *text, const ParChange *c, const double *base) {
  double factor = 1;
  if (c->op == '=' && !c->percent) {
    text_add(text, "%.10g", c->value);
    return true;
  }
  if (!c->percent && (c->op == '+' || c->op == '-')) {
    if (base) text_add(text, "%.10g", *base + (c->op == '+' ? c->value : -c->value));
    return base != NULL;
  }
  if (c->percent && c->op == '/') return false;
  if (c->percent && c->op == '*') return false;
  if (c->op == '*') factor = c->value;
  else if (c->op == '/') factor = 1 / c->value;
  else if (c->op == '=') factor = c->value / 100;
  else factor = 1 + (c->op == '+' ? c->value : -c->value) / 100;
  text_add(text, "\"*%.10g\"", factor);
  return true;
}

static double preset_value(int kind, const char *preset, int parameter) {
  const int which = preset ? ionic_preset(kind, preset) : 0;
  return ionic_type(kind)->preset[which].value[parameter];
}

/* The preset of the flags of a list, or openCARP's own for the model. */
static const char *chosen_preset(Par *par, int kind, int region, const ParLine *changes) {
  const char *usual = usual_preset(kind), *flags = changes ? strstr(changes->value, "flags") : NULL;
  char flag[32] = "";
  if (!flags) {
    if (usual)
      par_leave(par, NULL, "imp_region[%d] has no flags: its cells are 'preset: %s', openCARP's own for this model",
                region, usual);
    return usual;
  }
  flags += strcspn(flags, "=,");
  if (*flags == '=') snprintf(flag, sizeof flag, "%.*s", (int)strcspn(flags + 1, ", "), flags + 1);
  const char *preset = preset_of(kind, flag);
  if (!preset) par_refuse(par, changes, "'flags=%s' is no layer of '%s'", flag, ionic_type(kind)->name);
  return preset;
}

/* Mitchell and Schaeffer's V goes from V_min to V_max, 0 and 1 unless changed. True: it was one of the two. */
static bool add_range(int kind, const ParChange *change, double range[2]) {
  if (strcmp(ionic_type(kind)->name, "mitchell-schaeffer") != 0 || change->op != '=' || change->percent) return false;
  const int end = same_name(change->name, "V_max") ? 1 : same_name(change->name, "V_min") ? 0 : -1;
  if (end >= 0) range[end] = change->value;
  return end >= 0;
}

static void add_parameter(Par *par, int kind, const char *preset, const ParLine *line, const ParChange *change) {
  const IonicType *type = ionic_type(kind);
  const int which = parameter_of(kind, change->name);
  if (which < 0) {
    par_refuse(par, line, "'%s' is no parameter of '%s' that is known here\n  'sinew list ionic' has them",
               change->name, type->name);
    return;
  }
  const double base = preset_value(kind, preset, which);
  const bool other_unit = !strcmp(type->param[which].name, "p-cal") && strchr("=+-", change->op) && !change->percent;
  text_add(par->text, ", %s: ", type->param[which].name);
  if (other_unit || !add_change(par->text, change, &base))
    par_refuse(par, line, "this change of '%s' cannot be had: as a factor, '%s*0.5', it can", change->name,
               change->name);
}

/* Of a built-in model: its name, preset and parameters. */
static void add_built_in(Par *par, int kind, int region, const ParLine *changes) {
  const char *preset = chosen_preset(par, kind, region, changes), *list = changes ? changes->value : "";
  double range[2] = {0, 1};
  text_add(par->text, "    ionic: {model: %s", ionic_type(kind)->name);
  if (preset) text_add(par->text, ", preset: %s", preset);
  for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
    ParChange change;
    const size_t n = strcspn(p, ",");
    if (!strncmp(p + strspn(p, " "), "flags", 5)) continue;
    if (!change_of(p, n, &change)) par_refuse(par, changes, "'%.*s' is no change of a parameter", (int)n, p);
    else if (!add_range(kind, &change, range)) add_parameter(par, kind, preset, changes, &change);
  }
  if (!strcmp(ionic_type(kind)->name, "mitchell-schaeffer"))
    text_add(par->text, ", rest: %.10g, amplitude: %.10g", range[0], range[1] - range[0]);
  text_add(par->text, "}     # imp_region[%d]\n", region);
}

static Status add_from_file(Par *par, const char *path, int region, const ParLine *changes) {
  int count = 0;
  text_add(par->text, "    ionic: {file: ");
  TRY(par_relative(par, path, par->text));
  for (const char *p = changes ? changes->value : ""; *p; p += strcspn(p, ","), p += *p == ',') {
    ParChange change;
    const size_t n = strcspn(p, ",");
    if (!change_of(p, n, &change)) {
      par_refuse(par, changes, "'%.*s' is no change of a parameter", (int)n, p);
      continue;
    }
    text_add(par->text, "%s%s: ", count++ ? ", " : ", parameters: {", change.name);
    if (!strcmp(change.name, "flags") || !add_change(par->text, &change, NULL))
      par_refuse(par, changes, "'%.*s' cannot be had of a model in a file: give a number or a factor", (int)n, p);
  }
  text_add(par->text, "%s}     # imp_region[%d]\n", count ? "}" : "", region);
  return par->text->status;
}

static int built_in(const char *name) {
  const char *word = carp_model_here(name);
  return word ? ionic_by_name(word) : -1;
}

/* Plugins in a list with colons. Those that make a tension of calcium or potential alone change nothing of what is run here. */
static void check_plugins(Par *par, const ParLine *line) {
  static const char *const tension[] = {"LandHumanStress", "LandStress", "TanhStress", "NPStress"};
  bool apart = true;
  if (!line || !*line->value) return;
  for (const char *p = line->value; *p;) {
    const size_t n = strcspn(p, ": ");
    bool one = n == 0;
    for (size_t k = 0; k < sizeof tension / sizeof *tension; ++k)
      one |= strlen(tension[k]) == n && strncmp(p, tension[k], n) == 0;
    apart = apart && one;
    p += n + (p[n] != 0);
  }
  if (apart)
    par_leave(par, line, "is '%s': tension acts in 'physics: electromechanics' alone, as 'tension: {model: land}'",
              line->value);
  else par_refuse(par, line, "is '%s': there are no plugins of models", line->value);
}

Status par_cells(Par *par, int region) {
  const ParLine *model = par_find(par, "imp_region[%d].im", region);
  const ParLine *changes = par_find(par, "imp_region[%d].im_param", region);
  const ParLine *fraction = par_find(par, "imp_region[%d].volFrac", region);
  const ParLine *plugins = par_find(par, "imp_region[%d].plugins", region);
  char *path = NULL;
  par_find(par, "imp_region[%d].name", region);
  if (fraction && strcmp(fraction->value, "1") != 0 && strcmp(fraction->value, "1.") != 0 &&
      strcmp(fraction->value, "1.0") != 0)
    par_refuse(par, fraction, "is '%s': only 1 can be had; multiply cellSurfVolRatio by it", fraction->value);
  check_plugins(par, plugins);
  if (!model) {
    par_refuse(par, NULL, "imp_region[%d] has no im, and openCARP's own, LuoRudy91, is not built in", region);
    return OK;
  }
  if (built_in(model->value) >= 0) {
    add_built_in(par, built_in(model->value), region, changes);
    return OK;
  }
  TRY(par_path(par, model->value, ".model", &path));
  Status status = OK;
  if (path) status = add_from_file(par, path, region, changes);
  else
    par_refuse(par, model, "'%s' %s", model->value,
               "is no model that is built in\n  remedy: put its .model file beside the parameter file");
  FREE(path);
  return status;
}

/* ---- what they begin with ---- */

/* States whose names differ by more than dashes. */
typedef struct ParState {
  const char *model, *name, *word;
} ParState;
static const ParState states[] = {{"ten-tusscher", "R_", "r-prime"}, {"mitchell-schaeffer", "h", "recovery"}};

static const char *state_of(int kind, const char *name) {
  const IonicType *type = ionic_type(kind);
  for (size_t k = 0; k < sizeof states / sizeof *states; ++k)
    if (!strcmp(states[k].model, type->name) && !strcmp(states[k].name, name)) return states[k].word;
  for (int s = 0; s < type->n_state; ++s)
    if (same_name(type->state[s].name, name)) return type->state[s].name;
  return NULL;
}

/* One line of a .sv file: a value and its name behind #, or the name of the model, behind which its states stand. others: names of what is
 * no state here. */
static void add_state(Par *par, int kind, char *line, bool *inside, int *count, Text *others) {
  char *mark = strchr(line, '#'), *name = mark ? mark + 1 + strspn(mark + 1, " \t") : NULL;
  const char *why;
  double value;
  if (!mark) {
    *inside |= isalpha((unsigned char)line[strspn(line, " \t")]) != 0;
    return;
  }
  *mark = 0;
  name[strcspn(name, " \t\r")] = 0;
  char *number = line + strspn(line, " \t");
  number[strcspn(number, " \t")] = 0;
  if (!number_parse(number, &value, &why)) return;
  const char *word = !*inside ? strcmp(name, "Vm") == 0 ? "potential" : NULL : state_of(kind, name);
  if (word) text_add(par->text, "%s%s: %.17g", (*count)++ ? ", " : "initial: {", word, value);
  else if (*inside) text_add(others, "%s%s", others->n ? ", " : "", name);
}

static Status add_states(Par *par, int kind, const ParLine *file) {
  TextSource source = {0};
  char *path = NULL;
  Text others = {0};
  bool inside = false;
  int count = 0;
  TRY(par_path(par, file->value, ".sv", &path));
  if (!path) {
    par_refuse(par, file, "there is no file '%s'", file->value);
    return OK;
  }
  Status status = source_open(path, path, &source);
  for (char *line = source.bytes, *next; status == OK && line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    add_state(par, kind, line, &inside, &count, &others);
  }
  if (others.n)
    par_leave(par, file, "%s in it are no states of '%s': parameters are those of im_param", others.data,
              ionic_type(kind)->name);
  text_release(&others);
  if (count) text_add(par->text, "}     # %s\n", file->value);
  else if (status == OK) par_refuse(par, file, "'%s' has no 'value # name' of a state", file->value);
  source_close(&source);
  FREE(path);
  return status;
}

Status par_begin(Par *par, int regions) {
  const ParLine *first = NULL;
  int kind = -1, beats = par_integer(par, 0, "prepacing_beats");
  for (int k = 0; k < regions; ++k) {
    const ParLine *model = par_find(par, "imp_region[%d].im", k), *file = par_find(par, "imp_region[%d].im_sv_init", k);
    const int own = model ? built_in(model->value) : -1;
    if (k == 0) kind = own;
    const bool same = !file == !first && (!file || !strcmp(file->value, first->value)) && own == kind;
    if (k == 0) first = file;
    else if ((file || first) && !same) {
      par_refuse(par, file ? file : first,
                 "regions begin differently; 'initial:' is one for all tissue\n  remedy: leave it out, and "
                 "add 'prepace: {cycle: 1000, beats: 100}', which paces the cells of each tissue");
      return OK;
    }
  }
  if (beats > 0) {
    text_add(par->text, "prepace: {cycle: %.10g, beats: %d, amplitude: %.10g, duration: %.10g}\n",
             par_number(par, 1000, "prepacing_bcl"), beats, par_number(par, 60, "prepacing_stimstr"),
             par_number(par, 1, "prepacing_stimdur"));
    const ParLine *times = par_find(par, "prepacing_lats");
    if (times && *times->value) par_leave(par, times, "cells are paced at one time everywhere");
  }
  if (!first || !*first->value) return OK;
  if (kind >= 0) return add_states(par, kind, first);
  par_refuse(par, first, "states of a model in a file cannot be given\n  remedy: 'prepace:'");
  return OK;
}
