#include "decode/trace/ptdecode.h"
#include "decode/trace/ptfollow.h"
#include "decode/trace/ptimage.h"

#ifndef HAVE_LIBIPT

const char *ptdecode_library(char name[32])
{
	(void)name;
	return NULL;
}

bool ptdecode_knows_cpu(const struct ptdecode_config *config)
{
	(void)config;
	return true;
}

struct ptdecode *ptdecode_open(const struct ptdecode_config *config)
{
	(void)config;
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

struct ptfollow *ptfollow_open(const struct ptdecode_config *config)
{
	(void)config;
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

struct ptsections *ptsections_create(void)
{
	return NULL;
}

void ptsections_destroy(struct ptsections *sections)
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
