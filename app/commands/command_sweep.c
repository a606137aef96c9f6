/* sinew sweep and sinew protocol: hand over to scripts of app/python/sinew, points.py with served.py and study.py, and protocol.py, which are taken
 * into the program when it is built, and the Python that is installed. They run their points by this program. */
#include "app/commands/commands.h"
#include "core/memory.h"
#include "protocol_script.h"
#include "sweep_script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* python3 -I -c SCRIPT PROGRAM, and the words of the command line but the command. */
static Status runs_start(const Options *options, const char *what, char *script) {
  static char python[] = "python3", isolated[] = "-I", inline_script[] = "-c"; /* no module of the current folder */
  char program[PATH_MAX];
  char **word = NULL;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  int n = 0;
  CHECK(length > 0, ERR_IO, "the system does not say where this program is: %s", strerror(errno));
  program[length] = 0;
  ALLOC(word, options->n_word + 6, "the command line of runs");
  word[n++] = python, word[n++] = isolated, word[n++] = inline_script, word[n++] = script, word[n++] = program;
  for (int i = 1; i < options->n_word; ++i)
    if (i != options->command_word) word[n++] = options->word[i];
  fflush(stdout);
  execvp(python, word);
  const int why = errno;
  FREE(word);
  return FAIL(ERR_IO, "a %s is run by python3, which cannot be started: %s\n  Debian, Ubuntu: apt-get install python3",
              what, strerror(why));
}

static Status runs_of_case(const Options *options, const char *what, const unsigned char *bytes, size_t n) {
  char *path = NULL, *script = NULL;
  CHECK(strcmp(options->operand[0], "-") != 0, ERR_USAGE,
        "sinew: the points of a %s cannot share the standard input: give the case as a file", what);
  TRY(case_operand(options->operand[0], &path));
  FREE(path);
  TRY(mem_text_part((const char *)bytes, n, "the script of runs", &script));
  const Status status = runs_start(options, what, script);
  FREE(script);
  return status;
}

Status command_sweep(const Options *options) {
  CHECK(options->over, ERR_USAGE,
        "sinew: nothing to go over\n  name a key and its values: --over 'materials.0.young=[1e9, 2e9]'");
  return runs_of_case(options, "sweep", sweep_script, sizeof sweep_script);
}

Status command_protocol(const Options *options) {
  CHECK(!options->s1s2 != !options->dynamic, ERR_USAGE,
        "sinew: a protocol is one of '--s1s2 FROM,TO,STEP' and '--dynamic FROM,TO,STEP'");
  return runs_of_case(options, "protocol", protocol_script, sizeof protocol_script);
}
