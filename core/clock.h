/* A clock that never jumps. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
double clock_seconds(void); /* since some moment, the same for the whole process */
#ifdef __cplusplus
}
#endif
