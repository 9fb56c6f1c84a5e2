#include "decode/trace/ptdecode.h"
#include "decode/trace/ptfollow.h"
#include "decode/trace/ptimage.h"
#include "decode/trace/ptlibrary.h"

#ifndef HAVE_LIBIPT

const char *ptlibrary_name(char name[32])
{
	(void)name;
	return NULL;
}

bool ptlibrary_knows_cpu(const struct ptconfig *config)
{
	(void)config;
	return true;
}

struct ptdecode *ptdecode_open(const struct ptconfig *config, struct ptcodes *codes)
{
	(void)config;
	(void)codes;
	return NULL;
}

bool ptdecode_set_image(struct ptdecode *decoder, struct ptimage *image)
{
	(void)decoder;
	(void)image;
	return false;
}

size_t ptdecode_next(struct ptdecode *decoder, struct ptblock *blocks, size_t room,
		     struct ptstep *step)
{
	(void)decoder;
	(void)blocks;
	(void)room;
	step->kind = PTSTEP_END;
	return 0;
}

void ptdecode_close(struct ptdecode *decoder)
{
	(void)decoder;
}

struct ptfollow *ptfollow_open(const struct ptconfig *config, struct ptcodes *codes)
{
	(void)config;
	(void)codes;
	return NULL;
}

void ptfollow_set_image(struct ptfollow *follow, struct ptimage *image)
{
	(void)follow;
	(void)image;
}

size_t ptfollow_next(struct ptfollow *follow, struct ptblock *blocks, size_t room,
		     struct ptstep *step)
{
	(void)follow;
	(void)blocks;
	(void)room;
	step->kind = PTSTEP_END;
	return 0;
}

void ptfollow_close(struct ptfollow *follow)
{
	(void)follow;
}

struct ptcodes *ptcode_open(void)
{
	return NULL;
}

void ptcode_close(struct ptcodes *codes)
{
	(void)codes;
}

struct ptsections *ptimage_sections_create(void)
{
	return NULL;
}

void ptimage_sections_destroy(struct ptsections *sections)
{
	(void)sections;
}

struct ptimage *ptimage_create(struct ptsections *sections)
{
	(void)sections;
	return NULL;
}

bool ptimage_add(struct ptimage *image, int fd, uint64_t offset, uint64_t size, uint64_t start)
{
	(void)image;
	(void)fd;
	(void)offset;
	(void)size;
	(void)start;
	return false;
}

void ptimage_read_by(struct ptimage *image, const struct ptimage_reader *reader)
{
	(void)image;
	(void)reader;
}

void ptimage_destroy(struct ptimage *image)
{
	(void)image;
}

#endif
