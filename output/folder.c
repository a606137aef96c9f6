/* Making, locking, tidying and asking the output folder. The lock is flock() on a small file that is removed at the
 * end; as another run may remove it between open and lock, the locked file must still be the one under that name. */
#include "output/folder.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char LOCK_NAME[] = ".sinew-lock";
enum { MADE_MOST = 64 };

struct OutputFolder {
  char *path, *lock_path, *half_path[2]; /* owned; `path` is cut where its folders are removed */
  int32_t n_made;
  size_t made[MADE_MOST]; /* lengths of the parts of `path` that are folders of this run's making, ascending */
  int file;               /* the locked file; -1 where locks are not supported */
};

/* What a signal handler has to tidy up; a process has one run at a time. */
static OutputFolder *volatile held;

Status output_path(const char *folder, const char *name, char **out) {
  *out = NULL;
  const size_t n = strlen(folder);
  const bool slash = n > 0 && *name && folder[n - 1] != '/';
  char *path = NULL;
  ALLOC(path, n + strlen(name) + 2, "a path in the output folder");
  snprintf(path, n + strlen(name) + 2, "%s%s%s", folder, slash ? "/" : "", name);
  *out = path;
  return OK;
}

static Status make_folder(OutputFolder *folder, const char *path) {
  const size_t n = strlen(path);
  CHECK(n > 0, ERR_IO, "the output folder has an empty name");
  ALLOC(folder->path, n + 1, "the name of the output folder");
  for (size_t i = 1; i <= n; ++i) {
    if (path[i] != '/' && path[i] != 0) continue;
    memcpy(folder->path, path, i);
    folder->path[i] = 0;
    const bool made = mkdir(folder->path, 0777) == 0;
    const int reason = errno;
    CHECK(made || reason == EEXIST || ((reason == EROFS || reason == EACCES) && access(folder->path, F_OK) == 0),
          ERR_IO, "cannot make the output folder '%s': %s", folder->path, strerror(reason));
    if (made && folder->n_made < MADE_MOST) folder->made[folder->n_made++] = i;
  }
  struct stat what;
  CHECK(stat(path, &what) == 0, ERR_IO, "cannot make the output folder '%s': %s", path, strerror(errno));
  CHECK(S_ISDIR(what.st_mode), ERR_IO, "the output '%s' is a file, not a folder; choose another --output", path);
  return OK;
}

/* A lock is a regular file with one name: the file of somebody else under a second name would be emptied. */
static bool is_lock(int file) {
  struct stat what;
  return fstat(file, &what) == 0 && S_ISREG(what.st_mode) && what.st_nlink <= 1;
}

/* Opens and locks; 0, or the errno of the failure (EWOULDBLOCK: another process has it; ELOOP: it is no lock). */
static int lock_file(const char *path, int *out) {
  for (int turn = 0; turn < 100; ++turn) {
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file < 0) return errno;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      close(file);
      return reason;
    }
    if (!is_lock(file)) {
      close(file);
      return ELOOP;
    }
    if (output_is_named(file, path)) {
      *out = file;
      return 0;
    }
    close(file); /* its owner removed it meanwhile: try with the new one */
  }
  return EWOULDBLOCK;
}

