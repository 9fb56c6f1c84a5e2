#include "report/export/database.h"

#define NO_LIBRARY \
	"option --export: sqlite: there is no libsqlite3, or readperf was built without it"

#ifdef HAVE_SQLITE

#include "util/dynlib.h"
#include "util/tempfile.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 32, COPY_AT_ONCE = 8 * 1024, SECTOR = 4096 };

#define LIBRARY "libsqlite3.so.0"

/* The library's functions that are used, without their prefix. */
#define SQLITE_FUNCTIONS(X) \
	X(bind_blob64)      \
	X(bind_double)      \
	X(bind_int64)       \
	X(bind_null)        \
	X(bind_text64)      \
	X(close)            \
	X(errmsg)           \
	X(exec)             \
	X(finalize)         \
	X(libversion)       \
	X(next_stmt)        \
	X(open_v2)          \
	X(prepare_v2)       \
	X(reset)            \
	X(snprintf)         \
	X(step)             \
	X(vfs_register)     \
	X(vfs_unregister)

#define SQLITE_POINTER(name) __typeof__(&sqlite3_##name) name;
struct sqlite_library {
	SQLITE_FUNCTIONS(SQLITE_POINTER)
};

struct database {
	struct sqlite_library lib;
	sqlite3 *handle;
	sqlite3_vfs files;	   /* how SQLite gets at @fd, and at no other file */
	char name[NAME_MAX_BYTES]; /* of @files */
	int fd;
	bool failed;
	struct error err;
};

/* The database's file as SQLite sees it. */
struct database_file {
	sqlite3_file base; /* first: what SQLite knows of it */
	struct database *db;
};

/* Returns false if the library is not installed, or lacks a function. */
static bool load(struct sqlite_library *lib)
{
	void *library = dynlib_open(LIBRARY);

#define SQLITE_FIND(name) dynlib_find(library, "sqlite3_" #name, &lib->name) &&
	return SQLITE_FUNCTIONS(SQLITE_FIND) true;
}

const char *database_library(char name[32])
{
	struct sqlite_library lib;

	if (!load(&lib))
		return NULL;
	snprintf(name, 32, "sqlite %s", lib.libversion());
	return name;
}

/* ---- one file, without locks or a journal ---------------------------------------------------- */

static struct database *db_of(sqlite3_file *file)
{
	return ((struct database_file *)(void *)file)->db;
}

static int file_read(sqlite3_file *file, void *to, int len, sqlite3_int64 offset)
{
	struct database *db = db_of(file);
	struct stat st;
	size_t there = 0;

	if (fstat(db->fd, &st) == 0 && st.st_size > offset)
		there = (size_t)(st.st_size - offset);
	if (there > (size_t)len)
		there = (size_t)len;
	if (tempfile_read(db->fd, to, there, (uint64_t)offset, &db->err) < 0)
		return SQLITE_IOERR_READ;
	memset((char *)to + there, 0, (size_t)len - there);
	return there < (size_t)len ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *from, int len, sqlite3_int64 offset)
{
	struct database *db = db_of(file);

	if (tempfile_write(db->fd, from, (size_t)len, (uint64_t)offset, &db->err) < 0)
		return SQLITE_FULL;
	return SQLITE_OK;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return ftruncate(db_of(file)->fd, size) < 0 ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct stat st;

	if (fstat(db_of(file)->fd, &st) < 0)
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int file_nothing(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_nothing_with(sqlite3_file *file, int how)
{
	(void)file;
	(void)how;
	return SQLITE_OK;
}

static int file_is_locked(sqlite3_file *file, int *locked)
{
	(void)file;
	*locked = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int what, void *arg)
{
	(void)file;
	(void)what;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
	(void)file;
	return SECTOR;
}

static const sqlite3_io_methods file_methods = {
	.iVersion = 1,
	.xClose = file_nothing, /* the file belongs to the database */
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_nothing_with,
	.xFileSize = file_size,
	.xLock = file_nothing_with,
	.xUnlock = file_nothing_with,
	.xCheckReservedLock = file_is_locked,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_nothing,
};

static int open_file(sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags,
		     int *out_flags)
{
	struct database_file *opened = (struct database_file *)(void *)file;

	(void)name;
	file->pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	file->pMethods = &file_methods;
	opened->db = files->pAppData;
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *files, const char *name, int sync)
{
	(void)files;
	(void)name;
	(void)sync;
	return SQLITE_OK;
}

static int access_file(sqlite3_vfs *files, const char *name, int flags, int *there)
{
	(void)files;
	(void)name;
	(void)flags;
	*there = 0;
	return SQLITE_OK;
}

static int name_file(sqlite3_vfs *files, const char *name, int room, char *to)
{
	(void)files;
	snprintf(to, (size_t)room, "%s", name);
	return SQLITE_OK;
}

/* ---- the database ---------------------------------------------------------------------------- */

/* Keeps the first error: that of the file, if it is the reason. */
static void check(struct database *db, int rc)
{
	if (rc == SQLITE_OK || rc == SQLITE_DONE || rc == SQLITE_ROW || db->failed)
		return;
	db->failed = true;
	if (rc == SQLITE_NOMEM)
		error_nomem(&db->err, "making the database");
	else if (db->err.kind == ERROR_NONE)
		error_set(&db->err, ERROR_UNSUPPORTED, "option --export: sqlite: %s",
			  db->lib.errmsg(db->handle));
}

bool database_failed(const struct database *db)
{
	return db->failed;
}

void database_run(struct database *db, const char *sql)
{
	if (!db->failed)
		check(db, db->lib.exec(db->handle, sql, NULL, NULL, NULL));
}

static void open_database(struct database *db)
{
	snprintf(db->name, sizeof(db->name), "readperf-%p", (void *)db);
	db->files = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = sizeof(struct database_file),
		.mxPathname = NAME_MAX_BYTES,
		.zName = db->name,
		.pAppData = db,
		.xOpen = open_file,
		.xDelete = delete_file,
		.xAccess = access_file,
		.xFullPathname = name_file,
	};
	check(db, db->lib.vfs_register(&db->files, 0));
	check(db, db->lib.open_v2("main", &db->handle,
				  SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
				  db->name));
	/* Nobody else has the file, and it is of no use before it is whole. */
	database_run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			 "PRAGMA temp_store = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN");
}

