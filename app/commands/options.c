/* Reading the command line by its tables. */
#include "app/input/diagnostics.h"
#include "app/input/number.h"
#include "app/commands/option_lines.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 128 };

const char *command_name(Command command) {
  const CommandLine *line = command_line(command);
  return line ? line->name : "";
}

/* What other programs, or other commands, call differently: what to write instead. */
static const char *options_elsewhere(const char *name) {
  static const char *const pairs[][2] = {{"--force", "--overwrite"},
                                         {"-f", "--overwrite"},
                                         {"--gpu", "--backend cuda"},
                                         {"--cuda", "--backend cuda"},
                                         {"--cpu", "--backend cpu"},
                                         {"--device", "--backend"},
                                         {"--out", "--output"},
                                         {"--outdir", "--output"},
                                         {"--output-dir", "--output"},
                                         {"--restart", "--resume"},
                                         {"--continue", "--resume"},
                                         {"-n", "--threads"},
                                         {"-np", "--threads"},
                                         {"-t", "--threads"},
                                         {"--jobs", "--threads"},
                                         {"--debug", "--verbose"},
                                         {"--silent", "--quiet"},
                                         {"-D", "--set"},
                                         {"-s", "--set"},
                                         {"--refine", "--set mesh.refine=1"},
                                         {"--order", "--set mesh.order=2"},
                                         {"--rtol", "--set solver.rtol=1e-10"},
                                         {"--format", "--set solver.format=NAME"},
                                         {"--preconditioner", "--set solver.preconditioner=NAME"},
                                         {"--degree", "--set solver.preconditioner.degree=N"},
                                         {"--precision", "--set solver.precision=NAME"},
                                         {"--max-iterations", "--set solver.max-iterations=N"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (strcmp(pairs[i][0], name) == 0) return pairs[i][1];
  return NULL;
}

Status options_unknown(const char *what, const char *name, int n, const char *const *names, const char *more) {
  char list[1024] = "", seen[SEEN_BYTES];
  for (int i = 0; i < n; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  const char *near = nearest_name(name, n, names), *meant = options_elsewhere(name);
  for (int i = 0; meant && i < n; ++i)
    if (strlen(names[i]) == strcspn(meant, " ") && strncmp(names[i], meant, strlen(names[i])) == 0) near = meant;
  FAIL(ERR_USAGE, "sinew: unknown %s '%s'%s\n  allowed: %s", what, seen_text(name, seen), more, list);
  return near ? status_context(ERR_USAGE, "did you mean '%s'?", near) : ERR_USAGE;
}

static bool ends_with(const char *text, const char *list) {
  const char *dot = strrchr(text, '.');
  for (const char *at = dot ? list : NULL; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
    if (strcspn(at, " ") == strlen(dot + 1) && strncmp(at, dot + 1, strlen(dot + 1)) == 0) return true;
  return false;
}

/* A file where the command should be: what is done with such files. */
static const char *command_for_file(const char *name) {
  if (ends_with(name, "yaml yml")) return "run";
  if (ends_with(name, "msh geo h5 hdf")) return "info";
  return ends_with(name, "mtx") ? "solve" : NULL;
}

/* A word that stands behind a command: "materials" is one of `sinew list`. */
static const CommandLine *command_of_topic(const char *name) {
  for (int i = 0; i < command_line_count(); ++i)
    for (const Topic *t = command_line_at(i)->topics; t && t->name; ++t)
      if (strcmp(t->name, name) == 0) return command_line_at(i);
  return NULL;
}

static Status unknown_command(const char *name) {
  const char *names[NAMES_MAX], *fits = command_for_file(name);
  char seen[SEEN_BYTES];
  int n = 0;
  CHECK(!fits, ERR_USAGE, "sinew: '%s' is not a command but a file\n  did you mean 'sinew %s %s'?",
        seen_text(name, seen), fits, name);
  const CommandLine *owner = command_of_topic(name);
  CHECK(!owner, ERR_USAGE, "sinew: '%s' is not a command\n  did you mean 'sinew %s %s'?", name, owner->name, name);
  for (; n < command_line_count(); ++n) names[n] = command_line_at(n)->name;
  return options_unknown("command", name, n, names, "; 'sinew --help' explains them");
}

bool command_known(const char *name) {
  bool known = false;
  for (int i = 0; i < command_line_count(); ++i) known |= strcmp(name, command_line_at(i)->name) == 0;
  return known;
}

static Status parse_command(const char *name, Command *out) {
  for (int i = 0; i < command_line_count(); ++i)
    if (strcmp(name, command_line_at(i)->name) == 0) *out = command_line_at(i)->command;
  return *out != COMMAND_NONE ? OK : unknown_command(name);
}

/* Who takes an option of that name: "run, check", or "bench cmg heart" for those of some benches only. */
static void options_takers(const char *name, char *text, size_t size) {
  *text = 0;
  for (int k = 0; k < command_line_count(); ++k) {
    const CommandLine *command = command_line_at(k);
    ShownOption shown[SHOWN_OPTIONS_MAX];
    const int n = options_shown(command->command, NULL, shown);
    const char *before = NULL; /* the command with the topics of several meanings: "bench cmg heat" */
    for (int i = 0; i < n; ++i) {
      if (strcmp(shown[i].line->name, name) != 0) continue;
      const char *topics = shown[i].topics;
      snprintf(text + strlen(text), size - strlen(text), "%s%s%s%s",
               before  ? ""
               : *text ? ", "
                       : "",
               before ? "" : command->name, *topics ? " " : "", topics);
      before = command->name;
    }
  }
}

static Status unknown_option(const char *argument, Command command, const char *topic) {
  const char *names[NAMES_MAX];
  char more[64 + SEEN_BYTES], name[64], others[256];
  int n = 0;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
  for (int i = 0; i < option_line_count() && n < NAMES_MAX; ++i) {
    const OptionLine *line = option_line_at(i);
    const bool here = command == COMMAND_NONE ? line->commands == ~0u : option_line_is_of(line, command, topic);
    bool again = false;
    for (int k = 0; k < n; ++k) again |= strcmp(names[k], line->name) == 0;
    if (here && !again) names[n++] = line->name;
  }
  *more = 0;
  if (command != COMMAND_NONE)
    snprintf(more, sizeof more, " of 'sinew %s%s%.40s'", command_name(command), topic ? " " : "", topic ? topic : "");
  options_takers(name, others, sizeof others);
  const Status status = options_unknown("option", name, n, names, more);
  return *others && command != COMMAND_NONE ? status_context(status, "'%s' is an option of: %s", name, others) : status;
}

/* A name that means another one. */
static const char *same_word(const OptionLine *line, const char *value) {
  return line->offset == OPTION_AT(backend) && strcmp(value, "gpu") == 0 ? "cuda" : value;
}

static Status take_name(const OptionLine *line, const char *value, Options *out) {
  const char *names[OPTION_WORDS_MAX];
  const int n = option_words(line, names);
  char *at = (char *)out + line->offset;
  int k = 0;
  value = same_word(line, value);
  while (k < n && strcmp(value, names[k]) != 0) ++k;
  if (k == n) return options_unknown(line->name + 2, value, n, names, "");
  if (line->offset == OPTION_AT(backend)) *(Backend *)(void *)at = (Backend)k;
  else *(const char **)(void *)at = names[k];
  return OK;
}

static Status take_count(const OptionLine *line, const char *value, const char *seen, int *out) {
  int64_t n = 0;
  const char *why = NULL;
  CHECK(integer_parse(value, &n, &why), ERR_USAGE, "sinew: %s '%s' %s; allowed: %d to %d", line->name, seen, why,
        line->min, line->max);
  CHECK(n >= line->min && n <= line->max, ERR_USAGE, "sinew: %s is %s; allowed: %d to %d%s", line->name, seen,
        line->min, line->max, n == 0 && strstr(line->meaning, "default") ? "; leave it out for the default" : "");
  *out = (int)n;
  return OK;
}

static Status take_number(const OptionLine *line, const char *value, const char *seen, double *out) {
  const char *why = NULL;
  CHECK(number_parse(value, out, &why), ERR_USAGE, "sinew: %s '%s' %s", line->name, seen, why);
  CHECK(*out > 0, ERR_USAGE, "sinew: %s is %s; it must be more than 0", line->name, seen);
  CHECK(line->kind == TAKES_AMOUNT || *out < 1, ERR_USAGE, "sinew: %s is %s; it must be less than 1", line->name, seen);
  return OK;
}

static Status take_value(const OptionLine *line, const char *value, Options *out) {
  void *at = (char *)out + line->offset;
  char seen[SEEN_BYTES];
  seen_text(value, seen);
  if (line->kind == TAKES_NAME) return take_name(line, value, out);
  if (line->kind == TAKES_COUNT) return take_count(line, value, seen, at);
  if (line->kind == TAKES_AMOUNT || line->kind == TAKES_FRACTION) return take_number(line, value, seen, at);
  if (line->offset == OPTION_AT(set)) {
    CHECK(out->n_set < SET_MAX, ERR_USAGE, "sinew: more than %d --set options", SET_MAX);
    out->set[out->n_set++] = value;
  } else {
    CHECK(*value, ERR_USAGE, "sinew: %s has an empty value; it takes %s", line->name, line->value);
    *(const char **)at = value;
  }
  return OK;
}

/* The first line of that name, with its full name or its letter; NULL: there is none. *value: what stands behind '='
 * or, of a letter, right behind it; NULL: nothing. */
static const OptionLine *option_named(const char *argument, Command command, const char **value) {
  size_t length = strcspn(argument, "=");
  const char *name = argument;
  *value = argument[length] ? argument + length + 1 : NULL;
  if (argument[1] != '-') {
    name = option_of_letter(argument[1]);
    if (!name) return NULL;
    *value = argument[2] ? argument + 2 + (argument[2] == '=') : NULL;
    length = strlen(name);
  }
  for (int k = 0; k < option_line_count(); ++k) {
    const OptionLine *line = option_line_at(k);
    const bool here = command == COMMAND_NONE || option_line_is_of(line, command, NULL);
    if (!here || strlen(line->name) != length || strncmp(line->name, name, length) != 0) continue;
    return argument[1] != '-' && *value && line->kind == TAKES_NOTHING ? NULL : line;
  }
  return NULL;
}

static bool is_option(const char *argument) { return argument[0] == '-' && argument[1]; }

/* One option; "--key value", "--key=value", "-k value" and "-kvalue". Moves *i past a value. */
static Status parse_option(int argc, char **argv, int *i, Options *out) {
  const char *argument = argv[*i], *value;
  const OptionLine *line = option_named(argument, out->command, &value);
  if (!line) return unknown_option(argument, out->command, NULL);
  if (line->kind == TAKES_NOTHING) {
    CHECK(!value, ERR_USAGE, "sinew: %s takes no value", line->name);
    *(bool *)((char *)out + line->offset) = true;
    return OK;
  }
  if (value) return take_value(line, value, out);
  CHECK(*i + 1 < argc, ERR_USAGE, "sinew: %s needs a value: %s %s", line->name, line->name, line->value);
  return take_value(line, argv[++*i], out);
}

/* Options that only some of the first operands take ("bench pcg" but not "bench heat"). */
static Status check_topic_options(int argc, char **argv, const Options *o) {
  const CommandLine *line = command_line(o->command);
  if (!line->topics || !o->n_operand || options_topic(o->command, o->operand[0]) != OK) {
    status_clear();
    return OK; /* an unknown one is refused by the command */
  }
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    const char *value;
    const OptionLine *given = is_option(argv[i]) ? option_named(argv[i], o->command, &value) : NULL;
    if (!given) continue;
    bool taken = false;
    for (int k = 0; k < option_line_count(); ++k)
      taken |= !strcmp(option_line_at(k)->name, given->name) &&
               option_line_is_of(option_line_at(k), o->command, o->operand[0]);
    if (!taken) return unknown_option(given->name, o->command, o->operand[0]);
    i += given->kind != TAKES_NOTHING && !value;
  }
  return OK;
}

static Status check_operands(const Options *o) {
  const CommandLine *line = command_line(o->command);
  char names[512] = "";
  const char *here = line->least == 1 && line->files && strstr(line->files, "yaml") && access("case.yaml", R_OK) == 0
                         ? "case.yaml"
                         : NULL;
  CHECK(o->n_operand >= line->least || !here, ERR_USAGE, "sinew: 'sinew %s' needs %s\n  did you mean 'sinew %s %s'?",
        line->name, line->operands, line->name, here);
  for (const Topic *t = line->topics; t && t->name && strncmp(line->operands, t->name, strlen(t->name)); ++t)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", t == line->topics ? ": " : ", ", t->name);
  CHECK(o->n_operand >= line->least, ERR_USAGE, "sinew: 'sinew %s' needs %s%s\n  for example: %s", line->name,
        line->operands, names, line->example);
  CHECK(line->most < 0 || o->n_operand <= line->most, ERR_USAGE,
        "sinew: 'sinew %s' takes %s; '%s' is too many\n  for example: %s", line->name,
        *line->operands ? line->operands : "nothing", o->operand[line->most], line->example);
  CHECK(!o->quiet || !o->verbose, ERR_USAGE, "sinew: --quiet and --verbose exclude each other");
  CHECK(o->from || !(o->from_time > 0), ERR_USAGE,
        "sinew: --at says which state of --from FOLDER is meant; --from is missing");
  CHECK(!o->resume || !o->overwrite, ERR_USAGE, "sinew: --resume and --overwrite exclude each other");
  return OK;
}

/* The command is the first word that is neither an option nor the value of one. Its place, or argc. */
static int find_command(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const char *value;
    if (!is_option(argv[i])) return i;
    if (strcmp(argv[i], "--") == 0) break;
    const OptionLine *line = option_named(argv[i], COMMAND_NONE, &value);
    i += line && line->kind != TAKES_NOTHING && !value;
  }
  return argc;
}

static Status parse_words(int argc, char **argv, int at, Options *out) {
  const char **operand = NULL;
  bool options = true;
  ALLOC(operand, argc, "the command line");
  out->operand = operand;
  for (int i = 1; i < argc; ++i) {
    if (i == at) continue;
    if (options && strcmp(argv[i], "--") == 0) options = false;
    else if (options && is_option(argv[i])) TRY(parse_option(argc, argv, &i, out));
    else operand[out->n_operand++] = argv[i];
  }
  return OK;
}

Status options_parse(int argc, char **argv, Options *out) {
  *out = (Options){0};
  CHECK(argc >= 2, ERR_USAGE,
        "sinew: no command given\n  for example: sinew run CASE.yaml\n"
        "  'sinew init FOLDER' writes a case to start from; 'sinew --help' lists all commands");
  out->program = argv[0];
  const int at = find_command(argc, argv);
  out->version = at < argc && strcmp(argv[at], "version") == 0;
  out->n_word = argc;
  out->word = argv;
  out->command_word = at;
  if (at < argc && !out->version) TRY(parse_command(argv[at], &out->command));
  TRY(parse_words(argc, argv, at, out));
  if (out->help || out->version) return OK;
  CHECK(out->command != COMMAND_NONE, ERR_USAGE, "sinew: no command; 'sinew --help' lists them");
  TRY(check_operands(out));
  return check_topic_options(argc, argv, out);
}

Status options_topic(Command command, const char *name) {
  const CommandLine *line = command_line(command);
  const char *names[NAMES_MAX];
  char what[64];
  int n = 0;
  for (; line->topics && line->topics[n].name; ++n) {
    if (strcmp(line->topics[n].name, name) == 0) return OK;
    names[n] = line->topics[n].name;
  }
  snprintf(what, sizeof what, "name for 'sinew %s':", line->name);
  return options_unknown(what, name, n, names, "");
}

void options_release(Options *options) {
  const char **operand = (const char **)(void *)&options->operand;
  mem_free((void **)(void *)operand);
  *options = (Options){0};
}

static void option_again(const Options *o, const OptionLine *line, Text *out) {
  const void *at = (const char *)o + line->offset;
  const char *words[OPTION_WORDS_MAX];
  switch (line->kind) {
  case TAKES_NOTHING:
    if (*(const bool *)at) text_add(out, " %s", line->name);
    break;
  case TAKES_COUNT:
    if (*(const int *)at) text_add(out, " %s %d", line->name, *(const int *)at);
    break;
  case TAKES_AMOUNT:
  case TAKES_FRACTION:
    if (*(const double *)at > 0) text_add(out, " %s %g", line->name, *(const double *)at);
    break;
  case TAKES_NAME:
    if (line->offset == OPTION_AT(backend)) {
      option_words(line, words);
      if (o->backend != BACKEND_AUTO) text_add(out, " %s %s", line->name, words[o->backend]);
      break;
    } /* fall through */
  case TAKES_TEXT:
    if (line->offset == OPTION_AT(set)) {
      for (int i = 0; i < o->n_set; ++i) {
        text_add(out, " %s ", line->name);
        shell_word(o->set[i], out);
      }
    } else if (*(const char *const *)at) {
      text_add(out, " %s ", line->name);
      shell_word(*(const char *const *)at, out);
    }
  }
}

void options_again(const Options *o, const char *more, Text *out) {
  shell_word(o->program, out);
  text_add(out, " %s", command_name(o->command));
  for (int i = 0; i < o->n_operand; ++i) {
    text_add(out, is_option(o->operand[i]) ? " ./" : " ");
    shell_word(o->operand[i], out);
  }
  for (int i = 0; i < option_line_count(); ++i) {
    const OptionLine *line = option_line_at(i);
    if (option_line_is_of(line, o->command, NULL) && strcmp(line->name, "--overwrite") &&
        strcmp(line->name, "--resume"))
      option_again(o, line, out);
  }
  text_add(out, "%s", more);
}
