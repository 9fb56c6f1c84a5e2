/*
 * Handles SIGBUS for mapped files: if another process truncates such a file, reading the missing
 * part raises SIGBUS, which would end the program (mmap(2)).
 */
#ifndef READPERF_UTIL_BUSERROR_H
#define READPERF_UTIL_BUSERROR_H

/**
 * After this call, missing parts of mapped files read as zeros, in every thread. Code that maps
 * files must tolerate zeros, and must check itself whether the file has changed. Any other SIGBUS,
 * as of defective memory, ends the program as before.
 */
void buserror_catch(void);

#endif
