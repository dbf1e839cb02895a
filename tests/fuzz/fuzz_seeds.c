#include "fuzz_surface.h"

#include <cairn/base/file.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

void fuzz_add(FuzzSeeds *seeds, const void *bytes, size_t size)
{
    FuzzInput input = {.bytes = cn_alloc(NULL, size ? size : 1), .size = size};
    FUZZ_CHECK(input.bytes && cn_array_push(&seeds->inputs, input));
    if (size)
        memcpy(input.bytes, bytes, size);
}

void fuzz_add_text(FuzzSeeds *seeds, const char *text)
{
    fuzz_add(seeds, text, strlen(text));
}

void fuzz_add_file(FuzzSeeds *seeds, const char *path)
{
    CnFileBytes bytes;
    CnError error = {0};
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    fuzz_add(seeds, bytes.data, bytes.size);
    cn_file_bytes_free(&bytes);
}

static bool add_listed(const char *name, bool is_directory, void *user)
{
    char path[512];
    FUZZ_CHECK(cn_format(path, sizeof path, "%s/%s", CAIRN_FUZZ_CORPUS, name));
    if (!is_directory)
        fuzz_add_file(user, path);
    return true;
}

void fuzz_seeds_init(FuzzSeeds *seeds)
{
    CnFileSystem *files = cn_native_files();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    cn_array_init(&seeds->inputs, NULL);
    fuzz_surface.add_seeds(seeds);
    files->list(files, CAIRN_FUZZ_CORPUS, add_listed, seeds, NULL); /* not all have one */
}

void fuzz_seeds_fini(FuzzSeeds *seeds)
{
    for (uint32_t i = 0; i < seeds->inputs.count; i++)
        cn_free(NULL, seeds->inputs.items[i].bytes,
                seeds->inputs.items[i].size ? seeds->inputs.items[i].size : 1);
    cn_array_fini(&seeds->inputs);
}
