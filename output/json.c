/* JSON (RFC 8259) written as it comes, with a stack of what is open. */
#include "output/json.h"

#include "core/memory.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

/* What is around a shared object that is open. */
typedef struct Around {
  Text text;
  int shift;
} Around;

struct Json {
  Text text;
  int shift; /* of the indentation: shared objects have that of where they come to stand */
  Around around[DEPTH];
  int n_around;
  Text *shared; /* owned, each of them too */
  int n_shared;
  bool is_shared[DEPTH];
  int depth;          /* open containers */
  bool array[DEPTH];  /* which of them are arrays */
  bool filled[DEPTH]; /* which have a member already */
  bool misuse;
};

Status json_create(Json **out) {
  *out = NULL;
  Json *json = NULL;
  ALLOC(json, 1, "a JSON document");
  json->depth = 1;
  text_add(&json->text, "{");
  *out = json;
  return OK;
}

void json_destroy(Json **json) {
  if (!*json) return;
  Json *j = *json;
  text_release(&j->text);
  for (int k = 0; k < j->n_around; ++k) text_release(&j->around[k].text);
  for (int k = 0; k < j->n_shared; ++k) text_release(&j->shared[k]);
  FREE(j->shared);
  FREE(*json);
}

/* Length of the UTF-8 sequence at s, 0 when it is none (overlong, surrogate, too large or cut short). */
static int utf8_length(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  const int n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
  for (int i = 1; i < n; ++i)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
  if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
  return n;
}

static void add_quoted(Text *text, const char *string) {
  text_add(text, "\"");
  for (const unsigned char *s = (const unsigned char *)string; *s;) {
    const int n = utf8_length(s);
    if (*s == '"' || *s == '\\') text_add(text, "\\%c", *s);
    else if (*s == '\n') text_add(text, "\\n");
    else if (*s == '\t') text_add(text, "\\t");
    else if (*s < 0x20 || *s == 0x7f) text_add(text, "\\u%04x", *s);
    else if (n == 0) text_add(text, "\xef\xbf\xbd");
    else text_add_bytes(text, (const char *)s, n);
    s += n > 0 ? n : 1;
  }
  text_add(text, "\"");
}

/* Comma, new line, indentation and key of the next member. */
static bool json_member(Json *json, const char *key) {
  if (json->depth < 1 || (key == NULL) != json->array[json->depth - 1]) json->misuse = true;
  if (json->misuse) return false;
  text_add(&json->text, "%s\n%*s", json->filled[json->depth - 1] ? "," : "", 2 * (json->depth - json->shift), "");
  json->filled[json->depth - 1] = true;
  if (key) {
    add_quoted(&json->text, key);
    text_add(&json->text, ": ");
  }
  return true;
}

static void open_container(Json *json, const char *key, bool array, bool shared) {
  if (json->depth >= DEPTH) json->misuse = true;
  if (!json_member(json, key)) return;
  if (shared) {
    json->around[json->n_around++] = (Around){json->text, json->shift};
    json->text = (Text){0};
    json->shift = json->depth - 2; /* within "definitions" */
  }
  text_add(&json->text, array ? "[" : "{");
  json->array[json->depth] = array;
  json->is_shared[json->depth] = shared;
  json->filled[json->depth] = false;
  ++json->depth;
}

void json_object(Json *json, const char *key) { open_container(json, key, false, false); }
void json_array(Json *json, const char *key) { open_container(json, key, true, false); }
void json_shared(Json *json, const char *key) { open_container(json, key, false, true); }

static Status shared_add(Json *json, Text *text) {
  RESIZE(json->shared, json->n_shared + 1, "parts of a JSON document");
  json->shared[json->n_shared++] = *text;
  *text = (Text){0};
  return OK;
}

/* The text is that of a shared object: its number in its place. */
static void shared_close(Json *json) {
  Text text = json->text;
  int k = 0;
  json->text = json->around[--json->n_around].text;
  json->shift = json->around[json->n_around].shift;
  if (text.status != OK) json->text.status = text.status;
  else {
    while (k < json->n_shared &&
           (json->shared[k].n != text.n || memcmp(json->shared[k].data, text.data, (size_t)text.n) != 0))
      ++k;
    if (k == json->n_shared && shared_add(json, &text) != OK) json->text.status = ERR_MEMORY;
    text_add(&json->text, "{\"$ref\": \"#/definitions/%d\"}", k + 1);
  }
  text_release(&text);
}

static void close_container(Json *json) {
  --json->depth;
  if (json->filled[json->depth]) text_add(&json->text, "\n%*s", 2 * (json->depth - json->shift), "");
  text_add(&json->text, json->array[json->depth] ? "]" : "}");
  if (json->is_shared[json->depth]) shared_close(json);
}

/* Of the whole, which alone is open. */
static void definitions_add(Json *json) {
  char number[16];
  json_object(json, "definitions");
  for (int k = 0; k < json->n_shared; ++k) {
    snprintf(number, sizeof number, "%d", k + 1);
    if (json_member(json, number)) text_add_bytes(&json->text, json->shared[k].data, json->shared[k].n);
  }
  json_end(json);
}

void json_end(Json *json) {
  if (json->depth <= 1) json->misuse = true; /* the outermost object is closed by json_text */
  else close_container(json);
}

void json_string(Json *json, const char *key, const char *text) {
  if (!json_member(json, key)) return;
  if (text) add_quoted(&json->text, text);
  else text_add(&json->text, "null");
}

void json_number(Json *json, const char *key, double value) {
  if (!json_member(json, key)) return;
  char digits[40] = "null";
  for (int n = 15; n <= 17 && isfinite(value); ++n) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    if (strtod(digits, NULL) == value) break;
  }
  text_add(&json->text, "%s", digits);
}

void json_integer(Json *json, const char *key, int64_t value) {
  if (json_member(json, key)) text_add(&json->text, "%lld", (long long)value);
}

void json_bool(Json *json, const char *key, bool value) {
  if (json_member(json, key)) text_add(&json->text, value ? "true" : "false");
}

void json_null(Json *json, const char *key) {
  if (json_member(json, key)) text_add(&json->text, "null");
}

Status json_text(Json *json, const char **text) {
  *text = NULL;
  const bool closed = json->depth == 0;
  while (json->depth > 1) close_container(json);
  if (!closed && json->n_shared) definitions_add(json);
  if (!closed) close_container(json);
  if (!closed) text_add(&json->text, "\n");
  CHECK(!json->misuse, ERR_BUG, "a JSON member with a missing or unwanted key, or an unmatched end");
  CHECK(json->text.status == OK, json->text.status, "not enough memory for a JSON document");
  *text = json->text.data;
  return OK;
}

Status json_save(Json *json, const char *path) {
  const char *text;
  TRY_CONTEXT(json_text(json, &text), "while writing '%s'", path);
  return text_save(&json->text, path, true);
}
