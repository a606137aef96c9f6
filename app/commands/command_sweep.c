/* sinew sweep: hands over to app/python/sinew/study.py, which is taken into the program when it is built, and the Python that is
 * installed. It runs the points by this program. */
#include "app/commands/commands.h"
#include "core/memory.h"
#include "sweep_script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* python3 -I -c SCRIPT PROGRAM, and the words of the command line but the command. */
static Status command_sweep_start(const Options *options, char *script) {
  static char python[] = "python3", isolated[] = "-I", inline_script[] = "-c"; /* no module of the current folder */
  char program[PATH_MAX];
  char **word = NULL;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  int n = 0;
  CHECK(length > 0, ERR_IO, "the system does not say where this program is: %s", strerror(errno));
  program[length] = 0;
  ALLOC(word, options->n_word + 6, "the command line of a sweep");
  word[n++] = python, word[n++] = isolated, word[n++] = inline_script, word[n++] = script, word[n++] = program;
  for (int i = 1; i < options->n_word; ++i)
    if (i != options->command_word) word[n++] = options->word[i];
  fflush(stdout);
  execvp(python, word);
  const int why = errno;
  FREE(word);
  return FAIL(ERR_IO,
              "a sweep is run by python3, which cannot be started: %s\n  Debian, Ubuntu: apt-get install python3",
              strerror(why));
}

Status command_sweep(const Options *options) {
  char *path = NULL, *script = NULL;
  CHECK(options->over, ERR_USAGE,
        "sinew: nothing to go over\n  name a key and its values: --over 'materials.0.young=[1e9, 2e9]'");
  CHECK(strcmp(options->operand[0], "-") != 0, ERR_USAGE,
        "sinew: the points of a sweep cannot share the standard input: give the case as a file");
  TRY(case_operand(options->operand[0], &path));
  FREE(path);
  TRY(mem_text_part((const char *)sweep_script, sizeof sweep_script, "the script of a sweep", &script));
  const Status status = command_sweep_start(options, script);
  FREE(script);
  return status;
}
