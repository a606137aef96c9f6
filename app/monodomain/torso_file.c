/* Made from a result, as filaments.csv is. */
#include "app/monodomain/torso_file.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/conductor.h"
#include "app/run/output_files.h"
#include "app/run/ranks.h"
#include "core/clock.h"
#include "core/memory.h"
#include "output/folder.h"
#include "output/read.h"

static const char FIELD[] = "extracellular";

typedef struct TorsoFile {
  Run *run;
  const Mesh *whole;
  Conductor *conductor;
  Result *result;
  OutputFolder *folder;
  Writer *writer;
  double *V, *phi; /* of the heart's nodes, of all */
} TorsoFile;

static Status open_result(TorsoFile *t) {
  char *path = NULL;
  TRY(output_path(t->run->params->folder, "results.hdf", &path));
  const Status status = result_open(path, &t->result);
  FREE(path);
  return status;
}

static Status open_writer(TorsoFile *t) {
  const WriterField field = {.name = FIELD, .n_component = 1, .unit = "mV"};
  WriterParams params = {.mesh = t->whole,
                         .n_field = 1,
                         .field = &field,
                         .n_step = t->result->n_step,
                         .length_unit = "mm",
                         .time_unit = "ms"};
  return output_beside(t->run, "torso", &params, &t->folder, &t->writer);
}

static Status save_steps(TorsoFile *t) {
  const ResultField *field = result_field(t->result, "potential", false);
  const double *const values[] = {t->phi};
  for (int64_t k = 0; k < t->result->n_step; ++k) {
    TRY(result_read(t->result, field, k, t->V));
    TRY(conductor_set_time(t->conductor, t->result->time[k]));
    TRY_CONTEXT(conductor_body(t->conductor, t->V, t->phi), "at t = %g ms", t->result->time[k]);
    TRY(writer_step(t->writer, t->result->time[k], values));
  }
  return OK;
}

static Status save_all(TorsoFile *t, const Heart *heart) {
  TRY(open_result(t));
  const ResultField *field = result_field(t->result, "potential", false);
  CHECK(field && t->result->n_node == t->run->mesh->n_node, ERR_IO, "'%s' no longer has potentials of this mesh",
        t->result->path);
  ALLOC(t->V, t->run->mesh->n_node, "potentials of a heart");
  ALLOC(t->phi, t->whole->n_node, "potentials of a torso");
  TRY(conductor_create(heart->exec, t->run->c, t->run->mesh, heart->setup, (int32_t)t->result->n_step, NULL,
                       &t->conductor));
  if (bidomain_means_tissue(t->run->c)) TRY(conductor_mean_over_heart(t->conductor));
  TRY(open_writer(t));
  return save_steps(t);
}

/* Solves and seconds of all that was worked out outside of the cells. */
static void note_work(TorsoFile *t, double begin) {
  RunReport *report = t->run->report;
  int64_t solves = 0, iterations = 0;
  conductor_work(t->conductor, &solves, &iterations);
  report->heart.outside_solves += solves, report->heart.outside_iterations += iterations;
  report->heart.outside_seconds += clock_seconds() - begin;
  progress_say(&t->run->progress, "torso        %lld maps of %d nodes: %s", (long long)solves, (int)t->whole->n_node,
               writer_path(t->writer));
}

Status torso_save(Run *run, const Heart *heart) {
  if (!run->c->output.torso.value || !run->report->converged || run->rehearsed || !run_is_root(run)) return OK;
  TorsoFile t = {.run = run, .whole = run->mesh->whole};
  const double begin = clock_seconds();
  Status status = save_all(&t, heart);
  if (status == OK) note_work(&t, begin);
  const Status closed = writer_close(&t.writer);
  output_folder_close(&t.folder);
  conductor_destroy(&t.conductor);
  result_close(&t.result);
  FREE(t.V);
  FREE(t.phi);
  return status == OK ? closed : status;
}
