/* TextSource: the bytes of a .msh file and a cursor in them. Reads numbers as text or binary, checks counts against the
 * bytes that are left, and fails with the place: `file:line:` in text, `file: byte N:` in binary. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TextSource {
  const char *label;    /* borrowed: how messages call the file */
  char *bytes;          /* owned, [size + 1], a NUL behind the last */
  int64_t size, at;     /* at: the cursor */
  bool binary, swap;    /* swap: written on a machine of the other byte order */
  char section[40];     /* such as "$Nodes", "" outside of one */
  int64_t *line_before; /* owned, core/text_lines.c; NULL: not asked for */
} TextSource;

/* Does the name of a file end in ".msh", in whatever case? */
bool path_ends(const char *path, const char *extension);

enum { SOURCE_HEAD = 16 };
/* The first bytes of a file (zeros beyond its end), after the same checks as source_open. */
Status source_peek(const char *path, const char *label, char head[SOURCE_HEAD]);
/* Reads the whole file. ERR_MESH says why it cannot be a mesh file: missing, directory, FIFO, device, empty, gzip;
 * ERR_IO when reading breaks off. */
Status source_open(const char *path, const char *label, TextSource *out);
void source_close(TextSource *source);

/* ERR_MESH with the place of byte `at` and the section before the text. */
Status source_fail(const TextSource *source, int64_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Text, whatever the mode of the file: skip blanks and line ends, then one number. `what` says in messages what was
 * expected ("the number of nodes"). */
Status source_text_int(TextSource *source, const char *what, int64_t *out);
Status source_text_double(TextSource *source, const char *what, double *out);
/* The finite decimal number at p, in text that ends with a NUL; 1.5D3 of Fortran too. Returns its end; NULL: there is
 * none. */
const char *source_number(const char *p, double *out);
/* The next line of a text in memory that has more than blanks and a comment behind #: from its first letter on, ended by 0 where the
 * comment or the line ends. *rest goes behind it, *line counts all lines; NULL: none is left. */
char *source_data_line(char **rest, int64_t *line);
/* A text in double quotes on one line; *text points into the file, not terminated. */
Status source_text_quoted(TextSource *source, const char *what, const char **text, int64_t *length);
/* The place of the next item, for messages: in text behind blanks and line ends. */
int64_t source_here(TextSource *source);
/* To the first byte of the next line. */
void source_next_line(TextSource *source);

/* By the mode of the file: text, or 4-byte integers, 8-byte integers (size_t of Gmsh) and doubles. */
Status source_int(TextSource *source, const char *what, int64_t *out);
Status source_size(TextSource *source, const char *what, int64_t *out);
Status source_double(TextSource *source, const char *what, double *out);
/* Fails when n things of at least `bytes` bytes each are more than the file still holds, or n is negative or does not
 * fit int32. */
Status source_check_count(const TextSource *source, int64_t at, const char *what, int64_t n, int64_t bytes);
/* The least bytes that n_int 4-byte integers, n_size 8-byte ones and n_double doubles take: 2 each in text. */
int64_t source_least_bytes(const TextSource *source, int n_int, int n_size, int n_double);

/* The line of byte `at`, counted from 1; quick for many of a file. */
Status source_line(TextSource *source, int64_t at, int64_t *line);
/* Over blanks and line ends. */
void source_skip_blanks(TextSource *source);
/* When the next non-blank bytes are this word: moves behind it and says true. */
bool source_take_word(TextSource *source, const char *word);

/* Where items [part_begin(n, p, parts), ...) of the n behind the cursor begin (core/parts.h), if each takes `bytes`
 * bytes or, in text, a line of its own: start[p], and where the last one ends, start[parts], -1 in text or where the
 * file is too short. Only a part that was read up to where the next begins shows that it is so. ERR_MEMORY. */
Status source_split(TextSource *source, int64_t n, int64_t bytes, int parts, int64_t *start);

/* Five instances of the same trouble and "and N more". */
typedef struct SourceList {
  int64_t n, at; /* at: byte of the first one */
  char text[1024];
} SourceList;
void source_list_add(SourceList *list, int64_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The line at byte `at` in quotes, cut after 60 characters. */
void source_quote_line(const TextSource *source, int64_t at, char text[64]);
/* OK when the list is empty; else ERR_MESH "place: N what: instances\n  remedy". */
Status source_list_fail(const TextSource *source, const SourceList *list, const char *what, const char *remedy);
