/* Loops on the device. The body is recorded on the first run and kept; a run is one launch. There are two ways:
 * a graph with one WHILE node whose body is the recorded iteration, or several where an iteration after the stop changes nothing
 * (how many is learnt from the runs before: core/loop_history.h); a
 * tiny kernel at its end counts the iterations and decides, from the stop flag and the limit in device memory, whether
 * another one follows, so the host is not asked in between;
 * and for small systems one kernel that stays on the GPU and works through a list of the launches
 * (gpu/persistent/persist.h). A loop inside of another is a WHILE node in the body of its node. With exec->check on, the iterations are launched one by one instead and each launch is
 * checked; and so they are where the hosts carry what goes between ranks. */
#include "core/memory.h"
#include "core/clock.h"
#include "core/comm.h"
#include "gpu/exec/cuda_peers.h"
#include "gpu/exec/loop_kernels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct CudaLoop {
  ExecLoop base;
  LoopBody body;
  void *context;
  const int32_t *stop;        /* borrowed, on the device */
  LoopIterations *iterations; /* owned, on the device */
  struct {
    cudaGraph_t graph;         /* owned; NULL before the first run with so many iterations at once, as is the next */
    cudaGraphExec_t ready;     /* owned */
  } way[LOOP_ITERATIONS_MOST]; /* of 1, 2, ... iterations */
  bool recorded;               /* a way is ready, or the list */
  PersistTeam team;            /* PERSIST_NONE: graphs */
  PersistRun run;              /* its program is owned */
  int32_t most, at_once;       /* iterations at once: of graphs at most, and now; 0 before the first run */
  LoopCost cost;               /* of a graph */
} CudaLoop;

Status cuda_loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out) {
  *out = NULL;
  CudaLoop *loop = NULL;
  ALLOC(loop, 1, "a loop");
  *loop = (CudaLoop){.base = {.exec = exec}, .body = body, .context = context, .stop = stop};
  void *iterations = NULL;
  const Status status = exec->table->alloc(exec, sizeof *loop->iterations, "the iterations of a loop", &iterations);
  if (status != OK) {
    FREE(loop);
    return status;
  }
  loop->iterations = iterations;
  *out = &loop->base;
  return OK;
}

/* As before the first run. */
static void forget(CudaLoop *loop) {
  Exec *exec = loop->base.exec;
  for (int32_t k = 0; k < LOOP_ITERATIONS_MOST; ++k) {
    if (loop->way[k].ready) cudaGraphExecDestroy(loop->way[k].ready);
    if (loop->way[k].graph) cudaGraphDestroy(loop->way[k].graph);
    loop->way[k].ready = NULL;
    loop->way[k].graph = NULL;
  }
  loop->at_once = 0;
  if (loop->run.program) exec->table->release(exec, loop->run.program, (size_t)loop->run.bytes + PERSIST_SYNC);
  loop->run.program = NULL;
  loop->recorded = false;
  loop->team = PERSIST_NONE;
}

void cuda_loop_destroy(ExecLoop *base) {
  CudaLoop *loop = (CudaLoop *)base;
  forget(loop);
  base->exec->table->release(base->exec, loop->iterations, sizeof *loop->iterations);
  FREE(loop);
}

/* Calls the body with recording on. */
static Status record_iteration(CudaLoop *loop) {
  Exec *exec = loop->base.exec;
  const bool inside = exec->recording;
  exec->recording = true;
  const Status status = loop->body(exec, loop->context);
  exec->recording = inside;
  return status;
}

static Status capture_inside(CudaLoop *loop, int64_t max);

/* The launches of an iteration, on the stream. */
static Status launch_list(CudaExec *cuda, const PersistList *list) {
  for (int32_t k = 0; k < list->n_op; ++k) {
    const PersistEntry *e = &list->op[k];
    const void *args = list->args + e->args;
    if (e->inside) {
      TRY(capture_inside(e->inside, e->n));
      continue;
    }
    if (e->launcher) {
      LaunchScratch scratch = e->scratch;
      scratch.follows = cuda->lets_follow && !cuda->base.comm && persist_follows(list, k);
      TRY(cuda_launch(cuda, e->launcher, args, e->n, &scratch));
      continue;
    }
    const PersistCopyArgs *copy = args;
    const cudaError_t error =
        copy->from ? cudaMemcpyAsync(copy->to, copy->from, (size_t)e->n, cudaMemcpyDeviceToDevice, cuda->stream)
                   : cudaMemsetAsync(copy->to, 0, (size_t)e->n, cuda->stream);
    CUDA_TRY(error, "recording a loop failed");
  }
  return OK;
}

