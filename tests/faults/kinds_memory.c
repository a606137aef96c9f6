/* Kinds of faults of memory: one allocation fails, or all from one on, whoever asks. */
#include "tests/faults/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum What {
  RUN_HEART,
  OVER_HEART,
  RESUME_HEART,
  RUN_PLATE,
  CHECK_HEART,
  INFO_RESULT,
  INFO_CHECKPOINT,
  IMPORT,
  INFO_MESH,
  RUN_LARGE
} What;

static const char mesh_text[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
    "$Elements\n2\n1 1 2 1 1 4 1\n2 3 2 2 1 1 2 3 4\n$EndElements\n";

/* A run whose arrays are larger than what the reserve of the program serves. */
static const char large_case[] =
    "version: 1\nmesh: {grid: [551, 551]}\nphysics: heat\nmaterials: [{on: body, conductivity: 1e-6, capacity: 1}]\n"
    "boundary: [{on: x0, temperature: 1}]\ntime: {end: 0.02, step: 0.01}\noutput: {every: 0.01, checkpoint: 0.01}\n";
enum { LARGE_PIECE = 2200000 };

/* Words of what is tried; `output` where it writes. */
static void words_of(What what, const char *output, const char *words[WORDS_MOST]) {
  const char *const form[][9] = {[RUN_HEART] = {"run", "heart.yaml", "--output", output},
                                 [OVER_HEART] = {"run", "heart.yaml", "--output", output, "--overwrite"},
                                 [RESUME_HEART] = {"run", "heart.yaml", "--output", output, "--resume"},
                                 [RUN_PLATE] = {"run", "plate.yaml", "--output", output},
                                 [CHECK_HEART] = {"check", "heart.yaml"},
                                 [INFO_RESULT] = {"info", "heart/results.hdf"},
                                 [INFO_CHECKPOINT] = {"info", "heart/checkpoint-1.hdf"},
                                 [IMPORT] = {"mesh", "small.msh", path_in(output, "out.h5")},
                                 [INFO_MESH] = {"info", "small.h5"},
                                 [RUN_LARGE] = {"run", "large.yaml", "--output", output}};
  int n = 0;
  for (; n < 9 && form[what][n]; ++n) words[n] = form[what][n];
  static const char *const alone[] = {"--quiet", "--backend", "cpu", "--threads", "1"};
  const bool runs = what <= RUN_PLATE || what == RUN_LARGE;
  for (int k = runs ? 0 : 1; (runs || what == CHECK_HEART) && k < 5; ++k) words[n++] = alone[k];
  words[n] = NULL;
}

static void begin(const Campaign *c, What what, const char *output) {
  static const char *const start[] = {[OVER_HEART] = "other-heart", [RESUME_HEART] = "heart-half", [RUN_LARGE] = NULL};
  folder_drop(output);
  if (start[what]) folder_copy(path_in(c->folder, start[what]), output);
  else if (what == IMPORT) folder_make(output);
}

static Ended run_with(const Campaign *c, What what, const char *output, const char *first, const char *second) {
  const char *words[WORDS_MOST];
  char preload[PATH_ROOM + 16], least[48];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", c->mem_shim);
  snprintf(least, sizeof least, "FAULT_LEAST=%d", what == RUN_LARGE ? LARGE_PIECE : 0);
  const char *settings[] = {preload, least, first, second, NULL};
  words_of(what, output, words);
  begin(c, what, output);
  return program_run(c->program, c->folder, words, settings);
}

static int64_t prepare(const Campaign *c, const Kind *kind) {
  char count[PATH_ROOM], into[PATH_ROOM + 16], output[PATH_ROOM];
  const char *convert[] = {"mesh", "small.msh", "small.h5", "--overwrite", NULL};
  fixture_make(c, HEART);
  fixture_make(c, PLATE);
  fixture_half(c, HEART);
  file_write(path_in(c->folder, "small.msh"), mesh_text, sizeof mesh_text - 1);
  file_write(path_in(c->folder, "large.yaml"), large_case, sizeof large_case - 1);
  program_run(c->program, c->folder, convert, NULL);
  snprintf(count, sizeof count, "%s", path_in(c->folder, "allocations.txt"));
  snprintf(output, sizeof output, "%s", path_in(c->folder, "counted"));
  snprintf(into, sizeof into, "FAULT_COUNT=%s", count);
  const Ended ended = run_with(c, (What)kind->variant, output, into, NULL);
  size_t n;
  char *text = (char *)file_read(count, &n);
  const int64_t allocations = text ? atol(text) : 0;
  free(text);
  remove(count);
  if (ended.code != 0 || allocations == 0)
    give_up("'%s' without any fault: exit code %d, %ld allocations\n%s", kind->name, ended.code, (long)allocations,
            ended.said);
  return 2 * allocations;
}

static void point(const Campaign *c, const Kind *kind, int64_t number, const char *work, Outcome *outcome) {
  const What what = (What)kind->variant;
  const Model model = what == RUN_PLATE ? PLATE : HEART;
  char at[48], site[PATH_ROOM + 16];
  snprintf(at, sizeof at, "FAULT_AT=%ld", (long)(number / 2 + 1));
  snprintf(site, sizeof site, "FAULT_SITE=%s.site", work);
  const Ended ended = run_with(c, what, work, at, number % 2 ? "FAULT_STICKY=1" : site);
  if (!ended_well(&ended, "without memory", outcome)) return;
  if (ended.code == 7 && !strstr(ended.said, "memory"))
    conclude(outcome, WORDLESS, "exit code 7 without the word memory\n%.300s", ended.said);
  else if (ended.code != 7 && ended.code != 0) conclude(outcome, CODE, "exit code %d\n%.300s", ended.code, ended.said);
  else if (what > RUN_PLATE) conclude(outcome, ended.code ? HELD : PASSED, "%s", "");
  else if (ended.code == 0) {
    if (run_is_whole(c, model, work, "without memory", outcome)) conclude(outcome, PASSED, "%s", "");
  } else if (files_hold(c, model, work, what == OVER_HEART, false, outcome)) {
    resume_holds(c, model, work, HELD, outcome);
  }
}

#define MEMORY(name, what, full, small, variant)                                                                       \
  { name, "an allocation fails: " what, full, small, prepare, point, variant }
const Kind memory_kinds[] = {MEMORY("memory-heart", "a heart", 1000, 20, RUN_HEART),
                             MEMORY("memory-heart-other", "a heart, over another result", 800, 10, OVER_HEART),
                             MEMORY("memory-heart-resume", "a heart, --resume", 800, 10, RESUME_HEART),
                             MEMORY("memory-plate", "a static part", 800, 20, RUN_PLATE),
                             MEMORY("memory-check", "check", 300, 10, CHECK_HEART),
                             MEMORY("memory-info-result", "info of a result", 300, 10, INFO_RESULT),
                             MEMORY("memory-info-checkpoint", "info of a checkpoint", 300, 10, INFO_CHECKPOINT),
                             MEMORY("memory-import", "mesh", 300, 10, IMPORT),
                             MEMORY("memory-info-mesh", "info of a mesh in HDF5", 300, 10, INFO_MESH),
                             MEMORY("memory-large", "large arrays of heat on 303,601 nodes", 100, 0, RUN_LARGE),
                             {0}};
