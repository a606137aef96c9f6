/* The gmsh program: fixed argument list, no shell, input's folder as working directory (so that Merge finds its files),
 * output captured, time limit, temporary file removed whatever happens. Gmsh answers damaged input with exit code 0, so
 * any line of its output that begins with "Error" counts as failure. */
#include "mesh/gmsh.h"
#include "core/memory.h"
#include "mesh/msh_read.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LINE_BYTES = 400, ERRORS_SHOWN = 5 };

/* What the child says: its first error lines, and the last line of all. */
typedef struct Output {
  char line[LINE_BYTES], last[LINE_BYTES];
  int used;
  bool escape; /* inside a terminal colour sequence */
  char errors[ERRORS_SHOWN * (LINE_BYTES + 4)];
  int64_t n_error;
} Output;

static void end_line(Output *out) {
  out->line[out->used] = 0;
  if (out->used == 0) return;
  out->used = 0;
  memcpy(out->last, out->line, sizeof out->last);
  if (strncmp(out->line, "Error", 5)) return;
  if (out->n_error++ >= ERRORS_SHOWN) return;
  const size_t used = strlen(out->errors);
  snprintf(out->errors + used, sizeof out->errors - used, "\n  %s", out->line);
}

static void take_output(Output *out, const char *text, ssize_t n) {
  for (ssize_t i = 0; i < n; ++i) {
    const char c = text[i];
    if (out->escape)
      out->escape = !isalpha((unsigned char)c);
    else if (c == '\033')
      out->escape = true;
    else if (c == '\n' || c == '\r')
      end_line(out);
    else if (out->used < LINE_BYTES - 1 && (unsigned char)c >= ' ')
      out->line[out->used++] = c;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads until the child closes its output; false when the deadline passes first. */
static bool follow_output(int from, double deadline, Output *out) {
  for (;;) {
    const double left = deadline - now();
    if (left <= 0) return false;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    if (poll(&wait, 1, left > 1 ? 1000 : (int)(1000 * left) + 1) <= 0) continue;
    char text[4096];
    const ssize_t n = read(from, text, sizeof text);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    take_output(out, text, n);
  }
  end_line(out);
  return true;
}

/* The child's end; false when the deadline passes first. */
static bool follow_end(pid_t child, double deadline, int *how) {
  for (;;) {
    const pid_t got = waitpid(child, how, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return true;
    if (now() > deadline) return false;
    nanosleep(&(struct timespec){0, 2000000}, NULL);
  }
}

typedef struct Job {
  const char *path;        /* as the user gave it */
  char *folder;            /* owned */
  const char *name;        /* in path */
  char msh[PATH_MAX + 32]; /* the temporary file; "" before it is there */
  const char *program;
  char program_path[PATH_MAX];
  bool geometry; /* mesh it, not just convert */
  int32_t order;
  double time_limit;
} Job;

/* A pipe for the output, /dev/null as input, `folder` as working directory. */
static int spawn(const Job *job, char *const *arguments, const int ends[2], pid_t *child) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  if (!error) error = posix_spawn_file_actions_addchdir_np(&actions, job->folder);
  if (!error) error = posix_spawnp(child, job->program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static Status judge(const Job *job, const Output *out, int how) {
  if (out->n_error) {
    char more[48] = "";
    if (out->n_error > ERRORS_SHOWN)
      snprintf(more, sizeof more, "\n  and %lld more", (long long)(out->n_error - ERRORS_SHOWN));
    return FAIL(ERR_MESH, "%s: gmsh could not make a mesh of it:%s%s\n  look at it in Gmsh: gmsh '%s'", job->path,
                out->errors, more, job->path);
  }
  CHECK(!WIFSIGNALED(how), ERR_MESH, "%s: gmsh was ended by signal %d (%s)\n  %s", job->path, WTERMSIG(how),
        strsignal(WTERMSIG(how)), out->last[0] ? out->last : "it said nothing");
  CHECK(WEXITSTATUS(how) != 127, ERR_MESH, "gmsh cannot be started: %s", out->last[0] ? out->last : job->program);
  CHECK(WEXITSTATUS(how) == 0, ERR_MESH, "%s: gmsh ended with exit code %d\n  %s", job->path, WEXITSTATUS(how),
        out->last[0] ? out->last : "it said nothing");
  return OK;
}

static Status run(Job *job) {
  char name[4200], order[4];
  snprintf(name, sizeof name, "./%s", job->name); /* never taken for an option */
  snprintf(order, sizeof order, "%d", job->order);
  char *arguments[20] = {(char *)(uintptr_t)job->program,
                         name,
                         job->geometry ? "-3" : "-save",
                         "-format",
                         "msh41",
                         "-bin",
                         "-nopopup",
                         "-v",
                         "2",
                         "-o",
                         job->msh,
                         NULL};
  if (job->geometry && job->order) arguments[11] = "-order", arguments[12] = order;
  int ends[2], how = 0;
  CHECK(pipe2(ends, O_CLOEXEC) == 0, ERR_IO, "%s: no pipe to gmsh: %s", job->path, strerror(errno));
  pid_t child = -1;
  const int error = spawn(job, arguments, ends, &child);
  close(ends[1]);
  Output out = {0};
  const double deadline = now() + job->time_limit;
  const bool in_time = !error && follow_output(ends[0], deadline, &out) && follow_end(child, deadline, &how);
  close(ends[0]);
  if (error == ENOENT)
    return FAIL(
        ERR_MESH,
        "%s: needs the program '%s', which is not installed: apt-get install gmsh, or convert the mesh elsewhere "
        "by: sinew mesh '%s' mesh.h5",
        job->path, job->program, job->path);
  if (error)
    return FAIL(ERR_MESH, "%s: the program '%s' cannot be started: %s", job->path, job->program, strerror(error));
  if (!in_time) {
    kill(child, SIGKILL);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    return FAIL(ERR_MESH,
                "%s: gmsh was stopped after %g s, the time limit; make the mesh coarser, or mesh it beforehand: "
                "gmsh -3 '%s' -format msh41 -bin -o mesh.msh",
                job->path, job->time_limit, job->path);
  }
  return judge(job, &out, how);
}

static Status make_temporary(Job *job) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  char path[sizeof job->msh], full[PATH_MAX]; /* a full path, because the child works in another folder */
  snprintf(path, sizeof path, "%s/sinew-mesh-XXXXXX.msh", realpath(folder, full) ? full : folder);
  const int file = mkostemps(path, 4, O_CLOEXEC);
  CHECK(file >= 0, ERR_IO, "no temporary file in '%s': %s; set TMPDIR to a folder with space", folder, strerror(errno));
  close(file);
  memcpy(job->msh, path, sizeof path);
  return OK;
}

/* Files that hold a mesh already; all else is geometry to be meshed. */
static bool is_geometry(const char *name) {
  static const char *const mesh[] = {"msh", "unv", "vtk", "bdf", "nas", "mesh", "med", "mmed",  "cgns", "diff",
                                     "inp", "su2", "p3d", "ply", "off", "stl",  "wrl", "celum", "ir3",  "neu"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof mesh / sizeof *mesh; ++i)
    if (!strcasecmp(dot + 1, mesh[i])) return false;
  return true;
}

static Status prepare(const MeshParams *params, Job *job) {
  const char *slash = strrchr(params->path, '/');
  job->path = params->path;
  job->name = slash ? slash + 1 : params->path;
  job->geometry = is_geometry(job->name);
  job->order = params->order;
  job->time_limit = params->time_limit > 0 ? params->time_limit : 600;
  job->program = params->gmsh ? params->gmsh : "gmsh";
  if (strchr(job->program, '/') && realpath(job->program, job->program_path)) job->program = job->program_path;
  const int64_t length = slash ? slash - params->path + 1 : 1;
  ALLOC(job->folder, length + 1, "folder of the mesh");
  memcpy(job->folder, slash ? params->path : ".", (size_t)length);
  return make_temporary(job);
}

static Status read_result(const Job *job, Mesh **out) {
  char *label;
  const int64_t length = (int64_t)strlen(job->path) + 40;
  ALLOC(label, length, "name of the mesh");
  snprintf(label, (size_t)length, "%s (%s by gmsh)", job->path, job->geometry ? "meshed" : "converted");
  const Status status = msh_read(job->msh, label, out);
  FREE(label);
  if (status != OK) return status;
  (*out)->path[strlen(job->path)] = 0; /* the mesh keeps the user's own path */
  return OK;
}

Status gmsh_load(const MeshParams *params, Mesh **out) {
  Job job = {0};
  *out = NULL;
  Status status = prepare(params, &job);
  if (status == OK) status = run(&job);
  if (status == OK) status = read_result(&job, out);
  if (job.msh[0]) unlink(job.msh);
  FREE(job.folder);
  return status;
}
