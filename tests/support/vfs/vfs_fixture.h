/*
 * Shared by tests of virtual files: a folder with `inside`, which is mounted, and `outside`, which
 * is not mounted and contains the file secret.txt.
 */
#ifndef CAIRN_TESTS_SUPPORT_VFS_VFS_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_VFS_VFS_FIXTURE_H

#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/vfs.h>

#define SECRET "not yours"

typedef struct VfsFixture {
    Scratch scratch;
    CnVfs *vfs;
    CnFileSystem *files;
    CnError error;
} VfsFixture;

static VfsFixture fixture;

static inline const char *real(const char *name)
{
    return scratch_path(&fixture.scratch, name);
}

static inline void write_real(const char *name, const char *text)
{
    assert_true(cn_file_write_all(cn_native_files(), real(name), text, strlen(text), NULL));
}

static inline void make_real_folder(const char *name)
{
    CnFileSystem *native = cn_native_files();
    assert_true(native->make_folder(native, real(name), NULL));
}

static inline void assert_ok(bool ok)
{
    if (!ok)
        fail_msg("%s", fixture.error.message);
}

static inline void assert_refused(bool ok, CnErrorCode code, const char *part)
{
    assert_false(ok);
    assert_int_equal(fixture.error.code, code);
    if (!strstr(fixture.error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", fixture.error.message, part);
}

static inline void mount_real(const char *scheme, const char *name, CnMountMode mode)
{
    assert_ok(cn_vfs_mount(fixture.vfs, scheme, real(name), mode, &fixture.error));
}

static inline bool write_text(const char *path, const char *text)
{
    return cn_file_write_all(fixture.files, path, text, strlen(text), &fixture.error);
}

static inline bool content_is(CnFileSystem *files, const char *path, const char *expected)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path, NULL, &bytes, &fixture.error))
        return false;
    bool is_same = cn_text_equal((CnText){(char *)bytes.data, bytes.size}, cn_text(expected));
    cn_file_bytes_free(&bytes);
    return is_same;
}

static inline void assert_content(const char *path, const char *expected)
{
    if (!content_is(fixture.files, path, expected))
        fail_msg("%s is not \"%s\"; %s", path, expected, fixture.error.message);
}

static inline bool read_any(const char *path)
{
    CnFileBytes bytes;
    bool ok = cn_file_read_all(fixture.files, path, NULL, &bytes, &fixture.error);
    cn_file_bytes_free(&bytes);
    return ok;
}

static inline bool append_name(const char *name, bool is_directory, void *user)
{
    cn_text_append_format(user, "%s%s ", name, is_directory ? "/" : "");
    return true;
}

static inline void assert_listing(const char *path, const char *expected)
{
    CnTextBuilder names;
    cn_array_init(&names, NULL);
    assert_ok(fixture.files->list(fixture.files, path, append_name, &names, &fixture.error));
    assert_string_equal(names.items ? names.items : "", expected);
    cn_array_fini(&names);
}

static inline int make_fixture(void **state)
{
    (void)state;
    fixture.error = (CnError){0};
    scratch_init(&fixture.scratch);
    make_real_folder("inside");
    make_real_folder("outside");
    write_real("outside/secret.txt", SECRET);
    fixture.vfs = cn_vfs_create(NULL, &fixture.error);
    fixture.files = cn_vfs_files(fixture.vfs);
    return fixture.vfs ? 0 : -1;
}

static inline int drop_fixture(void **state)
{
    (void)state;
    cn_vfs_destroy(fixture.vfs);
    scratch_fini(&fixture.scratch);
    return 0;
}

#endif
