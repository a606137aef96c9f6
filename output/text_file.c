#include "output/text_file.h"

#include "core/memory.h"
#include "core/own_file.h"
#include "output/receipt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void text_file_begin(TextFile *file, char *path) { *file = (TextFile){.path = path}; }

void text_file_release(TextFile *file) {
  FREE(file->path);
  *file = (TextFile){0};
}

static Status read_text(const TextFile *file, int descriptor, int64_t n, Text *text) {
  char part[1 << 14];
  for (int64_t at = 0; at < n;) {
    const size_t want = n - at < (int64_t)sizeof part ? (size_t)(n - at) : sizeof part;
    const ssize_t got = pread(descriptor, part, want, at);
    CHECK(got > 0, ERR_RESTART, "'%s' cannot be read", file->path);
    text_add_bytes(text, part, got);
    at += got;
  }
  return text->status == OK ? OK : FAIL(text->status, "not enough memory for the text of '%s'", file->path);
}

static Status continue_by(TextFile *file, const ReceiptHead *head, Text *text) {
  int descriptor;
  if (head->tables_bytes == 0) return OK;
  TRY(own_file_open(file->path, &descriptor));
  Status status =
      receipt_sum_beside(descriptor, file->path, "its text", head->tables_bytes, head->tables_sum, &file->sum);
  if (status == OK) status = read_text(file, descriptor, head->tables_bytes, text);
  if (status == OK && ftruncate(descriptor, head->tables_bytes) != 0)
    status = FAIL(ERR_IO, "cannot shorten '%s': %s", file->path, strerror(errno));
  close(descriptor);
  return status;
}

Status text_file_continue(TextFile *file, const void *receipt, int64_t n_receipt, Text *text) {
  Receipt of = {0};
  TRY(receipt_unpack(receipt, n_receipt, &of));
  const Status status = receipt_counts_on(continue_by(file, &of.head, text), of.head.tables_bytes);
  receipt_release(&of);
  return status;
}

static Status append(TextFile *file, int descriptor, const Text *text) {
  for (int64_t at = file->sum.n_byte; at < text->n;) {
    const ssize_t done = pwrite(descriptor, text->data + at, (size_t)(text->n - at), at);
    if (done < 0 && errno == EINTR) continue;
    CHECK(done >= 0, ERR_IO, "cannot write to '%s': %s", file->path, strerror(errno));
    at += done;
  }
  CHECK(fdatasync(descriptor) == 0, ERR_IO, "cannot put '%s' on the disk: %s", file->path, strerror(errno));
  return OK;
}

Status text_file_sync(TextFile *file, const Text *text, int64_t *n_byte, uint64_t *sum) {
  int descriptor = -1;
  CHECK(text->status == OK, text->status, "not enough memory for the text of '%s'", file->path);
  if (text->n > file->sum.n_byte) {
    if (file->sum.n_byte > 0) TRY(own_file_open(file->path, &descriptor));
    else descriptor = own_file_make(file->path);
    CHECK(descriptor >= 0, ERR_IO, "cannot make '%s': %s", file->path, strerror(errno));
    const Status status = append(file, descriptor, text);
    close(descriptor);
    TRY(status);
    checksum_add(&file->sum, text->data + file->sum.n_byte, text->n - file->sum.n_byte);
  }
  *n_byte = file->sum.n_byte;
  *sum = checksum_value(&file->sum);
  return OK;
}
