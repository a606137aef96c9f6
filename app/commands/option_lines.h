/* Between the files of the command line: the table of commands and that of options. A new option is a member in
 * Options (options.h) and a line in option_table.c; reading, --help, the manual page and completion follow. */
#pragma once
#include "app/commands/options.h"

#include <stddef.h>

/* What the first operand of a command may be: a bench, a kind of list, a template. */
typedef struct Topic {
  const char *name, *meaning;
} Topic;

typedef struct CommandLine {
  Command command;
  const char *name, *operands;
  int least, most; /* operands; most < 0: any number */
  const char *summary, *detail, *example;
  const Topic *topics; /* ends with a NULL name; NULL: operands are no fixed words */
  const char *files;   /* endings of files that operands may be, "yaml|yml"; "/": folders; NULL: none */
} CommandLine;

typedef enum OptionKind { TAKES_NOTHING, TAKES_TEXT, TAKES_COUNT, TAKES_NAME, TAKES_AMOUNT, TAKES_FRACTION } OptionKind;

/* Several lines may have one name where commands or topics mean different things by it; what they take is the same. */
typedef struct OptionLine {
  const char *name, *value, *meaning;
  OptionKind kind;
  size_t offset;
  int min, max;
  unsigned commands;
  const char *of; /* the topic that takes it; NULL: all */
} OptionLine;

#define COMMAND_BIT(command) (1u << (command))
#define OPTION_AT(member) offsetof(Options, member)

int command_line_count(void);
const CommandLine *command_line_at(int i);
/* NULL for COMMAND_NONE. */
const CommandLine *command_line(Command command);
int option_line_count(void);
const OptionLine *option_line_at(int i);
/* Whether the command takes it, with `topic` as its first operand; NULL: with any. */
bool option_line_is_of(const OptionLine *line, Command command, const char *topic);
/* The options of a command as people are shown them: those of one name together, and once what several lines say, with
 * the topics they are of ("cmg heart"; "": all). topic NULL: of any. Returns how many. */
enum { SHOWN_OPTIONS_MAX = 64, SHOWN_TOPICS_BYTES = 128 };
typedef struct ShownOption {
  const OptionLine *line; /* the first */
  char topics[SHOWN_TOPICS_BYTES];
} ShownOption;
int options_shown(Command command, const char *topic, ShownOption shown[SHOWN_OPTIONS_MAX]);
/* "-o" for --output; NULL: it has no letter. And back. */
char option_letter(const char *name);
const char *option_of_letter(char letter);
/* The words that a TAKES_NAME option takes, in the order of its enum where it has one; returns how many. */
enum { OPTION_WORDS_MAX = 64 };
int option_words(const OptionLine *line, const char *words[OPTION_WORDS_MAX]);
