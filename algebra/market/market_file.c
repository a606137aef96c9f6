/* Reading Matrix Market files line by line. */
#include "algebra/market/market_file.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CUT_OFF "it is cut off: write or copy it again"
enum {
  ENTRY_BYTES = 6,
  NUMBER_BYTES = 2,
  LOOSE = 1024
}; /* the least that "1 1 1" and "1" take with a line end; LOOSE more are read, so that the message has the place */

static Status refuse_kind(const char *path, const struct stat *s) {
  const char *kind = S_ISDIR(s->st_mode)    ? "a folder (directory)"
                     : S_ISFIFO(s->st_mode) ? "a FIFO (named pipe)"
                     : !S_ISREG(s->st_mode) ? "a device, a socket or the like"
                                            : NULL;
  CHECK(!kind, ERR_MESH, "%s: is %s, not a Matrix Market file; name a regular file", path, kind);
  CHECK(s->st_size > 0, ERR_MESH, "%s: the file is empty (0 bytes); write it again", path);
  return OK;
}

static Status read_bytes(int file, const char *path, TextSource *source) {
  struct stat s;
  CHECK(fstat(file, &s) == 0, ERR_IO, "%s: %s", path, strerror(errno));
  TRY(refuse_kind(path, &s));
  TRY(mem_alloc((int64_t)s.st_size + 1, 1, "Matrix Market file", (void **)&source->bytes));
  while (source->size < s.st_size) {
    const ssize_t n = read(file, source->bytes + source->size, (size_t)(s.st_size - source->size));
    if (n < 0 && errno == EINTR) continue;
    CHECK(n >= 0, ERR_IO, "%s: reading failed at byte %lld: %s", path, (long long)source->size, strerror(errno));
    if (n == 0) break; /* it became shorter meanwhile */
    source->size += n;
  }
  source->bytes[source->size] = 0;
  return OK;
}

static Status read_file(const char *path, TextSource *source) {
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); /* a FIFO must not block */
  if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
    return FAIL(ERR_MESH, "%s: file not found; check the path", path);
  CHECK(file >= 0, ERR_MESH, "%s: cannot open this file: %s", path, strerror(errno));
  const Status status = read_bytes(file, path, source);
  close(file);
  TRY(status);
  CHECK(memcmp(source->bytes, "\x1f\x8b", 2) || source->size < 2, ERR_MESH,
        "%s: is compressed by gzip; unpack it first: gunzip -k '%s'", path, path);
  return OK;
}

/* Over blanks, line ends and comments. */
static void skip_to_content(TextSource *s) {
  for (;;) {
    source_skip_blanks(s);
    if (s->at >= s->size || s->bytes[s->at] != '%') return;
    source_next_line(s);
  }
}

static void skip_spaces(TextSource *s) {
  while (s->at < s->size && (s->bytes[s->at] == ' ' || s->bytes[s->at] == '\t')) ++s->at;
}

/* The next number must stand on the same line. */
static Status same_line(TextSource *s, const char *what) {
  skip_spaces(s);
  if (s->at >= s->size) return source_fail(s, s->at, "the file ends where %s was expected; " CUT_OFF, what);
  if (s->bytes[s->at] != '\n' && s->bytes[s->at] != '\r') return OK;
  char line[64];
  source_quote_line(s, s->at, line);
  return source_fail(s, s->at, "the line %s ends where %s was expected", line, what);
}

static Status line_end(TextSource *s, const char *holds) {
  skip_spaces(s);
  if (s->at < s->size && s->bytes[s->at] == '\r') ++s->at;
  if (s->at >= s->size || s->bytes[s->at] == '\n') return OK;
  char line[64];
  source_quote_line(s, s->at, line);
  return source_fail(s, s->at, "there is more on the line %s than %s", line, holds);
}

enum { HEADER_WORDS = 5, WORD_BYTES = 32 };

