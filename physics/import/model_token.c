#include "physics/import/model_token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void token_open(TokenText *t, const char *bytes, bool easyml) {
  if (!strncmp(bytes, "\xef\xbb\xbf", 3)) bytes += 3; /* byte order mark */
  *t = (TokenText){.at = bytes, .line_start = bytes, .line = 1, .begins = true, .easyml = easyml};
}

static ModelPlace here(const TokenText *t) {
  return (ModelPlace){.line = t->line, .column = (int32_t)(t->at - t->line_start) + 1};
}

static void new_line(TokenText *t) {
  ++t->line;
  t->line_start = ++t->at;
}

/* A text in triple quotes; false: it does not end. */
static bool skip_text(TokenText *t) {
  const char *end = strstr(t->at + 3, "\"\"\"");
  if (!end) return false;
  while (t->at < end + 3)
    if (*t->at == '\n') new_line(t);
    else ++t->at;
  return true;
}

static void skip_easyml_blanks(TokenText *t) {
  for (;;) {
    const char c = *t->at, *end;
    if (c == '\n') new_line(t);
    else if (c == ' ' || c == '\t' || c == '\r') ++t->at;
    else if (c == '#' || (c == '/' && t->at[1] == '/')) t->at += strcspn(t->at, "\n");
    else if (c == '/' && t->at[1] == '*' && (end = strstr(t->at + 2, "*/")))
      while (t->at < end + 2)
        if (*t->at == '\n') new_line(t);
        else ++t->at;
    else return;
  }
}

/* Over blanks, remarks, and ends of lines that end nothing. */
static void skip_blanks(TokenText *t) {
  if (t->easyml) {
    skip_easyml_blanks(t);
    return;
  }
  for (;;) {
    const char c = *t->at;
    if (t->begins && !strncmp(t->at, "\"\"\"", 3) && skip_text(t)) continue;
    if (c == ' ' || c == '\t' || c == '\r') ++t->at;
    else if (c == '#') t->at += strcspn(t->at, "\n");
    else if (c == '\\' && t->at[1 + strspn(t->at + 1, "\r")] == '\n') t->at += 1 + strspn(t->at + 1, "\r"), new_line(t);
    else if (c == '\n' && (t->open > 0 || t->begins)) new_line(t);
    else return;
  }
}

static Status take_unit_text(TokenText *t, const CellModel *m) {
  const char *end = t->at + strcspn(t->at, "]\n"), *bad;
  int n_bad;
  Token *k = &t->token;
  k->text = (Name){t->at + 1, (int32_t)(end - t->at) - 1};
  if (*end != ']') return model_fail(m, k->place, "a unit without its closing bracket ]");
  k->kind = TOKEN_UNIT;
  if (!unit_parse(k->text.text, k->text.n, &k->unit, &bad, &n_bad))
    return model_fail(m, k->place,
                      "unknown unit '%.*s' in [%.*s]\n  allowed: products such as [mS/uF], [g*m^2/s], [1/ms], of s, m, "
                      "g, A, V, F, S, "
                      "mol, M, L, K, C, J, N, Pa, Hz, R with prefixes, and a factor: [m (12)]",
                      n_bad, bad, k->text.n, k->text.text);
  t->at = end + 1;
  return OK;
}

/* [[model]] or [component], in a line of its own; else it is a unit. */
static Status take_heading(TokenText *t, const CellModel *m) {
  const bool section = t->at[1] == '[';
  const char *from = t->at + 1 + section, *end = from;
  while (isalnum((unsigned char)*end) || *end == '_') ++end;
  if (end == from || *end != ']' || (section && end[1] != ']'))
    return model_fail(m, t->token.place,
                      "a line that begins with [ is a component such as [membrane] or a part such as [[model]]");
  t->token.kind = section ? TOKEN_SECTION : TOKEN_COMPONENT;
  t->token.text = (Name){from, (int32_t)(end - from)};
  t->at = end + 1 + section;
  return OK;
}

static void take_word(TokenText *t) {
  const char *from = t->at;
  while (isalnum((unsigned char)*t->at) || *t->at == '_') ++t->at;
  t->token.kind = TOKEN_NAME;
  t->token.text = (Name){from, (int32_t)(t->at - from)};
}

static void take_symbol(TokenText *t) {
  static const char *const two[] = {"==", "!=", "<=", ">=", "//", "&&", "||", "+=", "-=", "*=", "/="};
  const size_t n_two = t->easyml ? sizeof two / sizeof *two : 5;
  int32_t n = 1;
  for (size_t k = 0; k < n_two; ++k)
    if (!strncmp(t->at, two[k], 2)) n = 2;
  if (*t->at == '(') ++t->open;
  if (*t->at == ')' && t->open > 0) --t->open;
  t->token.kind = TOKEN_SYMBOL;
  t->token.text = (Name){t->at, n};
  t->at += n;
}

