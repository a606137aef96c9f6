/* Kinds of damaged files: flipped bits, overwritten and missing bytes in what the program reads. */
#include "tests/faults/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum What {
  RESULT_RESUME,
  RESULT_INFO,
  CHECKPOINT_RESUME,
  CHECKPOINTS_RESUME,
  CHECKPOINT_INFO,
  MESH_INFO,
  MESH_UNSEALED,
  MESH_TEXT,
  CASE_TEXT,
  MATRIX
} What;

enum { MOST_POINTS = 1 << 24, CODES_MOST = 6, SEAL = 24 };

static const char square_mesh[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 0\n$EndNodes\n"
    "$Elements\n3\n1 1 2 1 1 4 1\n2 3 2 2 1 1 2 3 4\n3 3 2 2 1 2 5 6 3\n$EndElements\n";
static const char square_case[] = "version: 1\nmesh: {file: square.msh}\nphysics: elasticity\nmodel: plane-stress\n"
                                  "materials: [{on: body, young: 1000, poisson: 0.25, density: 2}]\nboundary: [{on: "
                                  "left, fix: all}]\nbody: [{on: body, gravity: [0, -9.81]}]\n";
static const char matrix[] =
    "%%MatrixMarket matrix coordinate real symmetric\n4 4 7\n1 1 4\n2 1 -1\n2 2 4\n3 2 -1\n3 3 4\n4 3 -1\n4 4 4\n";

/* The file that is damaged, what reads it, the exit codes that may come of it. */
static const struct {
  const char *folder, *file, *words[12];
  int codes[CODES_MOST];
} reads[] = {
    [RESULT_RESUME] = {"heart-half",
                       "results.hdf",
                       {"run", "../heart.yaml", "--output", ".", "--resume", "--quiet", "--backend", "cpu", "--threads",
                        "1"},
                       {0, 5}},
    [RESULT_INFO] = {"heart", "results.hdf", {"info", "results.hdf"}, {0, 4, 9}},
    [CHECKPOINT_RESUME] = {"heart-half",
                           "checkpoint-1.hdf",
                           {"run", "../heart.yaml", "--output", ".", "--resume", "--quiet", "--backend", "cpu",
                            "--threads", "1"},
                           {0, 5}},
    [CHECKPOINTS_RESUME] = {"heart-half",
                            "checkpoint-1.hdf",
                            {"run", "../heart.yaml", "--output", ".", "--resume", "--quiet", "--backend", "cpu",
                             "--threads", "1"},
                            {0, 5}},
    [CHECKPOINT_INFO] = {"heart", "checkpoint-1.hdf", {"info", "checkpoint-1.hdf"}, {4, 9}},
    [MESH_INFO] = {"square", "square.h5", {"info", "square.h5"}, {0, 4}},
    [MESH_UNSEALED] = {"square", "square.h5", {"info", "square.h5"}, {0, 4}},
    [MESH_TEXT] = {"square", "square.msh", {"check", "square.yaml", "--backend", "cpu"}, {0, 3, 4}},
    [CASE_TEXT] = {"square", "square.yaml", {"check", "square.yaml", "--backend", "cpu"}, {0, 3, 4}},
    [MATRIX] = {"square", "small.mtx", {"solve", "small.mtx", "--output", ".", "--backend", "cpu"}, {0, 4, 6, 7}},
};

static int64_t prepare(const Campaign *c, const Kind *kind) {
  const char *convert[] = {"mesh", "square.msh", "square.h5", "--overwrite", NULL};
  char square[PATH_ROOM];
  snprintf(square, sizeof square, "%s", path_in(c->folder, "square"));
  if (kind->variant >= MESH_INFO) {
    folder_make(square);
    file_write(path_in(square, "square.msh"), square_mesh, sizeof square_mesh - 1);
    file_write(path_in(square, "square.yaml"), square_case, sizeof square_case - 1);
    file_write(path_in(square, "small.mtx"), matrix, sizeof matrix - 1);
    const Ended ended = program_run(c->program, square, convert, NULL);
    if (ended.code != 0) give_up("no mesh: %s", ended.said);
  } else {
    fixture_make(c, HEART);
    fixture_half(c, HEART);
  }
  char work[PATH_ROOM];
  snprintf(work, sizeof work, "%s", path_in(c->folder, "whole"));
  folder_copy(path_in(c->folder, reads[kind->variant].folder), work);
  const Ended ended = program_run(c->program, work, reads[kind->variant].words, NULL);
  if (ended.code != 0) give_up("%s without any damage: exit code %d\n%s", kind->name, ended.code, ended.said);
  return MOST_POINTS;
}

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* A bit, a byte that text may have, eight bytes, a stretch of inverted ones, or a cut. */
static void damage(const char *path, uint64_t seed, size_t cut) {
  size_t n;
  unsigned char *bytes = file_read(path, &n);
  if (!bytes || n == 0) give_up("'%s' is missing", path);
  n -= cut;
  for (int k = 0; k < 8; ++k) next(&seed);
  const uint64_t how = next(&seed) % 6, at = next(&seed) % n;
  static const char odd[] = "0123456789-e. []{}:,";
  if (how == 2) bytes[at] = (unsigned char)odd[next(&seed) % (sizeof odd - 1)];
  else if (how < 2) bytes[at] ^= (unsigned char)(1u << next(&seed) % 8);
  else if (how == 3)
    for (int k = 0; k < 8; ++k) bytes[next(&seed) % n] = (unsigned char)next(&seed);
  else if (how == 4)
    for (size_t k = at; k < n && k < at + 64; ++k) bytes[k] = (unsigned char)~bytes[k];
  else n = (size_t)at;
  file_write(path, bytes, n);
  free(bytes);
}

static void point(const Campaign *c, const Kind *kind, int64_t number, const char *work, Outcome *outcome) {
  const What what = (What)kind->variant;
  folder_copy(path_in(c->folder, reads[what].folder), work);
  damage(path_in(work, reads[what].file), (uint64_t)number, what == MESH_UNSEALED ? SEAL : 0);
  if (what == CHECKPOINTS_RESUME) damage(path_in(work, "checkpoint-2.hdf"), (uint64_t)number + 77, 0);
  const bool changed =
      !files_equal(path_in(work, reads[what].file), path_in(path_in(c->folder, reads[what].folder), reads[what].file));
  const Ended ended = program_run(c->program, work, reads[what].words, NULL);
  if (!ended_well(&ended, reads[what].words[0], outcome)) return;
  bool fits = !changed;
  for (int k = 0; k < CODES_MOST && (k == 0 || reads[what].codes[k]); ++k) fits |= ended.code == reads[what].codes[k];
  if (!fits) conclude(outcome, CODE, "exit code %d\n%.300s", ended.code, ended.said);
  else if (changed && !ended.code && (what == MESH_INFO || what == MESH_UNSEALED) && !strstr(ended.said, "no checksum"))
    conclude(outcome, LOST, "read without a word");
  else if (ended.code) conclude(outcome, strstr(reads[what].words[0], "run") ? REFUSED : HELD, "%.300s", ended.said);
  else if (strcmp(reads[what].words[0], "run") != 0 || run_is_whole(c, HEART, work, "--resume", outcome))
    conclude(outcome, PASSED, "%s", "");
}

#define DAMAGE(name, what, full, small, variant)                                                                       \
  { name, what, full, small, prepare, point, variant }
const Kind damage_kinds[] = {
    DAMAGE("damage-result-resume", "damaged results.hdf of a killed run, --resume", 1000, 20, RESULT_RESUME),
    DAMAGE("damage-result-info", "damaged results.hdf, info", 1000, 20, RESULT_INFO),
    DAMAGE("damage-checkpoint-resume", "the newest checkpoint damaged, --resume", 500, 10, CHECKPOINT_RESUME),
    DAMAGE("damage-checkpoints-resume", "both checkpoints damaged, --resume", 300, 10, CHECKPOINTS_RESUME),
    DAMAGE("damage-checkpoint-info", "a damaged checkpoint, info", 300, 10, CHECKPOINT_INFO),
    DAMAGE("damage-mesh-h5", "a damaged mesh in HDF5, info", 500, 20, MESH_INFO),
    DAMAGE("damage-mesh-unsealed", "the same without its checksum, info", 500, 20, MESH_UNSEALED),
    DAMAGE("damage-mesh-text", "a damaged .msh, check", 500, 10, MESH_TEXT),
    DAMAGE("damage-case", "a damaged case file, check", 500, 10, CASE_TEXT),
    DAMAGE("damage-matrix", "a damaged Matrix Market file, solve", 500, 10, MATRIX),
    {0}};