static Status in_use(const char *path, const char *lock_path) {
  char who[32] = "";
  const int file = open(lock_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const ssize_t n = file >= 0 ? read(file, who, sizeof who - 1) : 0;
  if (file >= 0) close(file);
  const long process = n > 0 ? strtol(who, NULL, 10) : 0;
  char by[48] = "another run";
  if (process > 0) snprintf(by, sizeof by, "another run (process %ld)", process);
  return FAIL(ERR_RESTART, "the output folder '%s' is in use by %s; wait for it or choose another --output", path, by);
}

/* What a killed run may leave: files that never got their names. */
static Status remove_leftovers(const char *folder) {
  static const char *const name[] = {"results.hdf.new", "results.xdmf.new", "probes.csv.new",
                                     "report.json.new", "checkpoint.new",   "checkpoint.old"};
  Status status = OK;
  for (size_t i = 0; i < sizeof name / sizeof *name && status == OK; ++i) {
    char *path = NULL;
    status = output_path(folder, name[i], &path);
    if (status == OK && unlink(path) != 0 && errno != ENOENT)
      status = FAIL(ERR_IO, "cannot remove '%s', which a killed run has left: %s", path, strerror(errno));
    FREE(path);
  }
  return status;
}

/* Calls nothing that a signal handler must not; the folders go where they are empty. */
static void remove_made(OutputFolder *folder) {
  for (int32_t i = folder->n_made; i-- > 0;) {
    folder->path[folder->made[i]] = 0;
    if (rmdir(folder->path) != 0) return;
  }
}

Status output_folder_open(const char *path, OutputFolder **out) {
  *out = NULL;
  Status status = OK;
  OutputFolder *folder = NULL;
  ALLOC(folder, 1, "the output folder");
  folder->file = -1;
  TRY_DONE(make_folder(folder, path));
  TRY_DONE(output_path(path, LOCK_NAME, &folder->lock_path));
  TRY_DONE(output_path(path, "results.hdf.new", &folder->half_path[0]));
  TRY_DONE(output_path(path, "probes.csv.new", &folder->half_path[1]));
  const int reason = lock_file(folder->lock_path, &folder->file);
  if (reason == EWOULDBLOCK) {
    status = in_use(path, folder->lock_path);
  } else if (reason == ENOLCK || reason == EOPNOTSUPP || reason == ENOSYS) {
    status_warn("the file system of '%s' has no locks: make sure that no other run writes there", path);
  } else if (reason == ELOOP || reason == EISDIR) {
    status = FAIL(ERR_IO,
                  "'%s' is not a file of its own, but a link, a folder or a second name of another file\n  a run keeps "
                  "its lock under this name: remove it, or choose another --output",
                  folder->lock_path);
  } else if (reason != 0) {
    status = FAIL(ERR_IO, "cannot write in the output folder '%s': %s", path, strerror(reason));
  } else {
    char who[32];
    const int n = snprintf(who, sizeof who, "%ld\n", (long)getpid());
    /* The number only serves the other run's message: a full disk is noticed where it matters. */
    if (ftruncate(folder->file, 0) == 0 && pwrite(folder->file, who, (size_t)n, 0) != n) errno = 0;
    status = remove_leftovers(path);
  }
done:
  if (status != OK) {
    output_folder_close(&folder);
    return status;
  }
  *out = held = folder;
  return OK;
}

void output_folder_close(OutputFolder **out) {
  OutputFolder *folder = *out;
  if (!folder) return;
  if (held == folder) held = NULL;
  if (folder->file >= 0) {
    unlink(folder->lock_path); /* before unlocking, so that no process locks a file that is going */
    close(folder->file);
  }
  if (folder->path) remove_made(folder);
  FREE(folder->path);
  FREE(folder->lock_path);
  for (int i = 0; i < 2; ++i) FREE(folder->half_path[i]);
  FREE(*out);
}

void output_folder_abandon(void) {
  OutputFolder *folder = held;
  if (!folder || folder->file < 0) return;
  for (int i = 0; i < 2; ++i) unlink(folder->half_path[i]); /* a static run has them while it solves */
  unlink(folder->lock_path);
  remove_made(folder);
}

Status output_drop_link(const char *path) {
  struct stat what;
  CHECK(lstat(path, &what) != 0 || !S_ISLNK(what.st_mode) || unlink(path) == 0, ERR_IO,
        "cannot remove the link '%s', which would lead out of the output folder: %s", path, strerror(errno));
  return OK;
}

bool output_is_named(int file, const char *path) {
  struct stat mine, there;
  return fstat(file, &mine) == 0 && lstat(path, &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

Status output_check_named(int file, const char *path) {
  CHECK(output_is_named(file, path), ERR_IO,
        "'%s' was removed, renamed or replaced while it was written, and what it held is lost; run again", path);
  return OK;
}

Status output_folder_check(const char *path, bool overwrite, bool resume) {
  struct stat what;
  if (stat(path, &what) != 0) return OK;
  CHECK(S_ISDIR(what.st_mode), ERR_IO, "the output '%s' is a file, not a folder; choose another --output", path);
  char *file = NULL;
  TRY(output_path(path, "results.hdf", &file));
  const bool there = access(file, F_OK) == 0;
  Status status = OK;
  if (there && !overwrite && !resume)
    status = FAIL(ERR_RESTART, "there is a result already: '%s'; use --overwrite, --resume, or another --output", file);
  FREE(file);
  return status;
}
