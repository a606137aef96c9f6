/* The words of formats that are no XML, and formulas of them. In Myokit's a line ends where no bracket is open and no \ stands before
 * its end; EasyML has remarks as C has them, and ends of lines mean nothing. */
#pragma once
#include "physics/import/cell_model.h"

typedef enum TokenKind {
  TOKEN_END_OF_FILE,
  TOKEN_END_OF_LINE,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_UNIT,      /* [mV] */
  TOKEN_COMPONENT, /* [membrane], where a line begins */
  TOKEN_SECTION,   /* [[model]] */
  TOKEN_SYMBOL
} TokenKind;

typedef struct Token {
  TokenKind kind;
  Name text;
  double number;
  Unit unit;
  ModelPlace place;
} Token;

typedef struct TokenText {
  const char *at, *line_start;
  int32_t line, open; /* open: brackets */
  bool begins;        /* nothing of the line was read yet */
  bool easyml;        /* which of the two */
  Token token;        /* the one at hand */
} TokenText;

void token_open(TokenText *text, const char *bytes, bool easyml);
/* The next token into text->token; empty lines are none. */
Status token_next(TokenText *text, const CellModel *model);
bool token_is(const TokenText *text, const char *symbol);
/* "unexpected 'x'; what is expected". */
Status token_unexpected(const TokenText *text, const CellModel *model, const char *expected);
/* Over the end of the line. */
Status mmt_end_line(TokenText *text, const CellModel *model);
/* "desc: ...": of the name at hand, is a colon next? */
bool mmt_is_remark(const TokenText *text);
bool mmt_is_before(const TokenText *text, char next);
/* Over its text, which may be several lines in triple quotes. */
Status mmt_skip_remark(TokenText *text, const CellModel *model);
/* To the next [[section]] or the end. */
Status mmt_skip_section(TokenText *text, const CellModel *model);
/* A formula from the token at hand. */
Status token_formula(TokenText *text, CellModel *model, int32_t *out);
