#include "world_info.h"

#include "crafty/sim/connection.h"
#include "crafty/sim/day.h"
#include "crafty/sim/weather.h"

#include <cairn/base/bytes.h>

#include <time.h>

/* ---- Writing ---- */

/* u8 length, then the bytes. */
static bool append_text(CnU8Array *bytes, const char *text)
{
    uint8_t size = (uint8_t)strlen(text);
    return cn_bytes_append(bytes, &size, 1) && cn_bytes_append(bytes, text, size);
}

enum { RULES_MODE = 3, RULES_COMMANDS = 4, RULES_KEEP_INVENTORY = 8 }; /* bits */

/* One byte; none if no rules were chosen, as in worlds of earlier versions. */
static bool append_rules(CnU8Array *bytes, const CraftyWorldIdentity *identity)
{
    uint8_t rules =
        (uint8_t)((identity->mode & RULES_MODE) | (identity->commands ? RULES_COMMANDS : 0) |
                  (identity->keep_inventory ? RULES_KEEP_INVENTORY : 0));
    return !identity->has_rules || cn_bytes_append(bytes, &rules, 1);
}

bool crafty_world_identity_write(const CraftyWorldIdentity *identity, CnU8Array *bytes)
{
    return cn_bytes_append(bytes, &identity->seed, 8) &&
           cn_bytes_append(bytes, &identity->random_seed, 8) &&
           cn_bytes_append(bytes, &identity->created_ms, 8) &&
           cn_bytes_append(bytes, &identity->tick_hz, 4) &&
           cn_bytes_append(bytes, &identity->generator_version, 4) &&
           append_text(bytes, identity->name) && append_text(bytes, identity->generator) &&
           append_rules(bytes, identity);
}

/* u8 number, then u16 item and u16 count of each. */
static bool append_stacks(CnU8Array *bytes, const CraftyStack *stacks, uint8_t count)
{
    bool written = cn_bytes_append(bytes, &count, 1);
    for (uint32_t i = 0; i < count && written; i++) {
        const uint16_t stack[2] = {stacks[i].item, stacks[i].count};
        written = cn_bytes_append(bytes, stack, sizeof stack);
    }
    return written;
}

bool crafty_world_summary_write(const CraftyWorldSummary *summary, CnU8Array *bytes)
{
    const CraftyPose *pose = &summary->pose;
    const float numbers[] = {summary->sun_angle, summary->moon_phase, pose->position.x,
                             pose->position.y,   pose->position.z,    pose->yaw,
                             pose->pitch};
    const uint8_t kinds[] = {summary->mode, summary->weather, summary->slot};
    return cn_bytes_append(bytes, &summary->played_ms, 8) &&
           cn_bytes_append(bytes, &summary->tick, 8) &&
           cn_bytes_append(bytes, &summary->blocks_hash, 8) &&
           cn_bytes_append(bytes, &summary->days, 8) &&
           cn_bytes_append(bytes, numbers, sizeof numbers) &&
           cn_bytes_append(bytes, kinds, sizeof kinds) &&
           append_stacks(bytes, summary->slots, CRAFTY_SLOTS) &&
           append_stacks(bytes, summary->inventory, CRAFTY_INVENTORY_SLOTS);
}

/* ---- Reading ---- */

typedef struct Reader {
    const uint8_t *bytes;
    size_t left;
    bool failed;
} Reader;

static void take(Reader *reader, void *data, size_t size)
{
    if (reader->left < size) {
        reader->failed = true;
        return;
    }
    memcpy(data, reader->bytes, size);
    reader->bytes += size;
    reader->left -= size;
}

static void take_text(Reader *reader, char *text, size_t text_bytes)
{
    uint8_t size = 0;
    take(reader, &size, 1);
    if (size >= text_bytes) {
        reader->failed = true;
        return;
    }
    take(reader, text, size);
    text[size] = 0;
    reader->failed |= strlen(text) != size || !cn_text_is_utf8(cn_text(text));
}

static void take_stacks(Reader *reader, CraftyStack *stacks, uint8_t expected)
{
    uint8_t count = 0;
    take(reader, &count, 1);
    reader->failed |= count != expected;
    for (uint32_t i = 0; i < expected; i++) {
        uint16_t stack[2] = {0};
        take(reader, stack, sizeof stack);
        stacks[i] = (CraftyStack){.item = stack[0], .count = stack[1]};
    }
}

