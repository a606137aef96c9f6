/* sinew bench: hands over to sinew-bench (bench/main.c), so that sinew itself contains neither other solvers nor the
 * tables of papers. */
#include "app/commands/commands.h"
#include "core/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char bench_program[] = "sinew-bench";

/* The folder of this program, with '/' at its end; "" where the system does not say. */
static void own_folder(char folder[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  folder[n > 0 ? n : 0] = 0;
  char *end = strrchr(folder, '/');
  if (end) end[1] = 0;
  else *folder = 0;
}

Status command_bench(const Options *options) {
  TRY(options_topic(COMMAND_BENCH, options->operand[0]));
  char folder[PATH_MAX], beside[PATH_MAX + sizeof bench_program];
  char **word = NULL;
  int n = 0;
  ALLOC(word, options->n_word + 1, "the command line of a bench");
  word[n++] = (char *)bench_program;
  for (int i = 1; i < options->n_word; ++i)
    if (i != options->command_word) word[n++] = options->word[i];
  own_folder(folder);
  snprintf(beside, sizeof beside, "%s%s", folder, bench_program);
  fflush(stdout);
  if (*folder) execv(beside, word);
  if (!*folder || errno == ENOENT) execvp(bench_program, word);
  const int why = errno;
  FREE(word);
  CHECK(why == ENOENT, ERR_USAGE, "sinew: cannot start %s: %s", beside, strerror(why));
  return FAIL(ERR_USAGE,
              "sinew: the benches are a program of their own, %s, which is neither in %s nor on the PATH\n"
              "  it is built and installed with sinew: cmake --build BUILD --target %s",
              bench_program, *folder ? folder : "the folder of this program", bench_program);
}
