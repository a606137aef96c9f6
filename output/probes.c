/* probes.csv: a row is one write of one line, so that a killed run leaves at most one torn line at the end. A run that
 * goes on keeps what a checkpoint knows of, by length and checksum. */
#include "output/writer.h"

#include "core/memory.h"
#include "core/own_file.h"
#include "output/folder.h"
#include "output/receipt.h"
#include "output/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ProbeFile {
  char *path, *temporary; /* owned; it has the second name until the result gets its own (publish.h) */
  int file;
  int32_t n;
  Text line;
  Checksum sum; /* of the file */
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

static void make_header(ProbeFile *probes, const ProbeFileParams *params) {
  text_add(&probes->line, "%s", params->first ? params->first : "time");
  for (int32_t c = 0; c < params->n_column; ++c) {
    text_add(&probes->line, ",");
    add_name(&probes->line, params->name[c]);
  }
  text_add(&probes->line, "\n");
}

static Status start_new(ProbeFile *probes) {
  probes->file = own_file_make(probes->temporary);
  CHECK(probes->file >= 0, ERR_IO, "cannot make '%s': %s", probes->temporary, strerror(errno));
  checksum_add(&probes->sum, probes->line.data, probes->line.n);
  return write_at(probes, probes->line.data, probes->line.n, 0);
}

static bool has_header(const ProbeFile *probes) {
  const Text *header = &probes->line;
  char seen[4096];
  for (int64_t at = 0; at < header->n;) {
    const size_t want = header->n - at < (int64_t)sizeof seen ? (size_t)(header->n - at) : sizeof seen;
    if (pread(probes->file, seen, want, at) != (ssize_t)want || memcmp(seen, header->data + at, want) != 0)
      return false;
    at += (int64_t)want;
  }
  return true;
}

static Status continue_by(ProbeFile *probes, const Receipt *receipt) {
  const ReceiptHead *head = &receipt->head;
  TRY(own_file_open(probes->path, &probes->file));
  CHECK(head->probes_bytes >= probes->line.n, ERR_RESTART, "'%s' belongs to a run without probes", probes->path);
  TRY(receipt_sum_beside(probes->file, probes->path, "its table", head->probes_bytes, head->probes_sum, &probes->sum));
  CHECK(has_header(probes), ERR_RESTART, "'%s' has other columns than this case", probes->path);
  return truncate_at(probes, head->probes_bytes);
}

static Status continue_old(ProbeFile *probes, const ProbeFileParams *params) {
  Receipt receipt;
  TRY(receipt_unpack(params->receipt, params->n_receipt, &receipt));
  const Status status = receipt_counts_on(continue_by(probes, &receipt), receipt.head.probes_bytes);
  receipt_release(&receipt);
  return status;
}

Status probe_file_create(const ProbeFileParams *params, ProbeFile **out) {
  *out = NULL;
  ProbeFile *probes = NULL;
  Status status = OK;
  ALLOC(probes, 1, "the probe file");
  probes->file = -1;
  probes->n = params->n_column;
  TRY_DONE(output_path(params->folder, "probes.csv", &probes->path));
  TRY_DONE(output_path(params->folder, "probes.csv.new", &probes->temporary));
  make_header(probes, params);
  TRY_DONE(probes->line.status);
  status = params->receipt ? continue_old(probes, params) : start_new(probes);
done:
  if (status != OK) probe_file_close(&probes);
  else *out = probes;
  return status;
}

Status probe_file_row(ProbeFile *probes, double time, const double *values) {
  text_cut(&probes->line, 0);
  text_add(&probes->line, "%.17g", time);
  for (int32_t c = 0; c < probes->n; ++c) {
    if (isnan(values[c])) text_add(&probes->line, ",nan"); /* not "-nan" */
    else text_add(&probes->line, ",%.17g", values[c]);
  }
  text_add(&probes->line, "\n");
  CHECK(probes->line.status == OK, probes->line.status, "not enough memory for a row of '%s'", probes->path);
  const int64_t at = probes->sum.n_byte;
  const Status status = write_at(probes, probes->line.data, probes->line.n, at);
  if (status == OK) checksum_add(&probes->sum, probes->line.data, probes->line.n);
  if (status == OK) return OK;
  if (ftruncate(probes->file, at) != 0) return status_context(status, "its last line may be incomplete");
  return status_context(status, "the rows before time %g are safe there", time);
}

Status probe_file_sync(ProbeFile *probes, int64_t *n_byte, uint64_t *sum) {
  TRY(output_check_named(probes->file, probes->path));
  CHECK(fdatasync(probes->file) == 0, ERR_IO, "cannot put '%s' on the disk: %s", probes->path, strerror(errno));
  *n_byte = probes->sum.n_byte;
  *sum = checksum_value(&probes->sum);
  return OK;
}

/* Without its name it is removed: there is no result. */
static Status probes_settle(ProbeFile *probes) {
  if (output_is_named(probes->file, probes->temporary)) {
    unlink(probes->temporary);
    return OK;
  }
  int64_t n;
  uint64_t sum;
  return probe_file_sync(probes, &n, &sum);
}

Status probe_file_close(ProbeFile **out) {
  ProbeFile *probes = *out;
  if (!probes) return OK;
  Status status = probes->file >= 0 ? probes_settle(probes) : OK;
  if (probes->file >= 0 && close(probes->file) != 0 && status == OK)
    status = FAIL(ERR_IO, "cannot finish writing '%s': %s", probes->path, strerror(errno));
  text_release(&probes->line);
  FREE(probes->path);
  FREE(probes->temporary);
  FREE(*out);
  return status;
}
