#include "output/receipt.h"

#include "core/memory.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };
/* More than any result has between its arrays, and more arrays than it has. */
static const int64_t IMAGES_MOST = 1 << 28, PIECES_MOST = 1 << 20;

void receipt_release(Receipt *receipt) {
  FREE(receipt->piece);
  FREE(receipt->image);
  FREE(receipt->bytes);
  *receipt = (Receipt){0};
}

Status receipt_pack(const Receipt *r, void **bytes, int64_t *n) {
  const ReceiptHead *h = &r->head;
  const struct {
    const void *data;
    int64_t n;
  } part[] = {{h, sizeof *h},
              {r->piece, h->n_piece * (int64_t)sizeof *r->piece},
              {r->image, h->n_image * (int64_t)sizeof *r->image},
              {r->bytes, h->image_bytes}};
  unsigned char *out = NULL;
  *n = 0;
  for (int i = 0; i < 4; ++i) *n += part[i].n;
  TRY(mem_alloc(*n, 1, "the receipt of a result", bytes));
  out = *bytes;
  for (int i = 0; i < 4; ++i) {
    if (part[i].n > 0) memcpy(out, part[i].data, (size_t)part[i].n);
    out += part[i].n;
  }
  return OK;
}

static bool head_fits(const ReceiptHead *h, int64_t n) {
  if (h->n_piece < 0 || h->n_piece > PIECES_MOST || h->n_image < 0 || h->n_image > PIECES_MOST + 1 ||
      h->image_bytes < 0 || h->image_bytes > IMAGES_MOST || h->step < 0 || h->n_field < 0 || h->n_history < 0 ||
      h->history_row < 0)
    return false;
  return n == (int64_t)sizeof *h + h->n_piece * (int64_t)sizeof(ReceiptPiece) +
                  h->n_image * (int64_t)sizeof(ReceiptImage) + h->image_bytes &&
         h->n_field + h->n_history + 1 <= h->n_piece;
}

Status receipt_unpack(const void *bytes, int64_t n, Receipt *out) {
  const unsigned char *from = bytes;
  ReceiptHead head = {0};
  *out = (Receipt){0};
  if (n >= (int64_t)sizeof head) memcpy(&head, from, sizeof head);
  CHECK(n >= (int64_t)sizeof head && head_fits(&head, n), ERR_RESTART,
        "the checkpoint does not say what the result held: it is of another version of Sinew");
  Status status = mem_alloc(head.n_piece, sizeof *out->piece, "the receipt of a result", (void **)&out->piece);
  if (status == OK)
    status = mem_alloc(head.n_image, sizeof *out->image, "the receipt of a result", (void **)&out->image);
  if (status == OK) status = mem_alloc(head.image_bytes, 1, "the receipt of a result", (void **)&out->bytes);
  if (status != OK) {
    receipt_release(out);
    return status;
  }
  out->head = head;
  from += sizeof head;
  memcpy(out->piece, from, (size_t)head.n_piece * sizeof *out->piece);
  from += head.n_piece * (int64_t)sizeof *out->piece;
  memcpy(out->image, from, (size_t)head.n_image * sizeof *out->image);
  from += head.n_image * (int64_t)sizeof *out->image;
  if (head.image_bytes > 0) memcpy(out->bytes, from, (size_t)head.image_bytes);
  return OK;
}

/* All n bytes, or fewer where the file ends; -1: errno. */
static int64_t read_at(int file, unsigned char *bytes, int64_t n, int64_t place) {
  int64_t done = 0;
  while (done < n) {
    const ssize_t now = pread(file, bytes + done, (size_t)(n - done), place + done);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return -1;
    if (now == 0) break;
    done += now;
  }
  return done;
}

static Status add_image(Receipt *r, int64_t from, int64_t to) {
  if (from >= to) return OK;
  CHECK(r->head.image_bytes + to - from <= IMAGES_MOST, ERR_BUG, "%lld bytes between the arrays of a result",
        (long long)(to - from));
  r->image[r->head.n_image++] = (ReceiptImage){from, to - from};
  r->head.image_bytes += to - from;
  return OK;
}

