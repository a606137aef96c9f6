/* Work on untrusted bytes, in a process of its own. A damaged file can crash the library that reads it or
 * keep it busy for ever; then only the child is lost, and the caller gets a sentence. The child sees all that the
 * caller has, and nothing that it does stays but what it puts into `answer`: ids it opens and memory it takes go with
 * it. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ChildParams {
  const char *what;   /* what is worked on, for messages: a path */
  const char *doing;  /* "read", for messages */
  Status broken;      /* the status when the child dies or does not end: the file is damaged */
  const char *remedy; /* "  run it again with --overwrite"; NULL: none */
  int seconds;        /* after which it is given up */
  bool warns;         /* its warnings become those of the caller */
} ChildParams;

/* OK, or whatever `work` answers with its message; `params->broken` when it died of a signal or ran out of time;
 * ERR_MEMORY where no process can be made. `answer` [n_byte] is handed to `work` zeroed and is copied to the caller's
 * when it is OK. */
Status child_run(const ChildParams *params, Status (*work)(void *context, void *answer), void *context, void *answer,
                 size_t n_byte);
/* Called by `work`: from here on the child gets so much more memory and no more, as a damaged file asks for any size. */
void child_limit(size_t bytes);
