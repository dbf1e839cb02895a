#include <cairn/sim/random.h>

static const size_t prefix_bytes = sizeof CN_RANDOM_STREAM_PREFIX - 1;

/* Returns the name of a stream without the prefix; NULL when the component is not a stream. */
static const char *stream_name(const CnWorld *world, CnComponent component)
{
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || info.pair_kind.id ||
        info.size != sizeof(CnRandom) ||
        strncmp(info.name, CN_RANDOM_STREAM_PREFIX, prefix_bytes) != 0)
        return NULL;
    return info.name + prefix_bytes;
}

static uint64_t seed_of(const CnWorld *world)
{
    const CnRandomSeed *seed = cn_resource(world, CnRandomSeed);
    return seed ? seed->seed : 0;
}

/* Restarts the stream; cannot fail when it already exists. */
static bool begin_stream(CnWorld *world, CnComponent stream, CnError *error)
{
    CnRandom random = cn_random_make(seed_of(world), stream_name(world, stream));
    return cn_resource_set_value(world, stream, &random) ||
           cn_error_memory(error, "a random stream");
}

bool cn_random_seed(CnWorld *world, uint64_t seed, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(world));
    if (!cn_resource_set(world, CnRandomSeed, {seed}))
        return cn_error_memory(error, "the random seed");
    for (CnComponent id = {1}; id.id <= cn_component_limit(world); id.id++)
        if (stream_name(world, id) && cn_resource_get(world, id))
            begin_stream(world, id, NULL);
    return true;
}

CnComponent cn_random_stream(CnWorld *world, const char *name, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(world));
    const CnComponent none = {0};
    char full_name[CN_MAX_NAME_BYTES];
    if (!name || !*name ||
        !cn_format(full_name, sizeof full_name, CN_RANDOM_STREAM_PREFIX "%s", name)) {
        cn_error_set(error, CN_ERROR_FORMAT, "a random stream needs a name of 1 to %zu bytes",
                     CN_MAX_NAME_BYTES - 1 - prefix_bytes);
        return none;
    }
    CnType type = cn_type_CnRandom;
    type.name = full_name;
    type.site = NULL;
    CnComponent stream = cn_component_register(world, &(CnComponentDesc){.type = &type}, error);
    if (!stream.id)
        return none;
    if (!cn_resource_get(world, stream) && !begin_stream(world, stream, error))
        return none;
    return stream;
}

bool cn_random_restore(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(world));
    for (CnComponent id = {1}; id.id <= cn_component_limit(world); id.id++)
        if (stream_name(world, id) && !cn_resource_get(world, id) &&
            !begin_stream(world, id, error))
            return false;
    return true;
}

CnRandom *cn_random_of(CnWorld *world, CnComponent stream)
{
    CN_ASSERT(!stream.id || stream_name(world, stream), "component %u is not a random stream",
              stream.id);
    CN_ASSERT(cni_ecs_may_write(world, stream.id),
              "the running system does not declare that it writes random stream %u", stream.id);
    return (CnRandom *)cn_resource_get_mut(world, stream);
}

uint64_t cn_random_key(const CnWorld *world, CnComponent stream)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnRandom *random = (const CnRandom *)cn_resource_get(world, stream);
    return random ? random->key : 0;
}
