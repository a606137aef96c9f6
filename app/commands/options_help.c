/* Help made from the tables of the command line: --help, the manual page, completion in the shell. */
#include "app/commands/option_lines.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 118, OPTION_WIDTH = 29 };

/* The text behind a column of `indent`, broken between words. */
static void print_wrapped(const char *text, int indent) {
  int column = indent;
  for (const char *at = text; *at;) {
    const int n = (int)strcspn(at, " ");
    if (column > indent && column + 1 + n > WIDTH) {
      printf("\n%*s", indent, "");
      column = indent;
    }
    column += printf("%s%.*s", column > indent ? " " : "", n, at);
    at += n + (at[n] == ' ');
  }
  printf("\n");
}

static void print_row(const char *head, int width, const char *text) {
  const int n = printf("  %-*s ", width, head);
  if (n > width + 3) printf("\n%*s", width + 3, "");
  print_wrapped(text, width + 3);
}

static void print_topics(const CommandLine *line, int width) {
  for (const Topic *t = line->topics; t && t->name; ++t) print_row(t->name, width, t->meaning);
}

/* "-o, --output DIR" */
static const char *option_head(const OptionLine *o, char *text, size_t size) {
  const char letter = option_letter(o->name);
  snprintf(text, size, "%c%c%s%s%s%s", letter ? '-' : ' ', letter ? letter : ' ', letter ? ", " : "  ", o->name,
           o->value ? " " : "", o->value ? o->value : "");
  return text;
}

static void help_of_program(void) {
  printf("Sinew solves elasticity, heat and the electricity of hearts by finite elements on GPUs and CPUs:\n"
         "a mesh and one YAML file in, ParaView files out.\n\nUsage: sinew COMMAND ... [options]\n\n");
  for (int i = 0; i < command_line_count(); ++i) {
    const CommandLine *line = command_line_at(i);
    char head[64];
    snprintf(head, sizeof head, "%-7s %s", line->name, line->operands);
    print_row(head, 24, line->summary);
  }
  printf("\n'sinew help COMMAND' explains a command with its options; 'sinew --version' prints the version.\n");
  for (int i = 0; i < command_line_count(); ++i) {
    const CommandLine *line = command_line_at(i);
    if (!line->topics) continue;
    printf("\n%s of 'sinew %s':\n", strchr(line->operands, 'N') && line->command == COMMAND_BENCH ? "Benches" : "Kinds",
           line->name);
    print_topics(line, 24);
  }
  char codes[512] = "";
#define CODE(name, code, text)                                                                                         \
  snprintf(codes + strlen(codes), sizeof codes - strlen(codes), "%s%d %s", code ? "; " : "", code, text);
  STATUS_LIST(CODE)
#undef CODE
  printf("\n");
  print_row("Exit codes", 12, codes);
  printf("\nA first case:\n  sinew init elasticity bracket\n  sinew run bracket\n");
}

/* With the topics that alone take it in brackets, where no topic is named. */
static void print_option(const ShownOption *o, const char *topic) {
  char head[64], text[512];
  const bool some = *o->topics && !topic;
  snprintf(text, sizeof text, "%s%s%s%s", some ? "(" : "", some ? o->topics : "", some ? ") " : "", o->line->meaning);
  print_row(option_head(o->line, head, sizeof head), OPTION_WIDTH, text);
}