Status receipt_take_images(int file, const char *path, const Areas *areas, Receipt *r) {
  int64_t at = 0;
  r->head.n_image = r->head.image_bytes = 0;
  ALLOC(r->image, areas->n + 1, "the receipt of a result");
  for (int32_t i = 0; i < areas->n; ++i) {
    TRY(add_image(r, at, areas->area[i].place));
    at = areas->area[i].place + areas->area[i].bytes;
  }
  TRY(add_image(r, at, r->head.file_bytes));
  ALLOC(r->bytes, r->head.image_bytes, "the receipt of a result");
  unsigned char *to = r->bytes;
  for (int64_t i = 0; i < r->head.n_image; to += r->image[i++].bytes) {
    const int64_t n = read_at(file, to, r->image[i].bytes, r->image[i].place);
    CHECK(n == r->image[i].bytes, ERR_IO, "cannot read '%s' back: %s", path,
          n < 0 ? strerror(errno) : "it is too short");
  }
  return OK;
}

Status receipt_sum(int file, const char *path, const char *name, int64_t place, int64_t n, Checksum *sum) {
  unsigned char *buffer = NULL;
  Status status = OK;
  ALLOC(buffer, BUFFER, "checksum buffer");
  for (int64_t done = 0; done < n && status == OK;) {
    const int64_t want = n - done < BUFFER ? n - done : BUFFER, got = read_at(file, buffer, want, place + done);
    if (got < 0) status = FAIL(ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    else if (got < want)
      status = FAIL(ERR_RESTART, "'%s' is cut short: %s ends after %lld of %lld bytes", path, name,
                    (long long)(done + got), (long long)n);
    else checksum_add(sum, buffer, got);
    done += want;
  }
  FREE(buffer);
  return status;
}

Status receipt_sum_beside(int file, const char *path, const char *name, int64_t n, uint64_t value, Checksum *sum) {
  TRY(receipt_sum(file, path, name, 0, n, sum));
  CHECK(checksum_value(sum) == value, ERR_RESTART, "'%s' is damaged: its checksum is wrong", path);
  return OK;
}

Status receipt_counts_on(Status status, int64_t n) {
  if (status != ERR_RESTART) return status;
  return status_context(
      status, "the checkpoint counts on %lld bytes of it; restore the file, or use --overwrite to start again",
      (long long)n);
}

Status receipt_verify(int file, const char *path, const Receipt *r, Checksum *sum) {
  for (int64_t i = 0; i < r->head.n_piece; ++i) {
    const ReceiptPiece *piece = &r->piece[i];
    sum[i] = (Checksum){0};
    TRY(receipt_sum(file, path, piece->name, piece->place, piece->bytes, &sum[i]));
    CHECK(checksum_value(&sum[i]) == piece->sum, ERR_RESTART, "'%s' is damaged: the checksum of %s is wrong", path,
          piece->name);
  }
  return OK;
}

/* Writes where the file differs from `bytes`. */
static bool put_back(int file, const unsigned char *bytes, int64_t n, int64_t place, unsigned char *buffer) {
  for (int64_t done = 0; done < n; done += BUFFER) {
    const int64_t now = n - done < BUFFER ? n - done : BUFFER;
    if (read_at(file, buffer, now, place + done) == now && memcmp(buffer, bytes + done, (size_t)now) == 0) continue;
    for (int64_t at = 0; at < now;) {
      const ssize_t put = pwrite(file, bytes + done + at, (size_t)(now - at), place + done + at);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      at += put;
    }
  }
  return true;
}

Status receipt_restore(int file, const char *path, const Receipt *r) {
  unsigned char *buffer = NULL;
  ALLOC(buffer, BUFFER, "a part of a result");
  const unsigned char *from = r->bytes;
  bool good = true;
  for (int64_t i = 0; i < r->head.n_image && good; from += r->image[i++].bytes)
    good = put_back(file, from, r->image[i].bytes, r->image[i].place, buffer);
  const int reason = errno;
  FREE(buffer);
  CHECK(good, ERR_IO, "cannot write to '%s': %s", path, strerror(reason));
  return OK;
}
