/* Warnings that go from one thread to another (core/worker.h). */
#pragma once

/* Hands over the first `most` texts of this thread's warnings, owned by the caller until status_warning_adopt; how many there are. All
 * others are dropped, and counted in *lost. */
int status_warnings_move(char **to, int most, int *lost);
/* Such a text becomes a warning of this thread, which owns it. */
void status_warning_adopt(char *text);