void options_help(Command command, const char *topic) {
  const CommandLine *line = command_line(command);
  if (!line) {
    help_of_program();
    return;
  }
  const Topic *topic_line = NULL;
  for (const Topic *t = line->topics; t && t->name && topic; ++t)
    if (strcmp(t->name, topic) == 0) topic_line = t;
  if (topic_line)
    printf("sinew %s %s%s [options]\n  %s.\n\n%s\n", line->name, topic_line->name,
           command == COMMAND_INIT ? " FOLDER" : "", topic_line->meaning, line->detail);
  else
    printf("sinew %s %s%s[options]\n  %s.\n\n%s\n", line->name, line->operands, *line->operands ? " " : "",
           line->summary, line->detail);
  if (line->topics && !topic_line) {
    printf("\n%s:\n", command == COMMAND_BENCH ? "Names" : "Kinds");
    print_topics(line, OPTION_WIDTH);
  }
  printf("\nOptions:\n");
  ShownOption shown[SHOWN_OPTIONS_MAX];
  const int n = options_shown(command, topic_line ? topic_line->name : NULL, shown);
  for (int i = 0; i < n; ++i) print_option(&shown[i], topic_line ? topic_line->name : NULL);
  printf("\nExample:\n  %s\n", line->example);
}

/* ---- the manual page ---- */

/* Text that roff takes as it stands. */
static void options_help_roff(const char *text) {
  for (bool start = true; *text; ++text) {
    if (start && (*text == '.' || *text == '\'')) printf("\\&");
    start = *text == '\n';
    if (*text == '\\') printf("\\e");
    else if (*text == '-') printf("\\-");
    else putchar(*text);
  }
}

static void man_command(const CommandLine *line) {
  printf(".SS sinew %s ", line->name);
  options_help_roff(line->operands);
  printf("\n");
  options_help_roff(line->summary);
  printf(".\n.PP\n");
  options_help_roff(line->detail);
  printf("\n");
  for (const Topic *t = line->topics; t && t->name; ++t) {
    printf(".TP\n.B ");
    options_help_roff(t->name);
    printf("\n");
    options_help_roff(t->meaning);
    printf("\n");
  }
  ShownOption shown[SHOWN_OPTIONS_MAX];
  const int n = options_shown(line->command, NULL, shown);
  for (int i = 0; i < n; ++i) {
    const OptionLine *o = shown[i].line;
    if (o->commands == ~0u) continue;
    const char letter = option_letter(o->name);
    printf(".TP\n.B ");
    if (letter) printf("\\-%c, ", letter);
    options_help_roff(o->name);
    if (o->value) printf(" \\fI%s\\fR", o->value);
    printf("\n");
    if (*shown[i].topics) printf("(%s) ", shown[i].topics);
    options_help_roff(o->meaning);
    printf("\n");
  }
  printf(".PP\nExample:\n.PP\n.nf\n    ");
  options_help_roff(line->example);
  printf("\n.fi\n");
}

void options_man(void) {
  printf(
      ".TH SINEW 1\n.SH NAME\nsinew \\- finite elements: elasticity, heat, hearts\n.SH SYNOPSIS\n.B sinew\n.I command\n"
      "[options]\n.SH DESCRIPTION\n"
      "A mesh and one YAML file in, ParaView files out; on NVIDIA GPUs and on plain CPUs.\n.SH COMMANDS\n");
  for (int i = 0; i < command_line_count(); ++i) man_command(command_line_at(i));
  printf(".SH EXIT STATUS\n");
#define CODE(name, code, text) printf(".TP\n.B %d\n%s\n", code, text);
  STATUS_LIST(CODE)
#undef CODE
  printf(".SH ENVIRONMENT\n.TP\n.B OMP_WAIT_POLICY, GOMP_SPINCOUNT\nhow threads wait; unless one of them is set they "
         "go to sleep soon,\nand memory comes in pages of 2 MB, which\n.B GLIBC_TUNABLES\ncan change."
         "\n.TP\n.B TMPDIR\nwhere 'sinew verify' keeps results until it ends.\n.SH FILES\n"
         ".TP\n.I results/results.hdf, results.xdmf\nfields, for ParaView\n"
         ".TP\n.I results/probes.csv\na column per probe and sum, a row per time\n"
         ".TP\n.I results/report.json\nthe summary for programs\n.SH EXAMPLES\n.nf\n"
         "sinew init elasticity bracket\nsinew check bracket\nsinew run bracket \\-\\-set mesh.refine=1\n.fi\n");
}