/* The first line in words, case folded; words of more than 31 bytes are cut, which no known one is. */
static int header_words(TextSource *s, char word[HEADER_WORDS + 1][WORD_BYTES]) {
  int n = 0;
  if (s->size >= 3 && !memcmp(s->bytes, "\xef\xbb\xbf", 3)) s->at = 3; /* a byte-order mark */
  while (n <= HEADER_WORDS) {
    skip_spaces(s);
    int length = 0;
    for (; s->at < s->size && !strchr(" \t\r\n", s->bytes[s->at]); ++s->at) {
      const char c = s->bytes[s->at];
      if (length < WORD_BYTES - 1) word[n][length++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c >= ' ' ? c : '?';
    }
    if (length == 0) break;
    word[n++][length] = 0;
  }
  source_next_line(s);
  return n;
}

/* One word of the header against the words of the format, of which the first n_served are read here. */
static Status header_word(TextSource *s, const char *what, const char *word, int n, const char *const *names,
                          int n_served, const char *const *why, int *out) {
  char list[128] = "";
  for (*out = 0; *out < n && strcmp(word, names[*out]); ++*out) {}
  if (*out < n_served) return OK;
  if (*out < n) return source_fail(s, 0, "%s", why[*out - n_served]);
  for (int i = 0; i < n_served; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  const char *near = nearest_name(word, n_served, names);
  const Status status = source_fail(s, 0, "unknown %s '%s' in the header\n  allowed: %s", what, word, list);
  return near ? status_context(status, "did you mean '%s'?", near) : status;
}

static Status read_header(MarketFile *f) {
  static const char *const objects[] = {"matrix"}, *const formats[] = {"coordinate", "array"};
  static const char *const fields[] = {"real", "integer", "complex", "pattern"};
  static const char *const bad_fields[] = {
      "complex numbers are not supported; only 'real' and 'integer'",
      "a 'pattern' has places but no values, so there is nothing to solve; write the matrix as 'coordinate real'"};
  static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
  static const char *const bad_symmetries[] = {
      "a skew-symmetric matrix is not supported: its diagonal is zero, so it is not positive definite",
      "'hermitian' is for complex numbers, which are not supported; a real matrix is 'symmetric'"};
  TextSource *s = &f->source;
  char word[HEADER_WORDS + 1][WORD_BYTES], line[64];
  const int n = header_words(s, word);
  int k;
  source_quote_line(s, 0, line);
  if (n == 0 || strcmp(word[0], "%%matrixmarket"))
    return source_fail(s, 0,
                       "%s is not the header of a Matrix Market file\n  the first line must be "
                       "'%%%%MatrixMarket matrix coordinate real symmetric' or the like",
                       line);
  if (n != HEADER_WORDS)
    return source_fail(
        s, 0, "the header %s must have 5 words, such as '%%%%MatrixMarket matrix coordinate real symmetric'", line);
  TRY(header_word(s, "object", word[1], 1, objects, 1, NULL, &k));
  TRY(header_word(s, "format", word[2], 2, formats, 2, NULL, &k));
  f->array = k == 1;
  TRY(header_word(s, "field", word[3], 4, fields, 2, bad_fields, &k));
  TRY(header_word(s, "symmetry", word[4], 4, symmetries, 2, bad_symmetries, &k));
  f->symmetric = k == 1;
  return OK;
}

static Status check_size(const MarketFile *f, const char *what, int64_t n) {
  if (n < 1)
    return source_fail(&f->source, f->sizes_at, "the number of %s is %lld, must be 1 or more", what, (long long)n);
  if (n >= INT32_MAX)
    return source_fail(&f->source, f->sizes_at, "the number of %s is %lld, at most %d are supported", what,
                       (long long)n, INT32_MAX - 1);
  return OK;
}

static Status read_sizes(MarketFile *f) {
  TextSource *s = &f->source;
  skip_to_content(s);
  f->sizes_at = s->at;
  TRY(source_text_int(s, "the number of rows", &f->rows));
  TRY(same_line(s, "the number of columns"));
  TRY(source_text_int(s, "the number of columns", &f->columns));
  if (!f->array) {
    TRY(same_line(s, "the number of entries"));
    TRY(source_text_int(s, "the number of entries", &f->count));
  }
  TRY(line_end(s, f->array ? "rows and columns" : "rows, columns and entries"));
  TRY(check_size(f, "rows", f->rows));
  TRY(check_size(f, "columns", f->columns));
  f->data = s->at;
  if (f->array)
    f->count = !f->symmetric ? f->rows * f->columns : f->rows == f->columns ? f->rows * (f->rows + 1) / 2 : 0;
  const long long left = s->size - s->at;
  if (f->count < 0)
    return source_fail(s, f->sizes_at, "the number of entries is %lld, must be 0 or more", (long long)f->count);
  if (f->count > left / (f->array ? NUMBER_BYTES : ENTRY_BYTES) + LOOSE)
    return source_fail(s, f->sizes_at,
                       "%lld %s are declared, but only %lld bytes are left in the file; it is damaged or cut "
                       "off: write or copy it again",
                       (long long)f->count, f->array ? "numbers" : "entries", left);
  if (f->rows > left + LOOSE || f->columns > left + LOOSE)
    return source_fail(s, f->sizes_at,
                       "%lld rows and %lld columns are declared, but only %lld bytes are left in the file: "
                       "most rows would be empty; it is damaged",
                       (long long)f->rows, (long long)f->columns, left);
  return OK;
}

Status market_open(const char *path, MarketFile *out) {
  *out = (MarketFile){.source = {.label = path}};
  Status status = read_file(path, &out->source);
  if (status == OK) status = read_header(out);
  if (status == OK) status = read_sizes(out);
  if (status != OK) market_close(out);
  return status;
}

void market_close(MarketFile *file) { source_close(&file->source); }

static Status read_index(MarketFile *f, const char *what, int64_t n, int32_t *out) {
  TextSource *s = &f->source;
  const int64_t at = s->at;
  int64_t index = 0;
  TRY(source_text_int(s, what, &index));
  if (index < 1 || index > n)
    return source_fail(s, at, "%s is %lld, must be 1 to %lld%s", what, (long long)index, (long long)n,
                       index == 0 ? " (Matrix Market counts from 1)" : "");
  *out = (int32_t)(index - 1);
  return OK;
}

static Status read_value(MarketFile *f, double *out) {
  TextSource *s = &f->source;
  source_skip_blanks(s);
  const int64_t at = s->at;
  const char *p = s->bytes + at, *digits = p + (*p == '-' || *p == '+'); /* a NUL ends the file */
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {      /* C reads hexadecimal ones */
    const size_t n = strcspn(p, " \t\r\n");
    return source_fail(s, at, "'%.*s' where the value was expected, which must be a decimal number",
                       (int)(n < 40 ? n : 40), p);
  }
  TRY(source_text_double(s, "the value", out));
  if (isfinite(*out)) return OK;
  char line[64];
  source_quote_line(s, at, line);
  return source_fail(s, at, "the value in the line %s is not a finite number", line);
}

static Status begin_line(MarketFile *f, int64_t k, const char *what) {
  TextSource *s = &f->source;
  skip_to_content(s);
  if (s->at < s->size) return OK;
  return source_fail(s, s->at, "the file ends after %lld of %lld %s; " CUT_OFF, (long long)k, (long long)f->count,
                     what);
}

static Status array_entry(MarketFile *f, int64_t k, MarketEntry *out) {
  *out = (MarketEntry){.row = f->row, .column = f->column};
  if (++f->row == f->rows) f->row = f->symmetric ? ++f->column : (++f->column, 0);
  return market_number(f, k, &out->value);
}

Status market_entry(MarketFile *f, int64_t k, MarketEntry *out) {
  TextSource *s = &f->source;
  if (f->array) return array_entry(f, k, out);
  TRY(begin_line(f, k, "entries"));
  TRY(read_index(f, "the row", f->rows, &out->row));
  TRY(same_line(s, "the column"));
  TRY(read_index(f, "the column", f->columns, &out->column));
  TRY(same_line(s, "the value"));
  TRY(read_value(f, &out->value));
  return line_end(s, "row, column and value");
}

Status market_number(MarketFile *f, int64_t k, double *out) {
  TRY(begin_line(f, k, "numbers"));
  return read_value(f, out);
}

Status market_end(MarketFile *f) {
  TextSource *s = &f->source;
  skip_to_content(s);
  if (s->at >= s->size) return OK;
  char line[64];
  source_quote_line(s, s->at, line);
  return source_fail(s, s->at,
                     "the line %s follows although all %lld %s have been read; the sizes are wrong or lines were "
                     "added",
                     line, (long long)f->count, f->array ? "numbers" : "entries");
}

int64_t market_find(MarketFile *f, int32_t row, int32_t column, int nth) {
  MarketEntry e;
  f->source.at = f->data;
  f->row = f->column = 0;
  for (int64_t k = 0; k < f->count; ++k) {
    skip_to_content(&f->source);
    const int64_t at = f->source.at;
    if (market_entry(f, k, &e) != OK) break;
    const bool same = (e.row == row && e.column == column) || (f->symmetric && e.row == column && e.column == row);
    if (same && --nth == 0) return at;
  }
  return -1;
}

int64_t market_line(const MarketFile *file, int64_t at) {
  int64_t line = 1;
  for (int64_t i = 0; i < at; ++i) line += file->source.bytes[i] == '\n';
  return line;
}
