/* YAML as a plain tree in which every node knows its line and column. A strict part of YAML: one document, no anchors,
 * aliases or tags, plain scalars as keys, nesting at most 64. What scalars mean is decided by the schema. */
#pragma once
#include "app/input/diagnostics.h"

#include <stddef.h>

typedef enum TreeKind { TREE_PLAIN, TREE_QUOTED, TREE_LIST, TREE_MAP } TreeKind;

typedef struct TreeNode {
  TreeKind kind;
  Place place;
  char *text; /* owned, scalars: the value; else NULL */
  char *key;  /* owned, members of a map: their key; else NULL */
  Place key_place;
  int32_t first, last, next; /* children of lists and maps as a chain of node indices, -1 ends it */
  int32_t n;                 /* children */
} TreeNode;

typedef struct Tree {
  TreeNode *node; /* owned, [n]; moves when the tree grows: keep indices, not pointers */
  int32_t n, capacity;
} Tree;

/* Parses n bytes and adds them to the tree; *root is the new root, -1 when there is nothing or an error. `option` is
 * NULL for the case file, else the "--set" argument that the text comes from. Errors go to diagnostics;
 * only a failed allocation is returned. */
Status tree_parse(Tree *tree, const char *bytes, size_t n, const char *option, Diagnostics *diagnostics, int32_t *root);
/* Adds an empty node behind the children of `parent`; key: of a member of a map, copied, else NULL. */
Status tree_add(Tree *tree, int32_t parent, TreeKind kind, const char *key, Place place, int32_t *out);
/* The node `at` becomes what `value` is; its key and neighbours stay. */
void tree_replace(Tree *tree, int32_t at, int32_t value);
/* The children of `value` become the last ones of `list`. */
void tree_join(Tree *tree, int32_t list, int32_t value);
/* A plain value or list becomes a map with itself as the only member, `key`. */
Status tree_wrap(Tree *tree, int32_t at, TreeKind kind, const char *key);
/* The member of a map, -1 when it has none. */
int32_t tree_member(const Tree *tree, int32_t map, const char *key);
/* "a list of 3", "a map", "text 'abc'" for messages, into text[64]. */
const char *tree_seen(const Tree *tree, int32_t node, char text[64]);
void tree_release(Tree *tree);
