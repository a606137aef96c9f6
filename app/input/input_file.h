/* The bytes of a file that a user names. */
#pragma once
#include "core/status.h"

#include <stddef.h>

/* The whole of a regular file of at most `most` bytes, with a NUL behind; owned by the caller. A pipe is refused without
 * waiting for it. `what`: "case file", for messages. ERR_INPUT. */
Status input_file(const char *path, const char *what, size_t most, char **bytes, size_t *n);
/* The same of the standard input, up to its end. */
Status input_stdin(const char *what, size_t most, char **bytes, size_t *n);
