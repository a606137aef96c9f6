/* The gmsh program: fixed argument list, no shell, input's folder as working directory (so that Merge finds its files),
 * output captured, time limit, temporary file removed whatever happens. Gmsh answers damaged input with exit code 0, so
 * any line of its output that begins with "Error" counts as failure. */
#include "mesh/io/gmsh.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "mesh/io/mesher.h"
#include "mesh/io/geo_script.h"
#include "mesh/io/msh_read.h"
#include "mesh/io/unv.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Job {
  const char *path;           /* as the user gave it */
  char *folder;               /* owned */
  const char *name;           /* in path */
  char msh[PATH_MAX + 32];    /* the temporary file; "" before it is there */
  char kept[PATH_MAX + 32];   /* the mesh as runs of a sweep share it; "": they do not */
  char copy[PATH_MAX + 32];   /* of the file, changed for gmsh; "": there is none */
  char steps[PATH_MAX + 32];  /* a script that meshes and refines by the geometry; "": there is none */
  char limits[PATH_MAX + 32]; /* read behind the geometry; "": none */
  const char *program;
  char program_path[PATH_MAX];
  bool geometry; /* mesh it, not just convert */
  bool trust;    /* it may start programs and write files */
  int32_t order, refine;
  double size;              /* 0: as the file says */
  const MeshNumber *number; /* [n_number] */
  int32_t n_number;
  char sizes[PATH_MAX]; /* a view; "": none */
  double time_limit;
} Job;

/* What a confined gmsh says of a script that asks for more than meshing. */
static const char *gmsh_remedy(const Job *job, const MesherOutput *out) {
  const bool tried = strstr(out->errors, "system call") || strstr(out->errors, "Unable to open file") ||
                     strstr(out->errors, "server termination") || strstr(out->last, "fork");
  return job->trust || !tried ? ""
                              : "\n  (gmsh starts no programs and writes no files here, whatever a script asks for; "
                                "for one that you have read and "
                                "trust, add --trust)";
}

static Status gmsh_judge(const Job *job, const MesherOutput *out, int how) {
  CHECK(!strstr(out->errors, "compiled with MED"), ERR_MESH,
        "%s: this gmsh was built without MED\n  export the mesh as .unv or .msh, or install a gmsh that reads MED: pip "
        "install gmsh",
        job->path);
  if (out->n_error) {
    char more[48] = "";
    if (out->n_error > MESHER_ERRORS_SHOWN)
      snprintf(more, sizeof more, "\n  and %lld more", (long long)(out->n_error - MESHER_ERRORS_SHOWN));
    const char *confined = gmsh_remedy(job, out);
    FAIL(ERR_MESH, "%s: gmsh could not make a mesh of it:%s%s%s", job->path, out->errors, more, confined);
    return *confined ? ERR_MESH : status_context(ERR_MESH, "look at it in Gmsh: gmsh '%s'", job->path);
  }
  CHECK(!WIFSIGNALED(how), ERR_MESH, "%s: gmsh was ended by signal %d (%s)\n  %s", job->path, WTERMSIG(how),
        strsignal(WTERMSIG(how)), out->last[0] ? out->last : "it said nothing");
  CHECK(WEXITSTATUS(how) != 127, ERR_MESH, "gmsh cannot be started: %s", out->last[0] ? out->last : job->program);
  CHECK(WEXITSTATUS(how) == 0, ERR_MESH, "%s: gmsh ended with exit code %d\n  %s%s", job->path, WEXITSTATUS(how),
        out->last[0] ? out->last : "it said nothing", gmsh_remedy(job, out));
  return OK;
}

static Status refuse_start(const Job *job, int error) {
  CHECK(error != ENOENT, ERR_MESH,
        "%s: needs the program '%s', which is not installed: apt-get install gmsh, or convert the mesh elsewhere "
        "by: sinew mesh '%s' mesh.h5",
        job->path, job->program, job->path);
  return FAIL(ERR_MESH, "%s: the program '%s' cannot be started: %s", job->path, job->program, strerror(error));
}