/* Iterations in the body of the WHILE node. One way round costs 4.2 us beyond its kernels on an H200, so an iteration of three
 * small kernels takes 7.9 us with 1, 5.8 with 2, 4.7 with 4, 4.3 with 8 iterations in the body (3.7 without a loop); a
 * kernel in an iteration after the stop costs 1.2 us, and 11 us more for each million rows that look at the flag (heat on
 * 1024^2: 116 us a solve of 4 or 5 iterations with 8 at once). An IF node between iterations costs as much as a way round. */
enum { ITERATIONS_LAUNCHES = 48 };
static const double WAY_US = 4.2, IDLE_US = 1.2, IDLE_ROW_US = 11e-6;
static Status weigh_iterations(CudaLoop *loop, const PersistList *list) {
  const int32_t fit = list->n_op > 0 ? ITERATIONS_LAUNCHES / list->n_op : 1;
  loop->most = !loop->base.history || fit < 1 ? 1 : fit < LOOP_ITERATIONS_MOST ? fit : LOOP_ITERATIONS_MOST;
  for (int32_t k = 0; k < list->n_op; ++k)
    if (list->op[k].inside) loop->most = 1; /* its WHILE node is there once */
  loop->cost = (LoopCost){WAY_US, 0};
  for (int32_t k = 0; k < list->n_op; ++k)
    loop->cost.idle_us += IDLE_US + (list->op[k].launcher ? IDLE_ROW_US * (double)list->op[k].n : 0);
  /* ranks meet in every iteration, empty ones too: all take as many at once as the first of them would */
  Comm *comm = loop->base.exec->comm;
  TRY(comm_broadcast(comm, 0, &loop->most, sizeof loop->most));
  return comm_broadcast(comm, 0, &loop->cost, sizeof loop->cost);
}

/* The environment variable SINEW_GPU_TURNS fixes how many, for tests and measurements. */
static Status choose_iterations(CudaLoop *loop, int32_t *out) {
  const char *fixed = getenv("SINEW_GPU_TURNS");
  *out = loop->most;
  if (loop->most == 1) return OK;
  if (!fixed || !*fixed || !strcmp(fixed, "auto")) {
    *out = loop_history_best(loop->base.history, loop->at_once, loop->most, &loop->cost);
    return OK;
  }
  CHECK(fixed[0] >= '1' && fixed[0] <= '0' + LOOP_ITERATIONS_MOST && !fixed[1], ERR_INPUT,
        "SINEW_GPU_TURNS is '%s', must be auto or 1 to %d", fixed, LOOP_ITERATIONS_MOST);
  if (fixed[0] - '0' < loop->most) *out = fixed[0] - '0';
  return OK;
}

/* Captures the iterations into the body graph of the WHILE node. The capture is ended in any case. */
static Status capture_iterations(CudaLoop *loop, const PersistList *list, int32_t iterations, cudaGraph_t body,
                                 cudaGraphConditionalHandle handle) {
  CudaExec *cuda = (CudaExec *)loop->base.exec;
  /* relaxed: the code of a kernel may be loaded at its first launch, which may be here */
  CUDA_TRY(cudaStreamBeginCaptureToGraph(cuda->stream, body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed),
           "recording a loop failed");
  cuda->capturing = true;
  Status status = OK;
  for (int32_t iteration = 0; status == OK && iteration < iterations; ++iteration) status = launch_list(cuda, list);
  if (status == OK)
    status = cuda_check(
        loop_iterations_count(cuda->stream, handle, loop->stop, cuda_peers_state(cuda), loop->iterations, iterations),
        "recording a loop failed");
  cuda->capturing = false;
  cudaGraph_t captured = NULL; /* the body graph again, which its parent owns */
  const cudaError_t error = cudaStreamEndCapture(cuda->stream, &captured);
  if (status == OK) return cuda_check(error, "recording a loop failed");
  cudaGetLastError(); /* the first failure is the one to tell about */
  return status;
}

static Status add_while(cudaGraph_t graph, cudaGraphConditionalHandle handle, size_t n, const cudaGraphNode_t *behind,
                        cudaGraphNode_t *node, cudaGraph_t *body) {
  struct cudaGraphNodeParams params;
  memset(&params, 0, sizeof params);
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
#if CUDART_VERSION >= 13000
  CUDA_TRY(cudaGraphAddNode(node, graph, behind, NULL, n, &params), "building a loop failed");
#else
  CUDA_TRY(cudaGraphAddNode(node, graph, behind, n, &params), "building a loop failed");
#endif
  *body = params.conditional.phGraph_out[0];
  return OK;
}

