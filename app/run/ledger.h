/* A book about what is allocated on an Exec, by name: the memory table of `sinew check`, and the answer "does not fit"
 * before a GPU is asked for more than it has. */
#pragma once
#include "core/exec.h"
#include "output/text.h"

typedef struct Ledger Ledger;

/* Wraps the allocation functions of exec until ledger_close; limit 0: none, else an allocation beyond it is ERR_GPU
 * with the table and never reaches the device. */
Status ledger_open(Exec *exec, size_t limit, Ledger **out);
/* Gives the Exec its own functions back; call it before exec_destroy. Accepts NULL, sets NULL. */
void ledger_close(Ledger **ledger);
/* Lines "  name   bytes", largest first, the small ones together; `total` is the most that was in use at a time. */
void ledger_table(const Ledger *ledger, Text *out);
size_t ledger_peak(const Ledger *ledger);
