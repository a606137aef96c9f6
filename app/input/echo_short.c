/* The resolved case in few lines: each key at the top with what is in it behind it, filled up to a width. */
#include "app/input/echo_short.h"

#include <string.h>

enum { WIDTH = 150 };

static int indent_of(const char *line) { return (int)strspn(line, " "); }
static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}
static int length_of(const char *line) { return (int)strcspn(line, "\n"); }

/* Behind the key that a line begins with, at its colon. */
static const char *colon_of(const char *key) {
  for (bool quoted = *key == '"'; quoted && key[1];) {
    ++key;
    if (*key == '\\' && key[1]) ++key;
    else if (*key == '"') quoted = false;
  }
  return strchr(key, ':');
}

static const char *flow_add(const char *line, int indent, Text *out);

/* An item of a list, "- key: value", whose keys are two letters further in. */
static const char *item_add(const char *line, int indent, Text *out) {
  Text inside = {0};
  const char *more = next_line(line), *end = more;
  while (*end && indent_of(end) >= indent + 2) end = next_line(end);
  text_add(&inside, "%*s%.*s\n%.*s", indent + 2, "", length_of(line) - indent - 2, line + indent + 2, (int)(end - more),
           more);
  text_add(out, "{");
  if (inside.status == OK) (void)flow_add(inside.data, indent + 2, out);
  else out->status = inside.status;
  text_add(out, "}");
  text_release(&inside);
  return end;
}

/* The lines from `line` on that are indented by `indent`, with what is below them, as one flow: "a: 1, b: [..]". Returns the first line
 * that is not. */
static const char *flow_add(const char *line, int indent, Text *out) {
  bool first = true;
  while (*line && indent_of(line) >= indent) {
    const char *text = line + indent_of(line);
    const bool item = text[0] == '-' && text[1] == ' ' && indent_of(line) == indent;
    if (*text == '#') {
      line = next_line(line);
      continue;
    }
    text_add(out, first ? "" : ", ");
    first = false;
    if (item) {
      line = item_add(line, indent, out);
      continue;
    }
    const char *colon = colon_of(text), *below = next_line(line);
    const int keys = (int)(colon - text) + 1, left = length_of(text) - keys;
    text_add(out, "%.*s", keys, text);
    if (left > 0) {
      text_add(out, "%.*s", left, colon + 1);
      line = below;
      continue;
    }
    const bool list = below[indent_of(below)] == '-';
    text_add(out, " %s", list ? "[" : "{");
    line = flow_add(below, indent_of(below), out);
    text_add(out, list ? "]" : "}");
  }
  return line;
}

/* Where the next piece of a flow ends, behind its comma: one of `depth` brackets or fewer. */
static const char *piece_end(const char *p, int depth, int *open) {
  for (bool quoted = false; *p; ++p) {
    if (*p == '"') quoted = !quoted;
    else if (quoted && *p == '\\') ++p;
    else if (quoted) continue;
    else if (*p == '[' || *p == '{') ++*open;
    else if (*p == ']' || *p == '}') --*open;
    else if (*p == ',' && *open <= depth) return p + 1;
  }
  return p;
}

/* The largest piece that fits in `room`: whole items rather than parts of them. *after: brackets that are open behind it. */
static int piece_that_fits(const char *p, int room, int deepest, int open, int *after) {
  int n = 0;
  for (int depth = 1; depth <= deepest; ++depth) {
    *after = open;
    n = (int)(piece_end(p, depth, after) - p);
    if (n <= room) break;
  }
  return n;
}

/* Lines end between items of a list, or of what is in it; inside these only where one is longer than a line. */
static void fill(const char *flow, Text *out) {
  int open = 0, at = 0;
  for (const char *p = flow; *p;) {
    int after, n = piece_that_fits(p, WIDTH - at, 3, open, &after);
    if (at > 0 && at + n > WIDTH) {
      text_add(out, "\n ");
      at = 1;
      n = piece_that_fits(p, WIDTH - at, 9, open, &after);
    }
    text_add(out, "%.*s", n, p);
    at += n;
    open = after;
    p += n;
  }
  text_add(out, "\n");
}

void echo_short(const char *block, Text *out) {
  for (const char *line = block; *line;) {
    const char *end = next_line(line);
    while (*end && indent_of(end) > 0) end = next_line(end);
    Text one = {0}, flow = {0};
    text_add(&one, "%.*s", (int)(end - line), line);
    if (*line == '#') text_add(out, "%s", one.data ? one.data : "");
    else if (one.status == OK) {
      (void)flow_add(one.data, 0, &flow);
      if (flow.status == OK) fill(flow.data, out);
    }
    if (one.status != OK || flow.status != OK) out->status = one.status != OK ? one.status : flow.status;
    text_release(&one);
    text_release(&flow);
    line = end;
  }
}
