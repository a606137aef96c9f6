/* What the snapshots of all executors share. */
#include "core/exec.h"

Status exec_snapshot_create(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out) {
  *out = NULL;
  CHECK(!exec->recording, ERR_BUG, "taking memory for a snapshot is not allowed while a loop body is recorded");
  TRY(exec->table->snapshot_create(exec, bytes, what, out));
  (*out)->exec = exec;
  (*out)->bytes = bytes;
  return OK;
}

void exec_snapshot_destroy(ExecSnapshot **snapshot) {
  if (!*snapshot) return;
  (*snapshot)->exec->table->snapshot_destroy(*snapshot);
  *snapshot = NULL;
}

void *exec_snapshot_room(ExecSnapshot *snapshot) { return snapshot->room; }

Status exec_snapshot_send(ExecSnapshot *snapshot, size_t bytes) {
  CHECK(!snapshot->exec->recording, ERR_BUG, "sending a snapshot is not allowed while a loop body is recorded");
  CHECK(bytes <= snapshot->bytes, ERR_BUG, "%zu bytes of a snapshot of %zu", bytes, snapshot->bytes);
  return snapshot->exec->table->snapshot_send(snapshot, bytes);
}

Status exec_snapshot_wait(ExecSnapshot *snapshot, const void **host) {
  *host = NULL;
  TRY(snapshot->exec->table->snapshot_wait(snapshot));
  *host = snapshot->host;
  return OK;
}
