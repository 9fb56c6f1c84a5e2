/*
 * Files that lie mapped in memory may be cut short by somebody else: reading what is gone then is
 * a SIGBUS, which would end the program (mmap(2)).
 */
#ifndef READPERF_UTIL_BUSERROR_H
#define READPERF_UTIL_BUSERROR_H

/**
 * From here on what is gone of a mapped file reads as zeros, in every thread. Whoever maps files
 * must read zeros without harm, and finds out by the file itself that it has changed. Any other
 * SIGBUS, as of broken memory, ends the program as before.
 */
void buserror_catch(void);

#endif
