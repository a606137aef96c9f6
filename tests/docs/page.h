/* The documents of the repository, cut into what tests hold against the program: fenced blocks, code in backticks,
 * links. */
#pragma once
#include <stdbool.h>

/* Between ``` lines, or lines indented by four behind an empty one (language ""). */
typedef struct Block {
  const char *page; /* borrowed */
  int line;         /* of its first line of text */
  char *language;   /* owned, "" without */
  char *marker;     /* owned, NULL without: what stands in the comment "<!-- example: ... -->" on the line above */
  char *text;       /* owned */
} Block;

/* `code` outside of blocks, and the target of [text](target). */
typedef struct Piece {
  const char *page; /* borrowed */
  int line;
  bool is_link;
  char *text; /* owned */
} Piece;

typedef struct Page {
  char *path;   /* owned, relative to the repository: "docs/heart.md" */
  char *text;   /* owned */
  bool is_case; /* of the folder cases/ */
} Page;

typedef struct Pages {
  int n, n_block, n_piece;
  Page *page;
  Block *block;
  Piece *piece;
} Pages;

/* README.md, CONTRIBUTING.md, CHANGELOG.md, docs and its folders, and README.md of each case. */
Pages pages_read(void);
void pages_release(Pages *pages);
const Page *pages_find(const Pages *pages, const char *path);
/* "page:line: " and a message; counts as one failure: returns 1. */
int page_complaint(const char *page, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
