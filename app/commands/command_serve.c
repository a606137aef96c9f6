/* sinew serve: command lines from the standard input, one after the other in this one process. What a process needs to begin, above
 * all a GPU, is then there from the first on. A request and its answer are a line of JSON each:
 *   {"words": ["run", "case.yaml"], "folder": "/home/me/part", "input": "..."}        {"code": 0, "out": "...", "err": "..."} */
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/input/tree.h"
#include "core/memory.h"
#include "output/json.h"

#include <errno.h>
#include <fcntl.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MAX = 4096 };

/* What a command prints goes into files in memory, since the answer has it. */
typedef struct Server {
  FILE *requests;
  int answers, home; /* descriptors: of the answers, of the folder it was started in */
  int out, err;      /* descriptors of the files that stand for the standard output and error */
  int said;          /* descriptor of the standard error that it was started with */
  CommandLineRun run;
  int threads;
  char *line; /* the request, owned, [size] */
  size_t size;
} Server;

/* A request, whose texts belong to its tree. */
typedef struct Request {
  int argc;
  char *argv[WORDS_MAX + 2];
  const char *folder, *input;
  Tree tree;
} Request;

/* The program's own files stay with it: neither Gmsh nor a child has them. */
static Status server_open(Server *s) {
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  s->answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  s->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  s->said = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  s->out = memfd_create("out", MFD_CLOEXEC), s->err = memfd_create("err", MFD_CLOEXEC);
  s->requests = in < 0 ? NULL : fdopen(in, "r");
  const bool opened =
      s->requests && nothing >= 0 && s->answers >= 0 && s->said >= 0 && s->home >= 0 && s->out >= 0 && s->err >= 0;
  CHECK(opened && dup2(nothing, STDIN_FILENO) >= 0 && dup2(s->out, STDOUT_FILENO) >= 0 &&
            dup2(s->err, STDERR_FILENO) >= 0,
        ERR_IO, "sinew serve cannot open what it needs: %s", strerror(errno));
  close(nothing);
  return OK;
}

/* The standard files are again what they were. */
static void server_close(Server *s) {
  const int file[] = {s->requests ? fileno(s->requests) : -1, s->answers, s->said};
  for (int i = 0; i < 3; ++i)
    if (file[i] >= 0) dup2(file[i], i);
  const int own[] = {s->answers, s->said, s->home, s->out, s->err};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    if (own[i] >= 0) close(own[i]);
  if (s->requests) fclose(s->requests);
  FREE(s->line);
}

static Status request_words(Request *r, int32_t list) {
  static char program[] = "sinew";
  const TreeNode *node = r->tree.node;
  CHECK(list >= 0 && node[list].kind == TREE_LIST && node[list].n <= WORDS_MAX, ERR_USAGE,
        "a request needs \"words\": a list of at most %d texts, such as [\"run\", \"case.yaml\"]", (int)WORDS_MAX);
  r->argv[r->argc++] = program;
  for (int32_t i = node[list].first; i >= 0; i = node[i].next) {
    CHECK(node[i].kind <= TREE_QUOTED, ERR_USAGE, "a request: each of its \"words\" is a text");
    r->argv[r->argc++] = node[i].text;
  }
  return OK;
}

static Status request_read(Request *r, const char *line, size_t n) {
  static const char *const keys[] = {"words", "folder", "input"};
  int32_t root = -1, at[3];
  Diagnostics diagnostics = {.path = "request"};
  TRY(tree_parse(&r->tree, line, n, NULL, &diagnostics, &root));
  Status status = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  TRY(status);
  const bool is_map = root >= 0 && r->tree.node[root].kind == TREE_MAP;
  int32_t known = 0;
  for (int k = 0; k < 3 && is_map; ++k) known += (at[k] = tree_member(&r->tree, root, keys[k])) >= 0;
  CHECK(is_map && known == r->tree.node[root].n, ERR_USAGE,
        "a request is a line of JSON with \"words\" and, where they are wanted, \"folder\" and \"input\"");
  for (int k = 1; k < 3; ++k)
    CHECK(at[k] < 0 || r->tree.node[at[k]].kind <= TREE_QUOTED, ERR_USAGE, "a request: \"%s\" is a text", keys[k]);
  r->folder = at[1] < 0 ? NULL : r->tree.node[at[1]].text;
  r->input = at[2] < 0 ? NULL : r->tree.node[at[2]].text;
  return request_words(r, at[0]);
}

/* Commands that end in another program, and this one; what is wrong with a command line it says itself. */
static Status request_allowed(const Request *r) {
  static const Command others[] = {COMMAND_SERVE, COMMAND_SWEEP,  COMMAND_PROTOCOL,
                                   COMMAND_PLOT,  COMMAND_REPORT, COMMAND_BENCH};
  Options asked;
  const bool understood = options_parse(r->argc, (char **)r->argv, &asked) == OK && !asked.help;
  const Command command = asked.command;
  options_release(&asked);
  status_clear();
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    CHECK(!understood || command != others[i], ERR_USAGE,
          "'sinew %s' goes on as another program: start it by itself, not by 'sinew serve'", command_name(command));
  return OK;
}

