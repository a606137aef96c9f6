/* A clock that never jumps. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
double clock_seconds(void); /* since some moment, the same for the whole process */
/* When the process began, on this clock: before the program and its libraries were loaded, which waits for nothing, so
 * that the processor's time until then is that of the clock. */
double clock_process_start(void);
#ifdef __cplusplus
}
#endif