Status token_next(TokenText *t, const CellModel *m) {
  skip_blanks(t);
  const bool begins = t->begins;
  const char c = *t->at;
  t->token = (Token){.place = here(t), .text = {t->at, 1}};
  t->begins = c == '\n';
  if (!c) {
    t->token.kind = !t->easyml && (t->open || !begins) ? TOKEN_END_OF_LINE : TOKEN_END_OF_FILE;
    t->begins = true, t->open = 0;
    return OK;
  }
  if (c == '\n') {
    t->token.kind = TOKEN_END_OF_LINE;
    new_line(t);
    return OK;
  }
  if (c == '/' && t->easyml && t->at[1] == '*')
    return model_fail(m, t->token.place, "a comment that does not end; '*/' is expected");
  if (c == '[' && t->easyml)
    return model_fail(m, t->token.place,
                      "lists are not read; write each of their variables by itself (arrayifier.py does)");
  if (c == '[') return begins ? take_heading(t, m) : take_unit_text(t, m);
  if (isalpha((unsigned char)c) || c == '_') return take_word(t), OK;
  if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)t->at[1]))) {
    char *end;
    const bool hex = c == '0' && (t->at[1] == 'x' || t->at[1] == 'X');
    t->token.kind = TOKEN_NUMBER;
    t->token.number = hex ? 0 : strtod(t->at, &end);
    if (hex) end = (char *)t->at + 1;
    t->token.text.n = (int32_t)(end - t->at);
    t->at = end;
    return OK;
  }
  if (!strchr(t->easyml ? "+-*/%^()=<>!,.:;{}?&|" : "+-*/%^()=<>!,.:", c))
    return isprint((unsigned char)c) ? model_fail(m, t->token.place, "unexpected character '%c'", c)
                                     : model_fail(m, t->token.place, "unexpected byte 0x%02x", (unsigned char)c);
  return take_symbol(t), OK;
}

bool token_is(const TokenText *t, const char *symbol) {
  return t->token.kind == TOKEN_SYMBOL && name_is(t->token.text, symbol);
}

Status token_unexpected(const TokenText *t, const CellModel *m, const char *expected) {
  const Token *k = &t->token;
  if (k->kind == TOKEN_END_OF_FILE && t->easyml)
    return model_fail(m, k->place, "the file ends where %s is expected", expected);
  if (k->kind == TOKEN_END_OF_LINE || k->kind == TOKEN_END_OF_FILE)
    return model_fail(m, k->place, "the line ends where %s%s%s is expected", strlen(expected) < 3 ? "'" : "", expected,
                      strlen(expected) < 3 ? "'" : "");
  return model_fail(m, k->place, "unexpected '%.*s'; expected: %s", k->text.n, k->text.text, expected);
}

Status mmt_end_line(TokenText *t, const CellModel *m) {
  if (t->token.kind == TOKEN_END_OF_FILE) return OK;
  if (token_is(t, ":")) return mmt_skip_remark(t, m); /* x = 1 : what it is */
  if (t->token.kind != TOKEN_END_OF_LINE) return token_unexpected(t, m, "the end of the line");
  return token_next(t, m);
}

bool mmt_is_before(const TokenText *t, char next) {
  const char *p = t->at + strspn(t->at, " \t");
  return *p == next && (next != '=' || p[1] != '=');
}

bool mmt_is_remark(const TokenText *t) { return mmt_is_before(t, ':'); }

Status mmt_skip_remark(TokenText *t, const CellModel *m) {
  const ModelPlace place = here(t);
  if (!token_is(t, ":")) t->at = strchr(t->at, ':') + 1;
  t->at += strspn(t->at, " \t");
  if (!strncmp(t->at, "\"\"\"", 3) && !skip_text(t))
    return model_fail(m, place, "a text in triple quotes that does not end");
  t->at += strcspn(t->at, "\n");
  TRY(token_next(t, m));
  return mmt_end_line(t, m);
}

Status mmt_skip_section(TokenText *t, const CellModel *m) {
  for (;;) {
    t->at += strcspn(t->at, "\n");
    if (!*t->at) break;
    new_line(t);
    if (!strncmp(t->at, "[[", 2)) break;
  }
  t->begins = true, t->open = 0;
  return token_next(t, m);
}