static Status build_graph(CudaLoop *loop, const PersistList *list, int32_t iterations) {
  CudaExec *cuda = (CudaExec *)loop->base.exec;
  cudaGraph_t *graph = &loop->way[iterations - 1].graph, body = NULL;
  cudaGraphExec_t *ready = &loop->way[iterations - 1].ready;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  CUDA_TRY(cudaGraphCreate(graph, 0), "building a loop failed");
  /* 1 at every launch: at least one iteration */
  CUDA_TRY(cudaGraphConditionalHandleCreate(&handle, *graph, 1, cudaGraphCondAssignDefault), "building a loop failed");
  TRY(add_while(*graph, handle, 0, NULL, &node, &body));
  TRY(capture_iterations(loop, list, iterations, body, handle));
  CUDA_TRY(cudaGraphInstantiate(ready, *graph, 0), "building a loop failed");
  return cuda_check(cudaGraphUpload(*ready, cuda->stream), "building a loop failed");
}

/* The list of one iteration's launches. */
static Status list_iteration(CudaLoop *loop, PersistList *list) {
  CudaExec *cuda = (CudaExec *)loop->base.exec;
  const bool inside = cuda->capturing;
  cuda->capturing = true;
  cuda->list = list;
  const Status status = record_iteration(loop);
  cuda->list = NULL;
  cuda->capturing = inside;
  return status;
}

/* Where the capture on the stream is: its graph, and the node, or nodes, that what follows waits for. */
enum { CAPTURE_WAITS = 4 };
typedef struct CapturePlace {
  cudaGraph_t graph;
  size_t n;
  cudaGraphNode_t node[CAPTURE_WAITS];
} CapturePlace;
static Status capture_place(cudaStream_t stream, CapturePlace *out) {
  enum cudaStreamCaptureStatus status;
  const cudaGraphNode_t *node = NULL;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData *edge = NULL;
  CUDA_TRY(cudaStreamGetCaptureInfo(stream, &status, NULL, &out->graph, &node, &edge, &out->n),
           "recording a loop inside of another failed");
#else
  CUDA_TRY(cudaStreamGetCaptureInfo_v2(stream, &status, NULL, &out->graph, &node, &out->n),
           "recording a loop inside of another failed");
#endif
  CHECK(status == cudaStreamCaptureStatusActive && out->n <= CAPTURE_WAITS, ERR_BUG,
        "a loop inside of another, but nothing is captured, or %zu nodes at once", out->n);
  for (size_t k = 0; k < out->n; ++k) out->node[k] = node[k];
  return OK;
}

/* The capture on the stream is left, the iteration captured into a WHILE node of its graph, and taken up behind that. A kernel before
 * the node says that there is an iteration, each time that the graph comes there. */
static Status capture_inside(CudaLoop *loop, int64_t max) {
  static const char what[] = "recording a loop inside of another failed";
  CudaExec *cuda = (CudaExec *)loop->base.exec;
  PersistList list = {0};
  CapturePlace place;
  cudaGraphConditionalHandle handle;
  cudaGraph_t left = NULL, body = NULL;
  cudaGraphNode_t node;
  Status status;
  TRY_DONE(list_iteration(loop, &list));
  TRY_DONE(capture_place(cuda->stream, &place));
  TRY_DONE(cuda_check(cudaGraphConditionalHandleCreate(&handle, place.graph, 1, cudaGraphCondAssignDefault), what));
  TRY_DONE(cuda_check(loop_iterations_begin(cuda->stream, handle, loop->iterations, max), what));
  TRY_DONE(capture_place(cuda->stream, &place));
  TRY_DONE(cuda_check(cudaStreamEndCapture(cuda->stream, &left), what));
  TRY_DONE(add_while(place.graph, handle, place.n, place.node, &node, &body));
  TRY_DONE(capture_iterations(loop, &list, 1, body, handle));
  cuda->capturing = true;
  status = cuda_check(
      cudaStreamBeginCaptureToGraph(cuda->stream, place.graph, &node, NULL, 1, cudaStreamCaptureModeRelaxed), what);
done:
  persist_forget(&list);
  return status;
}

/* Puts the list where the kernel that stays finds it. */
static Status upload_program(CudaLoop *loop, const PersistList *list) {
  Exec *exec = loop->base.exec;
  const int64_t bytes = persist_bytes(list);
  unsigned char *program = NULL;
  void *device = NULL;
  ALLOC(program, bytes, "the launches of a loop");
  PersistRun run = {.partial = ((CudaExec *)exec)->scratch.partial};
  persist_write(list, loop->team, loop->stop, program, &run);
  Status status = exec->table->alloc(exec, (size_t)bytes + PERSIST_SYNC, "the launches of a loop", &device);
  if (status == OK) {
    loop->run = run;
    loop->run.program = device;
    status = exec->table->upload(exec, (unsigned char *)device + PERSIST_SYNC, program, (size_t)bytes);
  }
  FREE(program);
  return status;
}

