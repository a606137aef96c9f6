/* sinew report: a page about a result, and sinew plot --curves: its curves alone. Both are made by page.py, which is taken
 * into the program when it is built, and the Python that is installed. */
#include "app/commands/commands.h"
#include "app/commands/result_choice.h"
#include "core/memory.h"
#include "output/folder.h"
#include "page_script.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* python3 -I -c SCRIPT PROGRAM FOLDER PAGE page|curves said|quiet */
static Status command_report_start(const Options *options, char *script, char *folder, char *page) {
  static char python[] = "python3", isolated[] = "-I", inline_script[] = "-c";
  static char kind[2][8] = {"page", "curves"}, voice[2][8] = {"said", "quiet"};
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  CHECK(length > 0, ERR_IO, "the system does not say where this program is: %s", strerror(errno));
  program[length] = 0;
  char *const word[] = {
      python, isolated, inline_script, script, program, folder, page, kind[options->curves], voice[options->quiet],
      NULL};
  fflush(stdout);
  execvp(python, word);
  return FAIL(ERR_IO,
              "reports and curves are written by python3, which cannot be started: %s\n  Debian, Ubuntu: apt-get "
              "install python3",
              strerror(errno));
}

/* By its ending, a case that is named by mistake stays. */
static Status command_report_ending(const Options *options) {
  const char *wanted = options->curves ? ".svg" : ".html",
             *dot = options->output ? strrchr(options->output, '.') : NULL;
  CHECK(!options->output || (dot && strcmp(dot, wanted) == 0), ERR_USAGE, "sinew: '%s' must end in %s", options->output,
        wanted);
  return OK;
}

Status command_report(const Options *options) {
  char *folder = NULL, *script = NULL, *page = NULL;
  TRY(command_report_ending(options));
  TRY(result_or_tables_folder(options->operand[0], &folder));
  Status status = mem_text_part((const char *)page_script, sizeof page_script, "the script of a report", &script);
  if (status == OK)
    status = options->output ? mem_text(options->output, "the name of a page", &page)
                             : output_path(folder, options->curves ? "curves.svg" : "report.html", &page);
  if (status == OK) status = command_report_start(options, script, folder, page);
  FREE(folder);
  FREE(script);
  FREE(page);
  return status;
}
