/* The words of Myokit's format. A line ends where no bracket is open and no \ stands before its end. */
#pragma once
#include "physics/import/cell_model.h"

typedef enum MmtTokenKind {
  TOKEN_END_OF_FILE,
  TOKEN_END_OF_LINE,
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_UNIT,      /* [mV] */
  TOKEN_COMPONENT, /* [membrane], where a line begins */
  TOKEN_SECTION,   /* [[model]] */
  TOKEN_SYMBOL
} MmtTokenKind;

typedef struct MmtToken {
  MmtTokenKind kind;
  Name text;
  double number;
  Unit unit;
  ModelPlace place;
} MmtToken;

typedef struct MmtText {
  const char *at, *line_start;
  int32_t line, open; /* open: brackets */
  bool begins;        /* nothing of the line was read yet */
  MmtToken token;     /* the one at hand */
} MmtText;

void mmt_open(MmtText *text, const char *bytes);
/* The next token into text->token; empty lines are none. */
Status mmt_next(MmtText *text, const CellModel *model);
bool token_is(const MmtText *text, const char *symbol);
/* "unexpected 'x'; what is expected". */
Status mmt_unexpected(const MmtText *text, const CellModel *model, const char *expected);
/* Over the end of the line. */
Status mmt_end_line(MmtText *text, const CellModel *model);
/* "desc: ...": of the name at hand, is a colon next? */
bool mmt_is_remark(const MmtText *text);
bool mmt_is_before(const MmtText *text, char next);
/* Over its text, which may be several lines in triple quotes. */
Status mmt_skip_remark(MmtText *text, const CellModel *model);
/* To the next [[section]] or the end. */
Status mmt_skip_section(MmtText *text, const CellModel *model);
/* A formula from the token at hand. */
Status mmt_formula(MmtText *text, CellModel *model, int32_t *out);