/* Records an iteration, chooses the way from what is in it, and makes it ready. */
static Status prepare(CudaLoop *loop) {
  PersistList list = {0};
  Status status;
  TRY_DONE(list_iteration(loop, &list));
  if (!loop->recorded) {
    TRY_DONE(persist_choose(&list, &loop->team));
    TRY_DONE(weigh_iterations(loop, &list));
  }
  if (loop->team != PERSIST_NONE) {
    TRY_DONE(upload_program(loop, &list));
  } else {
    TRY_DONE(choose_iterations(loop, &loop->at_once));
    TRY_DONE(build_graph(loop, &list, loop->at_once));
  }
  loop->recorded = true;
done:
  persist_forget(&list);
  return status;
}

/* Whether all is ready for the next run: the list, or the graph of as many iterations as are best now. */
static Status poll_flag(CudaLoop *loop, bool *ready) {
  *ready = loop->recorded;
  if (!*ready || loop->team != PERSIST_NONE) return OK;
  TRY(choose_iterations(loop, &loop->at_once));
  *ready = loop->way[loop->at_once - 1].ready;
  return OK;
}

/* Until the stream is done; with a poll the host looks up often at first (short loops end soon), then every 50 us. */
static Status wait_for_end(CudaExec *cuda, LoopPoll poll, void *poll_context) {
  static const char what[] = "a loop on the GPU failed";
  const double start = clock_seconds();
  for (double last = start; poll;) {
    const cudaError_t error = cudaStreamQuery(cuda->stream);
    if (error == cudaSuccess) cudaGetLastError(); /* forget the "not ready" of earlier iterations */
    if (error != cudaErrorNotReady) {
      CUDA_TRY(error, what);
      break;
    }
    const double now = clock_seconds();
    if (now - last > 0.1) {
      poll(poll_context);
      last = now;
      if (cuda_peers_check(cuda) != OK) break;
    }
    if (now - start > 2e-3) nanosleep(&(struct timespec){0, 50000}, NULL);
  }
  return cuda_peers_wait(cuda, what);
}

/* Iteration by iteration, every launch checked by cuda_rows or what goes between ranks carried by the host. */
static Status run_from_host(CudaLoop *loop, int64_t max, LoopPoll poll, void *poll_context) {
  Exec *exec = loop->base.exec;
  double last = clock_seconds();
  /* iterations that do nothing are cheaper than a look, where the host does not wait in each of them anyway */
  const bool few = loop->base.history && !exec->check && cuda_peers_streams((CudaExec *)exec);
  for (int64_t iteration = 0; iteration < max; ++iteration) {
    TRY_CONTEXT(record_iteration(loop), "in iteration %lld of a loop", (long long)iteration + 1);
    if (few && (iteration + 1) % LOOP_ITERATIONS_MOST && iteration + 1 < max) continue;
    int32_t stop = 0;
    TRY(exec->table->download(exec, &stop, loop->stop, sizeof stop));
    if (stop) break;
    if (poll && clock_seconds() - last > 0.1) {
      poll(poll_context);
      last = clock_seconds();
    }
  }
  return OK;
}

/* Ready, and on its way. */
static Status launch_loop(CudaLoop *loop, int64_t max) {
  CudaExec *cuda = (CudaExec *)loop->base.exec;
  bool ready;
  TRY(poll_flag(loop, &ready));
  if (!ready) {
    const Status status = prepare(loop);
    if (status != OK) {
      forget(loop);
      return status;
    }
  }
  if (loop->team != PERSIST_NONE) {
    loop->run.max = max;
    return cuda_check(persist_launch(cuda->stream, loop->team, &loop->run), "starting a loop failed");
  }
  CUDA_TRY(loop_iterations_reset(cuda->stream, loop->iterations, max), "starting a loop failed");
  return cuda_check(cudaGraphLaunch(loop->way[loop->at_once - 1].ready, cuda->stream), "starting a loop failed");
}

Status cuda_loop_run(ExecLoop *base, int64_t max, LoopPoll poll, void *poll_context) {
  CudaLoop *loop = (CudaLoop *)base;
  CudaExec *cuda = (CudaExec *)base->exec;
  if (max <= 0) return OK;
  if (cuda->list) return persist_add_loop(cuda->list, loop, max);
  if (cuda->base.check || cuda_peers_carry(cuda)) return run_from_host(loop, max, poll, poll_context);
  TRY(launch_loop(loop, max));
  return wait_for_end(cuda, poll, poll_context);
}
