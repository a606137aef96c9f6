/* Checkpoints of a heart run: the state of the stepping as it lies on the Exec, and what the run has counted. */
#include "app/heart.h"
#include "core/memory.h"
#include "output/checkpoint.h"

enum { STEPS, NEWTON, PRODUCTS, REJECTED };

/* FNV-1a over the case as resolved: comments and the order of keys do not matter, defaults do. */
static Status hash_of_case(const Case *c, uint64_t *out) {
  Text text = {0};
  case_echo(c, &text);
  *out = 14695981039346656037u;
  for (int64_t i = 0; i < text.n; ++i) *out = (*out ^ (unsigned char)text.data[i]) * 1099511628211u;
  const Status status = text.status;
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the resolved case");
}

Status heart_checkpoint(Run *run, Heart *h, double time, const HeartCounts *counts) {
  Checkpoint c = {.time = time,
                  .mesh_hash = mesh_hash(run->mesh),
                  .count = {[STEPS] = counts->steps,
                            [NEWTON] = counts->newton,
                            [PRODUCTS] = counts->products,
                            [REJECTED] = counts->rejected},
                  .n_byte = evolution_state_bytes(h->evolution),
                  .version = sinew_version(),
                  .commit = sinew_commit(),
                  .case_text = run->c->text,
                  .device = run->report->device};
  TRY(hash_of_case(run->c, &c.case_hash));
  TRY(mem_alloc(c.n_byte, 1, "the state of a checkpoint", &c.state));
  Status status = evolution_save(h->evolution, c.state);
  if (status == OK) status = checkpoint_save(run->params->folder, &c);
  checkpoint_release(&c);
  return status;
}

Status heart_resume(Run *run, Heart *h, double *time, HeartCounts *counts, bool *resumed) {
  Checkpoint c;
  uint64_t hash;
  *resumed = false;
  if (!run->params->resume) return OK;
  TRY(hash_of_case(run->c, &hash));
  TRY(checkpoint_load(run->params->folder, hash, mesh_hash(run->mesh), &c, resumed));
  Status status = OK;
  if (*resumed) {
    if (c.n_byte != evolution_state_bytes(h->evolution))
      status = FAIL(ERR_RESTART, "the checkpoint in %s holds %lld bytes, this run %lld: it is of another version of Sinew",
                    run->params->folder, (long long)c.n_byte, (long long)evolution_state_bytes(h->evolution));
    if (status == OK) status = heart_restore(h, c.state);
    *time = c.time;
    *counts = (HeartCounts){c.count[STEPS], c.count[NEWTON], c.count[PRODUCTS], c.count[REJECTED]};
  }
  checkpoint_release(&c);
  return status;
}
