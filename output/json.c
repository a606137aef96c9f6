/* JSON (RFC 8259) written as it comes, with a stack of what is open. */
#include "output/json.h"

#include "core/memory.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 32 };

struct Json {
  Text text;
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
  text_release(&(*json)->text);
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
  text_add(&json->text, "%s\n%*s", json->filled[json->depth - 1] ? "," : "", 2 * json->depth, "");
  json->filled[json->depth - 1] = true;
  if (key) {
    add_quoted(&json->text, key);
    text_add(&json->text, ": ");
  }
  return true;
}

static void open_container(Json *json, const char *key, bool array) {
  if (json->depth >= DEPTH) json->misuse = true;
  if (!json_member(json, key)) return;
  text_add(&json->text, array ? "[" : "{");
  json->array[json->depth] = array;
  json->filled[json->depth] = false;
  ++json->depth;
}

void json_object(Json *json, const char *key) { open_container(json, key, false); }
void json_array(Json *json, const char *key) { open_container(json, key, true); }

static void close_container(Json *json) {
  --json->depth;
  if (json->filled[json->depth]) text_add(&json->text, "\n%*s", 2 * json->depth, "");
  text_add(&json->text, json->array[json->depth] ? "]" : "}");
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
  while (json->depth > 0) close_container(json);
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
