#include "rich_world.h"

bool rich_world_register(CnWorld *world)
{
    return cn_register(world, RichPosition).id &&
           cn_register(world, RichParticle, .layout = CN_LAYOUT_FIELDS).id &&
           cn_register(world, RichPadded, .default_value = &(RichPadded){1, 2, 3}).id &&
           cn_register(world, RichLabel).id &&
           cn_register(world, RichAll, .layout = CN_LAYOUT_FIELDS).id &&
           cn_register(world, RichLikes).id && cn_register(world, RichKnows).id &&
           cn_register(world, RichFrozen).id &&
           cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT).id &&
           cn_register(world, RichSocket).id && cn_register(world, RichSettings).id &&
           cn_register(world, RichClock).id;
}

static RichAll all_types(uint32_t n, CnEntity entity)
{
    RichAll all = {.a = 0.5f,
                   .b = -0.25,
                   .c = -8,
                   .d = -16,
                   .e = -32,
                   .f = -64,
                   .g = 8,
                   .h = 16,
                   .i = n,
                   .j = (uint64_t)n << 40,
                   .k = {true, false, true},
                   .l = entity,
                   .m = {1, 2},
                   .n = {1, 2, 3},
                   .o = {1, 2, 3, 4},
                   .p = {0, 0, 0, 1},
                   .r = "abc",
                   .s = {1, 2, 3, 4, 5, 6, 7}};
    for (int i = 0; i < 16; i++)
        all.q.m[i] = (float)i;
    return all;
}

static bool spawn_kinds(CnWorld *world, CnEntity *entities, uint32_t count)
{
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++) {
        float f = (float)i;
        CnValue position = cn_with(RichPosition, {f, f / 2, -f});
        CnValue particle = cn_with(RichParticle, {{f, 0, 1}, {0, 0, 0, 1}, (uint8_t)i, f});
        CnValue padded = cn_with(RichPadded, {(uint8_t)i, ~(uint64_t)i, (int16_t)i});
        RichAll all = all_types(i, i ? entities[i - 1] : (CnEntity){0});
        switch (i % 6) {
        case 0:
            entities[i] = cn_spawn(world, position);
            break;
        case 1:
            entities[i] = cn_spawn(world, position, particle, padded);
            break;
        case 2:
            entities[i] = cn_spawn(world, padded, cn_with(RichLabel, {"gr\xc3\xbcn", 5}));
            break;
        case 3:
            entities[i] =
                cn_spawn(world, cn_with_tag(RichFrozen), position, cn_with(RichCache, {i}));
            break;
        case 4:
            entities[i] =
                cn_spawn(world, (CnValue){.type = &cn_type_RichAll, .data = &all}, position);
            break;
        default:
            entities[i] = cn_entity_create(world);
        }
        done = entities[i].id != 0;
    }
    return done;
}

static bool relate(CnWorld *world, const CnEntity *entities, uint32_t count)
{
    CnComponent likes = cn_id(world, RichLikes), knows = cn_id(world, RichKnows);
    for (uint32_t i = 1; i < count; i++) {
        CnEntity other = entities[i / 3];
        if (i % 2 && !cn_set_parent(world, entities[i], other))
            return false;
        if (i % 7 == 0) {
            CnComponent pair = cn_pair(world, likes, other);
            if (!pair.id || !cn_set_component(world, entities[i], pair, &(RichLikes){(float)i}))
                return false;
        }
        if (i % 5 == 0) {
            CnComponent pair = cn_pair(world, knows, other);
            if (!pair.id || !cn_add_component(world, entities[i], pair))
                return false;
        }
    }
    return true;
}

static bool spawn_deferred(CnWorld *world)
{
    CnCommands *buffers[2];
    bool done = true;
    for (int b = 0; b < 2; b++) {
        buffers[b] = cn_commands_create(world, NULL);
        if (!buffers[b])
            return false;
    }
    /* The second one alone: its page leaves a hole. */
    for (uint32_t i = 0; i < 3 && done; i++)
        done = cn_defer_spawn(buffers[1], cn_with(RichPosition, {(float)i, 0, 0})).id != 0;
    return cn_flush(world) && done;
}

bool rich_world_fill(CnWorld *world)
{
    CnEntity entities[60];
    if (!spawn_kinds(world, entities, 60) || !relate(world, entities, 60) || !spawn_deferred(world))
        return false;
    /* Leaves free slots in an order of their own, an empty archetype, and pairs without targets. */
    for (uint32_t i = 3; i < 60; i += 11)
        cn_destroy(world, entities[i]);
    if (!cn_add(world, entities[0], RichSocket) || !cn_remove(world, entities[6], RichPosition) ||
        !cn_add(world, entities[12], RichLabel) || !cn_remove(world, entities[12], RichLabel))
        return false;
    return cn_resource_set(world, RichClock, {77}) &&
           cn_resource_set(world, RichSettings, {42, "a world", true}) &&
           cn_resource_set_value(world, cn_id(world, RichFrozen), NULL) &&
           cn_resource_set(world, RichCache, {5});
}

CnWorld *rich_world_create(CnAllocator *allocator)
{
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world || (rich_world_register(world) && rich_world_fill(world)))
        return world;
    cn_world_destroy(world);
    return NULL;
}
