/* Several arrays of an Exec that come and go together: one allocation on a GPU, where each costs as much as a small kernel or more. */
#pragma once
#include "core/exec.h"

enum { EXEC_PACK_MOST = 20 };

/* Where the array's address goes, [n] items of this size. */
typedef struct ExecArray {
  void **to;
  int64_t n;
  size_t size;
} ExecArray;
#define EXEC_ARRAY(pointer, n) ((ExecArray){(void **)(void *)&(pointer), (n), sizeof *(pointer)})

typedef struct ExecPack {
  Exec *exec;
  int n;
  ExecArray array[EXEC_PACK_MOST];
  void *base; /* owned, [bytes]; NULL where the arrays are, as on the CPU */
  int64_t bytes;
} ExecPack;

/* Pointers must stay where they are until the release, which sets them to NULL. ERR_MEMORY or ERR_GPU with `what`. */
Status exec_pack_create(Exec *exec, int n, const ExecArray *array, const char *what, ExecPack *out);
/* As exec_fetch: the array at *to comes to the host as well. */
Status exec_pack_fetch(ExecPack *pack, int i, const char *what, void **host);
/* Accepts those that were never made. */
void exec_pack_release(ExecPack *pack);
