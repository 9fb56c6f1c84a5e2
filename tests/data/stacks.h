/* Both parts of the program. */
#ifndef STACKS_H
#define STACKS_H

unsigned long tick(unsigned long value);
unsigned long apply(unsigned long (*function)(unsigned long), unsigned long value);

#endif
