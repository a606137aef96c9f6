/* A ring of slots between two threads, under one mutex. */
#include "core/worker.h"
#include "core/memory.h"
#include "core/status_warnings.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { WARNINGS = 16, MESSAGE_BYTES = 16384 };

struct Worker {
  WorkerParams params;
  MemBook *book;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t given, done; /* signalled by the giver; by the thread */
  /* under the mutex */
  int64_t n_given, n_done; /* jobs; slot of the k-th is k modulo n_slot */
  bool ending;
  Status failure;
  int32_t n_warning, n_lost;
  char *warning[WARNINGS];     /* owned */
  char message[MESSAGE_BYTES]; /* of the failure */
};

/* Of the job that has just been done; the mutex is held. */
static void keep_words(Worker *w, Status status) {
  w->n_warning += status_warnings_move(w->warning + w->n_warning, WARNINGS - w->n_warning, &w->n_lost);
  if (status == OK) return;
  w->failure = status;
  snprintf(w->message, sizeof w->message, "%s", status_message());
}

static void *worker_run(void *context) {
  Worker *w = context;
  mem_share(w->book);
#ifdef _OPENMP
  omp_set_num_threads(1); /* of this thread's loops */
#endif
  pthread_mutex_lock(&w->mutex);
  for (;;) {
    while (w->n_done == w->n_given && !w->ending) pthread_cond_wait(&w->given, &w->mutex);
    if (w->n_done == w->n_given) break;
    const int32_t slot = (int32_t)(w->n_done % w->params.n_slot);
    const bool dropped = w->failure != OK;
    pthread_mutex_unlock(&w->mutex);
    const Status status = dropped ? OK : w->params.work(w->params.context, slot);
    pthread_mutex_lock(&w->mutex);
    keep_words(w, status);
    ++w->n_done;
    pthread_cond_signal(&w->done);
  }
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

/* Requests to stop belong to the main thread. Faults of its own stop it all the same. */
static int start_thread(Worker *w) {
  sigset_t all, before;
  sigfillset(&all);
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&w->thread, NULL, worker_run, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

Status worker_create(const WorkerParams *params, Worker **out) {
  *out = NULL;
  CHECK(params->n_slot > 0, ERR_BUG, "a worker with %d slots", params->n_slot);
  Worker *w = NULL;
  ALLOC(w, 1, "a thread");
  w->params = *params;
  w->book = mem_book();
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->given, NULL);
  pthread_cond_init(&w->done, NULL);
  const int error = mem_must_fail() ? -1 : start_thread(w);
  if (error == 0) {
    *out = w;
    return OK;
  }
  pthread_cond_destroy(&w->done);
  pthread_cond_destroy(&w->given);
  pthread_mutex_destroy(&w->mutex);
  FREE(w);
  return FAIL(ERR_MEMORY, "not enough memory for a thread: the system gives none%s%s", error > 0 ? ": " : "",
              error > 0 ? strerror(error) : "");
}

/* Both hand to the giver what the thread has left; the mutex is held. */
static void tell_warnings(Worker *w) {
  for (int32_t i = 0; i < w->n_warning; ++i) status_warning_adopt(w->warning[i]);
  if (w->n_lost) status_warn("and %d more warnings", w->n_lost);
  w->n_warning = w->n_lost = 0;
}
static Status worker_tell(Worker *w) {
  tell_warnings(w);
  return w->failure == OK ? OK : FAIL(w->failure, "%s", w->message);
}

Status worker_take(Worker *w, int32_t *slot) {
  pthread_mutex_lock(&w->mutex);
  while (w->n_given - w->n_done == w->params.n_slot) pthread_cond_wait(&w->done, &w->mutex);
  *slot = (int32_t)(w->n_given % w->params.n_slot);
  const Status status = worker_tell(w);
  pthread_mutex_unlock(&w->mutex);
  return status;
}

void worker_give(Worker *w) {
  pthread_mutex_lock(&w->mutex);
  ++w->n_given;
  pthread_cond_signal(&w->given);
  pthread_mutex_unlock(&w->mutex);
}

Status worker_finish(Worker *w) {
  pthread_mutex_lock(&w->mutex);
  while (w->n_done < w->n_given) pthread_cond_wait(&w->done, &w->mutex);
  const Status status = worker_tell(w);
  pthread_mutex_unlock(&w->mutex);
  return status;
}

void worker_destroy(Worker **worker) {
  Worker *w = *worker;
  if (!w) return;
  pthread_mutex_lock(&w->mutex);
  w->ending = true;
  pthread_cond_signal(&w->given);
  pthread_mutex_unlock(&w->mutex);
  pthread_join(w->thread, NULL);
  tell_warnings(w);
  pthread_cond_destroy(&w->done);
  pthread_cond_destroy(&w->given);
  pthread_mutex_destroy(&w->mutex);
  FREE(*worker);
}
