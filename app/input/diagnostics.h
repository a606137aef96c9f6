/* All errors of one input, collected and shown together, sorted by their place (STYLE: collect, then stop). */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a value of the case comes from. All zero: not given, a default. */
typedef struct Place {
  int32_t line, column; /* 1-based, in the case file; bytes of UTF-8 letters count as one column */
  const char *option;   /* borrowed; not NULL: from this "--set" argument, line and column are meaningless */
  const char *file;     /* borrowed; not NULL: a line of this file, a deck; the column is meaningless */
} Place;
bool place_given(Place place);

typedef struct Diagnostic {
  Place place;
  int32_t order; /* of arrival, for equal places */
  char *text;    /* owned */
} Diagnostic;

typedef struct Diagnostics {
  const char *path; /* borrowed: the case file as the user named it */
  Diagnostic *item; /* owned, [n] */
  int32_t n, capacity;
  int64_t n_more; /* that were not kept */
  bool usage;     /* set where a --set argument is not a key=value or names an unknown key */
  Status broken;  /* ERR_MEMORY when a message could not be kept; it wins over everything */
} Diagnostics;

/* Adds "place: message". A message may have more lines: what is allowed and what to do, indented by two. */
void report_error(Diagnostics *diagnostics, Place place, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Is there one about exactly this place? */
bool error_reported_at(const Diagnostics *diagnostics, Place place);
/* Is there one that begins with this key: about its value, which then counts as not given? */
bool error_reported_of(const Diagnostics *diagnostics, const char *key);
/* OK when there is none; else ERR_INPUT (ERR_USAGE when `usage` is set) with all of them as message. */
Status diagnostics_status(Diagnostics *diagnostics);
void diagnostics_release(Diagnostics *diagnostics);
/* "path:line:column" or "--set key=value" into text[size]; returns text. */
const char *place_text(const char *path, Place place, char *text, int size);

/* The value seen, for a message: at most 40 bytes, control characters as '?', "..." when cut. Returns text. */
enum { SEEN_BYTES = 48 };
const char *seen_text(const char *value, char text[SEEN_BYTES]);