static void take_rules(Reader *reader, CraftyWorldIdentity *identity)
{
    uint8_t rules = 0;
    identity->has_rules = reader->left > 0;
    if (!identity->has_rules)
        return;
    take(reader, &rules, 1);
    identity->mode = rules & RULES_MODE;
    identity->commands = rules & RULES_COMMANDS;
    identity->keep_inventory = rules & RULES_KEEP_INVENTORY;
    reader->failed |= rules > (RULES_MODE | RULES_COMMANDS | RULES_KEEP_INVENTORY) ||
                      identity->mode > CRAFTY_MODE_SURVIVAL;
}

bool crafty_world_identity_read(CraftyWorldIdentity *identity, const uint8_t *bytes, size_t size,
                                CnError *error)
{
    CraftyWorldIdentity read = {0};
    Reader reader = {bytes, size, false};
    take(&reader, &read.seed, 8);
    take(&reader, &read.random_seed, 8);
    take(&reader, &read.created_ms, 8);
    take(&reader, &read.tick_hz, 4);
    take(&reader, &read.generator_version, 4);
    take_text(&reader, read.name, sizeof read.name);
    take_text(&reader, read.generator, sizeof read.generator);
    take_rules(&reader, &read);
    if (reader.failed || reader.left > 0)
        return cn_error_set(error, CN_ERROR_FORMAT, "the description of the world is malformed");
    *identity = read;
    return true;
}

bool crafty_world_summary_read(CraftyWorldSummary *summary, const uint8_t *bytes, size_t size,
                               CnError *error)
{
    CraftyWorldSummary read = {0};
    Reader reader = {bytes, size, false};
    float numbers[7] = {0};
    uint8_t kinds[3] = {0};
    take(&reader, &read.played_ms, 8);
    take(&reader, &read.tick, 8);
    take(&reader, &read.blocks_hash, 8);
    take(&reader, &read.days, 8);
    take(&reader, numbers, sizeof numbers);
    take(&reader, kinds, sizeof kinds);
    take_stacks(&reader, read.slots, CRAFTY_SLOTS);
    take_stacks(&reader, read.inventory, CRAFTY_INVENTORY_SLOTS);
    if (reader.failed || reader.left > 0)
        return cn_error_set(error, CN_ERROR_FORMAT, "the summary of the world is malformed");
    read.sun_angle = numbers[0];
    read.moon_phase = numbers[1];
    read.pose = (CraftyPose){{numbers[2], numbers[3], numbers[4]}, numbers[5], numbers[6]};
    read.mode = kinds[0];
    read.weather = kinds[1];
    read.slot = kinds[2];
    *summary = read;
    return true;
}

/* ---- The current state ---- */

int64_t crafty_unix_ms(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now)
               ? 0
               : (int64_t)now.tv_sec * 1000 + (int64_t)(now.tv_nsec / 1000000);
}

static void add_player(CraftyWorldSummary *summary, const CnWorld *world)
{
    CnEntity eye = cn_camera_active(world);
    const CnTransform *transform = eye.id ? cn_get(world, eye, CnTransform) : NULL;
    const CraftyPlayer *player = eye.id ? cn_get(world, eye, CraftyPlayer) : NULL;
    if (transform) {
        CnVec3 angles = cn_quat_to_euler(transform->rotation);
        summary->pose = (CraftyPose){transform->position, angles.y, angles.x};
    }
    if (player) {
        summary->mode = player->mode;
        summary->slot = player->slot;
        memcpy(summary->slots, player->slots, sizeof summary->slots);
        memcpy(summary->inventory, player->inventory, sizeof summary->inventory);
    }
}

CraftyWorldSummary crafty_world_summary_of(const CnSim *sim, CnVoxels *voxels)
{
    const CnWorld *world = cn_sim_world(sim);
    double days = cn_resource(world, CraftyDay)->days;
    CraftyWorldSummary summary = {.played_ms = crafty_unix_ms(),
                                  .tick = cn_sim_tick(sim),
                                  .blocks_hash = cn_voxels_hash(voxels),
                                  .days = days,
                                  .sun_angle = (float)(days - cn_floor(days) - 0.25) * 2 * CN_PIF,
                                  .moon_phase = crafty_sky_at(days).moon_phase,
                                  .weather = cn_resource(world, CraftyWeather)->kind};
    add_player(&summary, world);
    return summary;
}