static bool write_whole(int file, const char *bytes, size_t n) {
  bool good = true;
  for (size_t at = 0; at < n && good;) {
    const ssize_t some = write(file, bytes + at, n - at);
    if (some > 0) at += (size_t)some;
    else good = some < 0 && errno == EINTR;
  }
  return good;
}

/* The standard input of the command: the text of the request, else nothing. */
static Status request_input(const char *text) {
  const int file = text ? memfd_create("in", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool kept = file >= 0 && (!text || (write_whole(file, text, strlen(text)) && lseek(file, 0, SEEK_SET) == 0)),
             good = kept && dup2(file, STDIN_FILENO) >= 0;
  const int why = errno;
  if (file >= 0) close(file);
  CHECK(good, ERR_IO, "the \"input\" of a request cannot be kept: %s", strerror(why));
  return OK;
}

/* The threads of OpenMP that it was started with: --threads of one command says nothing of the next. */
static int threads_now(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

static void threads_take(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#endif
  (void)n;
}

static Status request_begin(const Server *s, Request *r, size_t n) {
  threads_take(s->threads);
  TRY(request_read(r, n ? s->line : "", n));
  TRY(request_allowed(r));
  CHECK(fchdir(s->home) == 0 && (!r->folder || chdir(r->folder) == 0), ERR_IO, "the folder '%s' of a request: %s",
        r->folder ? r->folder : ".", strerror(errno));
  return request_input(r->input);
}

/* What was printed into that file, which is empty then. */
static Status printed(int file, char **out) {
  struct stat seen;
  CHECK(fstat(file, &seen) == 0, ERR_IO, "what a command printed cannot be read: %s", strerror(errno));
  ALLOC(*out, seen.st_size + 1, "what a command printed");
  const ssize_t n = pread(file, *out, (size_t)seen.st_size, 0);
  CHECK(n == seen.st_size && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, ERR_IO,
        "what a command printed cannot be read: %s", strerror(errno));
  return OK;
}

/* As one line. */
static Status answer_write(int file, Json *json) {
  const char *text = NULL;
  char *line = NULL;
  TRY(json_text(json, &text));
  size_t n = strlen(text);
  ALLOC(line, n + 1, "an answer");
  memcpy(line, text, n);
  for (size_t i = 0; i < n; ++i)
    if (line[i] == '\n') line[i] = ' ';
  if (n) line[n - 1] = '\n';
  const bool good = write_whole(file, line, n);
  const int why = errno;
  FREE(line);
  CHECK(good, ERR_IO, "cannot write an answer to the standard output: %s", strerror(why));
  return OK;
}

static Status server_answer(const Server *s, int code) {
  Json *json = NULL;
  char *out = NULL, *err = NULL;
  Status status = OK;
  fflush(stdout);
  fflush(stderr);
  TRY_DONE(printed(s->out, &out));
  TRY_DONE(printed(s->err, &err));
  TRY_DONE(json_create(&json));
  json_integer(json, "code", code);
  json_string(json, "out", out);
  json_string(json, "err", err);
  TRY_DONE(answer_write(s->answers, json));
done:
  json_destroy(&json);
  FREE(out);
  FREE(err);
  return status;
}

/* The next line, of n bytes; false at the end. */
static Status server_hear(Server *s, size_t *n, bool *there) {
  enum { LEAST = 4096 };
  int c;
  for (*n = 0; (c = getc_unlocked(s->requests)) != EOF && c != '\n'; s->line[(*n)++] = (char)c)
    if (*n == s->size) {
      const size_t size = s->size ? 2 * s->size : LEAST;
      RESIZE(s->line, size, "a request");
      s->size = size;
    }
  *there = c != EOF || *n > 0;
  return OK;
}

/* A request that cannot be begun is answered as well. A request to stop is one to this process. */
static Status server_run(const Server *s, Request *r, size_t n, Guard guard, bool *stopped) {
  int code = (int)request_begin(s, r, n);
  if (code == OK) code = s->run(r->argc, r->argv, guard);
  else fprintf(stderr, "%s\n", status_message());
  status_clear();
  *stopped = code == ERR_STOPPED;
  return server_answer(s, code);
}

Status command_serve(Guard guard, CommandLineRun run) {
  Server s = {.answers = -1, .home = -1, .out = -1, .err = -1, .said = -1, .run = run, .threads = threads_now()};
  Request *r = NULL;
  Status status = OK;
  bool stopped = false;
  TRY_DONE(server_open(&s));
  ALLOC_DONE(r, 1, "a request");
  for (size_t n; !stopped;) {
    bool there;
    TRY_DONE(server_hear(&s, &n, &there));
    if (!there) break;
    *r = (Request){0};
    status = server_run(&s, r, n, guard, &stopped);
    tree_release(&r->tree);
    TRY_DONE(status);
  }
  if (stopped) status = FAIL(ERR_STOPPED, "stopped on request");
done:
  FREE(r);
  server_close(&s);
  return status;
}
