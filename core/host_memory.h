/* Memory of this host. */
#pragma once
/* Bytes that this process can still take: what the host can give to programs now, and what the process' own limit (ulimit
 * -v) leaves. 0 where neither is known. */
double host_memory_free(void);
