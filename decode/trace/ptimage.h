/*
 * The code that an Intel PT trace leads through, as the library reads it: sections of files, and
 * images of address spaces that are made of them.
 */
#ifndef READPERF_DECODE_TRACE_PTIMAGE_H
#define READPERF_DECODE_TRACE_PTIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptimage;
struct ptsections;
struct ptsection;

/** Sections of files, which images share. NULL if memory is out. */
struct ptsections *ptimage_sections_create(void);

/** After all images that were made of them. */
void ptimage_sections_destroy(struct ptsections *sections);

/** The code of an address space; empty. @sections are borrowed. NULL if memory is out. */
struct ptimage *ptimage_create(struct ptsections *sections);

/**
 * Adds @size bytes at @offset of the file @fd, which stays open, at address @start. Returns false
 * if memory is out.
 */
bool ptimage_add(struct ptimage *image, int fd, uint64_t offset, uint64_t size, uint64_t start);

/** Code that is in no file. */
struct ptimage_reader {
	/* Reads up to @len bytes at @ip to @to; returns how many. From the threads that decode. */
	size_t (*read)(void *arg, uint64_t ip, uint8_t *to, size_t len);
	void *arg;
};

/** Reads what is in no file of @image by @reader, which must outlive it. */
void ptimage_read_by(struct ptimage *image, const struct ptimage_reader *reader);

/**
 * What is at address @ip of @image: a section, or what lies between two. Valid until the next call.
 */
const struct ptsection *ptimage_find(struct ptimage *image, uint64_t ip);

void ptimage_destroy(struct ptimage *image);

#endif