/* `name` is never taken for an option. */
static Status gmsh_run(const Job *job) {
  char name[4200], order[4], size[32];
  snprintf(name, sizeof name, "./%s", job->name);
  snprintf(order, sizeof order, "%d", job->order);
  snprintf(size, sizeof size, "%.17g", job->size);
  const bool steps = job->steps[0] != 0;
  char number[MESH_NUMBERS][32];
  const char *arguments[24 + 3 * MESH_NUMBERS] = {job->program, name,    job->geometry && !steps ? "-3" : "-save",
                                                  "-format",    "msh41", "-bin",
                                                  "-nopopup",   "-v",    "2",
                                                  "-o",         job->msh};
  int n = 11;
  if (steps) arguments[n++] = job->steps;
  else if (job->geometry && job->order) arguments[n++] = "-order", arguments[n++] = order;
  if (job->geometry && job->size > 0) arguments[n++] = "-clmax", arguments[n++] = size;
  for (int32_t i = 0; i < job->n_number; ++i) {
    snprintf(number[i], sizeof number[i], "%.17g", job->number[i].value);
    arguments[n++] = "-setnumber", arguments[n++] = job->number[i].name, arguments[n++] = number[i];
  }
  if (job->limits[0]) {
    /* Gmsh moves nodes of edges by 1e-9 of the body at random while it makes triangles of them. Beside nodes 1e-5 apart on a straight
     * edge that leaves triangles without area. */
    arguments[n++] = "-rand", arguments[n++] = "1e-12";
    arguments[n++] = job->limits, arguments[n++] = "-bgm", arguments[n++] = job->sizes;
  }
  const Mesher mesher = {.program = job->program,
                         .arguments = (char *const *)(uintptr_t)arguments,
                         .folder = job->folder,
                         .writable = job->trust ? NULL : job->msh,
                         .time_limit = job->time_limit};
  MesherOutput out = {0};
  int how = 0;
  switch (mesher_run(&mesher, &out, &how)) {
  case MESHER_NOT_STARTED: return refuse_start(job, how);
  case MESHER_NOT_CONFINED:
    return FAIL(ERR_MESH,
                "%s: this system cannot keep gmsh from starting programs that the file may name (seccomp: %s)\n  when "
                "it comes from a source that you trust, add --trust; or mesh it beforehand: gmsh -3 '%s' -format msh41 "
                "-bin -o mesh.msh",
                job->path, strerror(how), job->path);
  case MESHER_STOPPED:
    return FAIL(ERR_MESH,
                "%s: gmsh was stopped after %g s, the time limit; make the mesh coarser, or mesh it beforehand: "
                "gmsh -3 '%s' -format msh41 -bin -o mesh.msh",
                job->path, job->time_limit, job->path);
  case MESHER_ENDED: break;
  }
  return gmsh_judge(job, &out, how);
}

/* A temporary file, whose name ends with these four characters. */
static Status make_temporary(const char *ending, char *out, int *file) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  char path[PATH_MAX + 32], full[PATH_MAX]; /* a full path, because the child works in another folder */
  snprintf(path, sizeof path, "%s/sinew-mesh-XXXXXX%s", realpath(folder, full) ? full : folder, ending);
  *file = mkostemps(path, 4, O_CLOEXEC);
  CHECK(*file >= 0, ERR_IO, "no temporary file in '%s': %s; set TMPDIR to a folder with space", folder,
        strerror(errno));
  memcpy(out, path, sizeof path);
  return OK;
}

/* New nodes of a boundary lie on the geometry, not between those of the first mesh. */
static Status write_steps(Job *job) {
  int file;
  if (!job->geometry || !job->refine) return OK;
  TRY(make_temporary(".geo", job->steps, &file));
  FILE *out = fdopen(file, "w");
  if (!out) close(file);
  bool good = out && fprintf(out, "Mesh 3;\n") > 0;
  for (int32_t i = 0; good && i < job->refine; ++i) good = fprintf(out, "RefineMesh;\n") > 0;
  if (good)
    good =
        (job->order ? fprintf(out, "SetOrder %d;\n", job->order) : fprintf(out, "SetOrder Mesh.ElementOrder;\n")) > 0;
  if (out) good = fclose(out) == 0 && good;
  CHECK(good, ERR_IO, "cannot write '%s'", job->steps);
  return OK;
}

/* What the view says is all that counts: sizes at points and along boundaries, and the least, are those of the first mesh. It is read
 * behind the geometry, which may set them. */
static Status write_limits(Job *job) {
  static const char text[] =
      "Mesh.CharacteristicLengthFromPoints = 0;\nMesh.CharacteristicLengthExtendFromBoundary = 0;\n"
      "Mesh.CharacteristicLengthMin = 0;\n";
  int file;
  if (!job->geometry || !job->sizes[0]) return OK;
  TRY(make_temporary(".geo", job->limits, &file));
  const bool good = write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
  close(file);
  CHECK(good, ERR_IO, "cannot write '%s'", job->limits);
  return OK;
}