/* ---- completion ---- */

static void words_of_options(Command command, const char *topic) {
  ShownOption shown[SHOWN_OPTIONS_MAX];
  const int n = options_shown(command, topic, shown);
  for (int i = 0; i < n; ++i)
    if (i == 0 || strcmp(shown[i - 1].line->name, shown[i].line->name) != 0) printf(" %s", shown[i].line->name);
}

/* `case` branches by the option in front: its words, or files. */
static void complete_values(void) {
  printf("  case \"$before\" in\n");
  for (int i = 0; i < option_line_count(); ++i) {
    const OptionLine *o = option_line_at(i);
    const char *words[OPTION_WORDS_MAX];
    bool before = false;
    for (int k = 0; k < i && !before; ++k) before = strcmp(option_line_at(k)->name, o->name) == 0;
    if (o->kind == TAKES_NOTHING || before) continue;
    const char letter = option_letter(o->name);
    printf("    %s%s%c) ", o->name, letter ? " | -" : "", letter ? letter : ' ');
    const int n = option_words(o, words);
    if (n) {
      printf("COMPREPLY=($(compgen -W '");
      for (int k = 0; k < n; ++k) printf("%s%s", k ? " " : "", words[k]);
      printf("' -- \"$word\"));");
    } else if (strcmp(o->value, "DIR") == 0) {
      printf("COMPREPLY=($(compgen -d -- \"$word\"));");
    } else if (strcmp(o->value, "FILE") == 0) {
      printf("COMPREPLY=($(compgen -f -- \"$word\"));");
    }
    printf(" return ;;\n");
  }
  printf("  esac\n");
}

static void complete_command(const CommandLine *line) {
  printf("    %s)\n      options='", line->name);
  words_of_options(line->command, NULL);
  printf("'\n");
  if (line->topics) {
    printf("      words='");
    for (const Topic *t = line->topics; t->name; ++t) printf(" %s", t->name);
    printf("'\n");
  } else if (line->command == COMMAND_HELP) {
    printf("      words=$commands\n");
  }
  if (line->files && strcmp(line->files, "/") != 0) printf("      files='%s'\n", line->files);
  for (const Topic *t = line->command == COMMAND_BENCH ? line->topics : NULL; t && t->name; ++t) {
    printf("      case \" ${COMP_WORDS[*]} \" in *' %s '*) options='", t->name);
    words_of_options(line->command, t->name);
    printf("' ;; esac\n");
  }
  printf("      ;;\n");
}

void options_completion(void) {
  printf("# Completion of sinew for bash; made by 'sinew help --completion'.\n_sinew() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' words='' files='' "
         "command='' w\n"
         "  local commands='");
  for (int i = 0; i < command_line_count(); ++i) printf("%s%s", i ? " " : "", command_line_at(i)->name);
  printf("'\n  COMPREPLY=()\n");
  complete_values();
  printf("  for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \" $commands \" in *\" $w \"*) command=$w; break ;; esac\n  done\n"
         "  case \"$command\" in\n    '') words=\"$commands\" options='--help --version' ;;\n");
  for (int i = 0; i < command_line_count(); ++i) complete_command(command_line_at(i));
  printf("  esac\n"
         "  case \"$word\" in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;;\n  esac\n"
         "  [ -n \"$words\" ] && COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  if [ -n \"$files\" ]; then\n"
         "    local IFS=$'\\n'\n"
         "    COMPREPLY+=($(compgen -f -- \"$word\" | grep -E \"\\.($files)\\$\") $(compgen -d -S / -- \"$word\"))\n"
         "    compopt -o nospace -o filenames 2>/dev/null\n"
         "  elif [ \"$command\" = init ]; then\n    COMPREPLY+=($(compgen -d -- \"$word\"))\n  fi\n}\n"
         "complete -F _sinew sinew\n");
}
