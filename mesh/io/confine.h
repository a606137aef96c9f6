/* What a child process may not do that works on a file of unknown origin: start programs, and write files. */
#pragma once

/* Call between fork and exec; it takes nothing and is safe there. Until its end the process, and the program that it
 * becomes, cannot start another process (threads are allowed), and, where the kernel has Landlock (Linux 5.13 and
 * later), cannot make, change or remove any file but `writable`. 0, or the errno where this system cannot be told
 * so. */
int confine_process(const char *writable);