/* Groups of .unv that gmsh would lose: it reads a copy, in whose folder it works. */
static Status copy_groups(Job *job) {
  bool changed = false;
  int file;
  if (!unv_is(job->path)) return OK;
  TRY(make_temporary(".unv", job->copy, &file));
  const Status status = unv_rewrite(job->path, file, &changed);
  close(file);
  if (status != OK || !changed) return status;
  job->name = strrchr(job->copy, '/') + 1;
  FREE(job->folder);
  ALLOC(job->folder, job->name - job->copy + 1, "folder of the mesh");
  memcpy(job->folder, job->copy, (size_t)(job->name - job->copy));
  return OK;
}

bool gmsh_meshes(const char *path) {
  static const char *const mesh[] = {"msh", "unv", "vtk", "bdf", "nas", "mesh",  "cgns", "diff", "su2",
                                     "p3d", "ply", "off", "stl", "wrl", "celum", "ir3",  "neu"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof mesh / sizeof *mesh; ++i)
    if (!strcasecmp(dot + 1, mesh[i])) return false;
  return true;
}

static uint64_t hash_of_number(uint64_t hash, double value) { return fnv_words(hash, &value, sizeof value); }

/* Runs of a sweep share meshes in the folder that SINEW_MESHES names, by what gmsh is asked for. Geometries stay as they are meanwhile. */
static void name_kept(Job *job) {
  const char *folder = getenv("SINEW_MESHES");
  char path[PATH_MAX], full[PATH_MAX];
  if (!folder || !realpath(folder, full) || job->sizes[0] || !realpath(job->path, path)) return;
  uint64_t hash = fnv_words(FNV_BASIS, path, strlen(path));
  hash = fnv_words(hash, job->program, strlen(job->program));
  hash = hash_of_number(hash_of_number(hash_of_number(hash, job->order), job->refine), job->size);
  for (int32_t i = 0; i < job->n_number; ++i)
    hash = hash_of_number(fnv_words(hash, job->number[i].name, strlen(job->number[i].name)), job->number[i].value);
  snprintf(job->kept, sizeof job->kept, "%s/%016llx.msh", full, (unsigned long long)hash);
}

static Status gmsh_prepare(const MeshParams *params, Job *job) {
  const char *slash = strrchr(params->path, '/');
  job->path = params->path;
  job->name = slash ? slash + 1 : params->path;
  job->geometry = gmsh_meshes(job->name);
  job->order = params->order;
  job->refine = params->refine;
  job->size = params->size;
  job->number = params->number, job->n_number = params->n_number;
  if (params->sizes && *params->sizes && !realpath(params->sizes, job->sizes)) /* the child works in another folder */
    return FAIL(ERR_IO, "cannot open '%s': %s", params->sizes, strerror(errno));
  job->trust = params->trust;
  job->time_limit = params->time_limit > 0 ? params->time_limit : 600;
  job->program = params->gmsh ? params->gmsh : "gmsh";
  if (strchr(job->program, '/') && realpath(job->program, job->program_path)) job->program = job->program_path;
  const int64_t length = slash ? slash - params->path + 1 : 1;
  ALLOC(job->folder, length + 1, "folder of the mesh");
  memcpy(job->folder, slash ? params->path : ".", (size_t)length);
  name_kept(job);
  int file;
  TRY(make_temporary(".msh", job->msh, &file));
  close(file);
  TRY(write_steps(job));
  TRY(write_limits(job));
  return copy_groups(job);
}

static Status read_result(const Job *job, const char *msh, Mesh **out) {
  char *label;
  const int64_t length = (int64_t)strlen(job->path) + 40;
  ALLOC(label, length, "name of the mesh");
  snprintf(label, (size_t)length, "%s (%s by gmsh)", job->path, job->geometry ? "meshed" : "converted");
  const Status status = msh_read(msh, label, out);
  FREE(label);
  if (status != OK) return status;
  (*out)->path[strlen(job->path)] = 0; /* the mesh keeps the user's own path */
  return OK;
}

Status gmsh_load(const MeshParams *params, Mesh **out) {
  Job job = {0};
  *out = NULL;
  Status status = gmsh_prepare(params, &job);
  if (status == OK && job.geometry && !job.trust) status = geo_script_check(params->path);
  const bool kept = job.kept[0] && access(job.kept, R_OK) == 0;
  if (status == OK && !kept) status = gmsh_run(&job);
  if (status == OK) status = read_result(&job, kept ? job.kept : job.msh, out);
  if (status == OK && !kept && job.kept[0])
    (void)rename(job.msh, job.kept); /* where that fails the next run meshes again */
  if (job.msh[0]) unlink(job.msh);
  if (job.copy[0]) unlink(job.copy);
  if (job.steps[0]) unlink(job.steps);
  if (job.limits[0]) unlink(job.limits);
  FREE(job.folder);
  return status;
}
