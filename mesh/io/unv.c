#include "mesh/io/unv.h"
#include "core/text_source.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool unv_is(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strcasecmp(dot, ".unv");
}

/* The four digits of a line that holds nothing else, NULL: it is another. */
static char *lone_number(char *line, const char *end, const char *digits) {
  const size_t n = strlen(digits);
  while (line < end && *line == ' ') ++line;
  if ((size_t)(end - line) < n || memcmp(line, digits, n) != 0) return NULL;
  for (const char *p = line + n; p < end && *p != '\n'; ++p)
    if (*p != ' ' && *p != '\r') return NULL;
  return line;
}

/* A data set begins with a line -1 and one with its number. */
static bool change_numbers(TextSource *source) {
  static const char *const older[] = {"2435", "2452", "2467"};
  char *end = source->bytes + source->size;
  bool changed = false, begins = false;
  for (char *line = source->bytes; line && line < end;
       line = memchr(line, '\n', (size_t)(end - line)), line += !!line) {
    for (size_t i = 0; begins && i < sizeof older / sizeof *older; ++i) {
      char *number = lone_number(line, end, older[i]);
      if (!number) continue;
      memcpy(number, "2477", 4);
      changed = true;
    }
    begins = lone_number(line, end, "-1") != NULL;
  }
  return changed;
}

Status unv_rewrite(const char *path, int to, bool *changed) {
  TextSource source;
  Status status = OK;
  TRY(source_open(path, path, &source));
  *changed = change_numbers(&source);
  for (int64_t done = 0; *changed && status == OK && done < source.size;) {
    const ssize_t n = write(to, source.bytes + done, (size_t)(source.size - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) status = FAIL(ERR_IO, "%s: a copy for gmsh cannot be written: %s", path, strerror(errno));
    done += n;
  }
  source_close(&source);
  return status;
}
