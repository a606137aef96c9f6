/* Arrays in one allocation begin at multiples of what a GPU reads at once. On the CPU each is its own, so that it can change hands. */
#include "core/exec_pack.h"
#include "core/memory.h"

enum { LINE = 256 };

static int64_t room_of(const ExecArray *p) { return (p->n * (int64_t)p->size + LINE - 1) / LINE * LINE; }

Status exec_pack_create(Exec *exec, int n, const ExecArray *array, const char *what, ExecPack *out) {
  Status status = OK;
  *out = (ExecPack){.exec = exec, .n = n};
  CHECK(n <= EXEC_PACK_MOST, ERR_BUG, "%d arrays in one allocation, the most are %d", n, EXEC_PACK_MOST);
  for (int i = 0; i < n; ++i) {
    out->array[i] = array[i];
    *array[i].to = NULL;
    out->bytes += room_of(&array[i]);
  }
  if (exec_is_host(exec)) {
    for (int i = 0; i < n && status == OK; ++i) status = exec_alloc(exec, array[i].n, array[i].size, what, array[i].to);
  } else {
    status = exec_alloc(exec, out->bytes, 1, what, &out->base);
    for (int64_t i = 0, at = 0; i < n && status == OK; at += room_of(&array[i++]))
      *array[i].to = (char *)out->base + at;
  }
  if (status != OK) exec_pack_release(out);
  return status;
}

Status exec_pack_fetch(ExecPack *p, int i, const char *what, void **host) {
  const ExecArray *array = &p->array[i];
  if (!p->base) return exec_fetch(p->exec, array->n, array->size, what, array->to, host);
  TRY(mem_alloc(array->n, array->size, what, host));
  const Status status = exec_download(p->exec, *host, *array->to, (size_t)array->n * array->size);
  if (status != OK) mem_free(host);
  return status;
}

void exec_pack_release(ExecPack *p) {
  for (int i = 0; i < p->n; ++i) {
    if (!p->base) exec_release(p->exec, p->array[i].n, p->array[i].size, p->array[i].to);
    *p->array[i].to = NULL;
  }
  if (p->base) exec_release(p->exec, p->bytes, 1, &p->base);
  p->n = 0;
}
