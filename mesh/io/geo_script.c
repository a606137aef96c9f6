#include "mesh/io/geo_script.h"
#include "core/text_source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool starts_programs(const char *word, size_t n) {
  static const char *const command[] = {"SystemCall", "System", "NonBlockingSystemCall", "OnelabRun"};
  for (size_t i = 0; i < sizeof command / sizeof *command; ++i)
    if (strlen(command[i]) == n && !strncmp(command[i], word, n)) return true;
  return false;
}

/* Behind a comment or text that begins at `at`, else `at` itself. */
static const char *geo_script_skip(const char *at) {
  const char *end = NULL;
  if (at[0] == '/' && at[1] == '/') end = strchr(at, '\n');
  else if (at[0] == '/' && at[1] == '*') end = strstr(at + 2, "*/");
  else if (*at == '"' || *at == '\'')
    for (end = at + 1; *end && *end != *at && *end != '\n';) ++end;
  else return at;
  return end && *end ? end + 1 : at + strlen(at);
}

static size_t word_length(const char *at) {
  size_t n = 0;
  if (isalpha((unsigned char)*at) || *at == '_')
    while (isalnum((unsigned char)at[n]) || at[n] == '_') ++n;
  return n;
}

static Status check_geo_script(const TextSource *source) {
  for (const char *at = source->bytes; *at;) {
    const char *behind = geo_script_skip(at);
    const size_t n = behind == at ? word_length(at) : 0;
    if (n && starts_programs(at, n))
      return source_fail(
          source, at - source->bytes,
          "'%.*s' starts a program, which a mesh file may do only when you say so\n  read the file; when it "
          "comes from a source that you trust, add --trust",
          (int)n, at);
    at = behind > at ? behind : at + (n ? n : 1);
  }
  return OK;
}

Status geo_script_check(const char *path) {
  TextSource source;
  TRY(source_open(path, path, &source));
  const Status status = check_geo_script(&source);
  source_close(&source);
  return status;
}

/* The names in `DefineConstant[ h = 1, r = {2, Min 1} ];`, of which it is looked for; *list gets them. */
static bool find_constant(const char *at, const char *name, char *list, size_t room) {
  char before = 0;
  int depth = -1; /* of brackets; -1: outside of such a command */
  bool found = false;
  while (*at) {
    const char *behind = geo_script_skip(at);
    const size_t n = behind == at ? word_length(at) : 0;
    if (n && depth < 0 && n == 14 && !strncmp(at, "DefineConstant", n)) depth = 0;
    if (n && depth == 1 && (before == '[' || before == ',')) {
      found = found || (strlen(name) == n && !strncmp(at, name, n));
      const size_t end = strlen(list);
      snprintf(list + end, room - end, "%s%.*s", end ? ", " : "", (int)n, at);
    }
    if (!n && behind == at && depth >= 0 && strchr("[{(", *at)) ++depth;
    if (!n && behind == at && depth > 0 && strchr("]})", *at) && --depth == 0) depth = -1;
    if (!isspace((unsigned char)*at)) before = n ? 'a' : *at;
    at = behind > at ? behind : at + (n ? n : 1);
  }
  return found;
}

Status geo_script_defines(const char *path, const char *name) {
  TextSource source;
  char list[400] = "";
  TRY(source_open(path, path, &source));
  const bool found = find_constant(source.bytes, name, list, sizeof list);
  source_close(&source);
  CHECK(found, ERR_MESH,
        "%s: no parameter '%s'\n  parameters of a geometry: %s\n  remedy: DefineConstant[ %s = 1 ]; in the place of %s "
        "= 1;",
        path, name, *list ? list : "none", name, name);
  return OK;
}
