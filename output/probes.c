/* probes.csv: a row is one write of one line, so that a killed run leaves at most one torn line at the end. */
#include "output/writer.h"

#include "core/memory.h"
#include "output/folder.h"
#include "output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ProbeFile {
  char *path; /* owned */
  int file;
  int32_t n;
  Text line;
};

static void add_name(Text *text, const char *name) {
  if (!strpbrk(name, ",\"\n\r")) {
    text_add(text, "%s", name);
    return;
  }
  text_add(text, "\"");
  for (; *name; ++name) text_add(text, *name == '"' ? "\"\"" : "%c", *name);
  text_add(text, "\"");
}

/* The whole of an open file. */
static Status read_all(const ProbeFile *probes, Text *text) {
  char part[4096];
  off_t at = 0;
  ssize_t n;
  while ((n = pread(probes->file, part, sizeof part, at)) > 0 || (n < 0 && errno == EINTR)) {
    if (n < 0) continue;
    text_add_bytes(text, part, n);
    at += n;
  }
  CHECK(n == 0, ERR_IO, "cannot read '%s': %s", probes->path, strerror(errno));
  return text->status == OK ? OK : FAIL(text->status, "not enough memory for the rows of '%s'", probes->path);
}

static Status write_at(ProbeFile *probes, const char *data, int64_t n, int64_t at) {
  while (n > 0) {
    const ssize_t done = pwrite(probes->file, data, (size_t)n, at);
    if (done < 0 && errno == EINTR) continue;
    CHECK(done >= 0, ERR_IO, "cannot write to '%s': %s", probes->path, strerror(errno));
    data += done;
    n -= done;
    at += done;
  }
  return OK;
}

static Status truncate_at(ProbeFile *probes, int64_t n) {
  CHECK(ftruncate(probes->file, n) == 0 && lseek(probes->file, n, SEEK_SET) == n, ERR_IO, "cannot shorten '%s': %s",
        probes->path, strerror(errno));
  return OK;
}

/* Bytes of the whole rows at the start whose time is at most `latest`; `header` bytes are kept anyway. */
static int64_t kept_bytes(const Text *text, int64_t header, double latest) {
  int64_t kept = header;
  while (kept < text->n) {
    const char *row = text->data + kept, *end = memchr(row, '\n', (size_t)(text->n - kept));
    if (!end || strtod(row, NULL) > latest) break;
    kept += end + 1 - row;
  }
  return kept;
}

/* Checks the header of a file that is to be continued and drops a torn last line. */
static Status continue_file(ProbeFile *probes) {
  Text old = {0};
  const Text *header = &probes->line;
  Status status = read_all(probes, &old);
  if (status == OK && old.n > 0) {
    if (old.n < header->n || memcmp(old.data, header->data, (size_t)header->n) != 0)
      status =
          FAIL(ERR_RESTART, "'%s' has other columns than this case; use --overwrite or another --output", probes->path);
    else
      status = truncate_at(probes, kept_bytes(&old, header->n, (double)INFINITY));
  } else if (status == OK) {
    status = write_at(probes, header->data, header->n, 0);
    if (status == OK) status = truncate_at(probes, header->n);
  }
  text_release(&old);
  return status;
}

Status probe_file_create(const char *folder, int32_t n_column, const char *const *names, bool resume, ProbeFile **out) {
  return probe_file_create_over(folder, "time", n_column, names, resume, out);
}

Status probe_file_create_over(const char *folder, const char *first, int32_t n_column, const char *const *names,
                              bool resume, ProbeFile **out) {
  *out = NULL;
  ProbeFile *probes = NULL;
  Status status = OK;
  ALLOC(probes, 1, "the probe file");
  probes->file = -1;
  probes->n = n_column;
  TRY_DONE(output_path(folder, "probes.csv", &probes->path));
  text_add(&probes->line, "%s", first);
  for (int32_t c = 0; c < n_column; ++c) {
    text_add(&probes->line, ",");
    add_name(&probes->line, names[c]);
  }
  text_add(&probes->line, "\n");
  TRY_DONE(probes->line.status);
  probes->file = open(probes->path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_TRUNC), 0666);
  if (probes->file < 0)
    status = FAIL(ERR_IO, "cannot make '%s': %s", probes->path, strerror(errno));
  else
    status = continue_file(probes);
done:
  if (status != OK)
    probe_file_close(&probes);
  else
    *out = probes;
  return status;
}

Status probe_file_row(ProbeFile *probes, double time, const double *values) {
  text_cut(&probes->line, 0);
  text_add(&probes->line, "%.17g", time);
  for (int32_t c = 0; c < probes->n; ++c) {
    if (isnan(values[c]))
      text_add(&probes->line, ",nan"); /* not "-nan" */
    else
      text_add(&probes->line, ",%.17g", values[c]);
  }
  text_add(&probes->line, "\n");
  CHECK(probes->line.status == OK, probes->line.status, "not enough memory for a row of '%s'", probes->path);
  const off_t at = lseek(probes->file, 0, SEEK_END);
  const Status status = write_at(probes, probes->line.data, probes->line.n, at);
  if (status == OK) return OK;
  if (ftruncate(probes->file, at) != 0) return status_context(status, "its last line may be incomplete");
  return status_context(status, "the rows before time %g are safe there", time);
}

Status probe_file_rewind(ProbeFile *probes, double time) {
  Text old = {0};
  Status status = read_all(probes, &old);
  const char *end = status == OK && old.n > 0 ? memchr(old.data, '\n', (size_t)old.n) : NULL;
  if (end) status = truncate_at(probes, kept_bytes(&old, end + 1 - old.data, time + 1e-9 * fabs(time)));
  text_release(&old);
  return status;
}

Status probe_file_close(ProbeFile **out) {
  ProbeFile *probes = *out;
  if (!probes) return OK;
  Status status = OK;
  if (probes->file >= 0 && close(probes->file) != 0)
    status = FAIL(ERR_IO, "cannot finish writing '%s': %s", probes->path, strerror(errno));
  text_release(&probes->line);
  FREE(probes->path);
  FREE(*out);
  return status;
}