struct database *database_create(struct error *err)
{
	struct database *db = calloc(1, sizeof(*db));

	if (!db) {
		error_nomem(err, "making the database");
		return NULL;
	}
	if (!load(&db->lib)) {
		free(db);
		error_set(err, ERROR_UNSUPPORTED, NO_LIBRARY);
		return NULL;
	}
	db->fd = tempfile_create(&db->err);
	if (db->fd < 0)
		db->failed = true;
	else
		open_database(db);
	if (!db->failed)
		return db;
	*err = db->err;
	database_destroy(db);
	return NULL;
}

struct database_statement *database_prepare(struct database *db, const char *sql)
{
	sqlite3_stmt *statement = NULL;

	if (!db->failed)
		check(db, db->lib.prepare_v2(db->handle, sql, -1, &statement, NULL));
	return (struct database_statement *)statement;
}

static int set_parameter(const struct database *db, sqlite3_stmt *statement, int at,
			 const struct database_value *value)
{
	switch (value->kind) {
	case DATABASE_INT:
		return db->lib.bind_int64(statement, at, value->integer);
	case DATABASE_REAL:
		return db->lib.bind_double(statement, at, value->real);
	case DATABASE_TEXT:
		return db->lib.bind_text64(statement, at, value->text.bytes, value->text.len,
					   SQLITE_STATIC, SQLITE_UTF8);
	case DATABASE_DIGITS:
		return db->lib.bind_blob64(statement, at, value->text.bytes, value->text.len,
					   SQLITE_STATIC);
	default:
		return db->lib.bind_null(statement, at);
	}
}

void database_insert(struct database *db, struct database_statement *statement,
		     const struct database_value *values, size_t nr)
{
	sqlite3_stmt *insert = (sqlite3_stmt *)statement;

	for (size_t i = 0; i < nr && !db->failed; i++)
		check(db, set_parameter(db, insert, (int)i + 1, &values[i]));
	if (db->failed)
		return;
	check(db, db->lib.step(insert));
	check(db, db->lib.reset(insert));
}

bool database_prints(const struct database *db, double value, unsigned decimals, const char *text)
{
	char printed[64];

	db->lib.snprintf(sizeof(printed), printed, "%.*f", (int)decimals, value);
	return strcmp(printed, text) == 0;
}

static void append_file(struct database *db, struct outfile *out)
{
	char bytes[COPY_AT_ONCE];
	struct stat st;
	uint64_t size = fstat(db->fd, &st) == 0 ? (uint64_t)st.st_size : 0;

	for (uint64_t at = 0; at < size && !db->failed;) {
		const size_t len = size - at < sizeof(bytes) ? (size_t)(size - at) : sizeof(bytes);

		db->failed = tempfile_read(db->fd, bytes, len, at, &db->err) < 0;
		if (!db->failed)
			outfile_append(out, bytes, len);
		at += len;
	}
}

void database_copy(struct database *db, struct outfile *out)
{
	database_run(db, "COMMIT");
	if (!db->failed)
		append_file(db, out);
	if (db->failed)
		outfile_fail(out, &db->err);
}

void database_destroy(struct database *db)
{
	sqlite3_stmt *statement;

	if (!db)
		return;
	while (db->handle && (statement = db->lib.next_stmt(db->handle, NULL)) != NULL)
		db->lib.finalize(statement);
	db->lib.close(db->handle);
	db->lib.vfs_unregister(&db->files);
	if (db->fd >= 0)
		close(db->fd);
	free(db);
}

#else

const char *database_library(char name[32])
{
	(void)name;
	return NULL;
}

struct database *database_create(struct error *err)
{
	error_set(err, ERROR_UNSUPPORTED, NO_LIBRARY);
	return NULL;
}

void database_run(struct database *db, const char *sql)
{
	(void)db;
	(void)sql;
}

struct database_statement *database_prepare(struct database *db, const char *sql)
{
	(void)db;
	(void)sql;
	return NULL;
}

void database_insert(struct database *db, struct database_statement *statement,
		     const struct database_value *values, size_t nr)
{
	(void)db;
	(void)statement;
	(void)values;
	(void)nr;
}

bool database_prints(const struct database *db, double value, unsigned decimals, const char *text)
{
	(void)db;
	(void)value;
	(void)decimals;
	(void)text;
	return false;
}

void database_copy(struct database *db, struct outfile *out)
{
	(void)db;
	(void)out;
}

bool database_failed(const struct database *db)
{
	(void)db;
	return true;
}

void database_destroy(struct database *db)
{
	(void)db;
}

#endif
