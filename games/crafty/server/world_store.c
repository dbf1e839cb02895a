#include "world_store.h"

#include <cairn/base/file.h>
#include <cairn/postgres.h>

bool crafty_world_store_is_remote(const char *path)
{
    return cn_postgres_is_uri(path);
}

CraftySave *crafty_world_store_open(const CraftySaveDesc *desc, CnError *error)
{
    CraftySaveDesc own = *desc;
    char schema[CN_POSTGRES_SCHEMA_BYTES];
    if (!crafty_world_store_is_remote(desc->path))
        return cn_file_make_folder_of(cn_native_files(), desc->path, error)
                   ? crafty_save_open(&own, error)
                   : NULL;
    if (!cn_postgres_uri_schema(desc->path, schema, error))
        return NULL;
    if (!own.name)
        own.name = schema;
    own.backend = cn_store_postgres();
    return crafty_save_open(&own, error);
}
