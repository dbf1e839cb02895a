#include "last_minute.h"

#include "crash_folder.h"

#include <cairn/base/log.h>

typedef struct Part {
    char path[CRAFTY_CRASH_PATH_BYTES];
    CraftyWorldRecorder *recorder; /* NULL: not running */
} Part;

struct CraftyLastMinute {
    CraftyLastMinuteDesc desc;
    Part parts[2];
    uint32_t newer;      /* index of the part that began last */
    uint64_t began_tick; /* of the newer one */
    bool is_due;         /* the next part begins after the next save */
    uint64_t submitted;  /* saves when that became due */
};

static void begin_part(CraftyLastMinute *last, uint32_t index)
{
    const CraftyLastMinuteDesc *desc = &last->desc;
    Part *part = &last->parts[index];
    CnError error = {0};
    crafty_world_recorder_destroy(part->recorder);
    last->newer = index;
    last->is_due = false;
    last->began_tick = cn_sim_tick(desc->sim);
    part->recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = crafty_background_files_cn(desc->files),
                                   .path = part->path,
                                   .sim = desc->sim,
                                   .world = desc->world,
                                   .start = desc->start,
                                   .save = desc->save,
                                   .mods = desc->mods,
                                   .in_background = true},
        &error);
    if (!part->recorder)
        CN_LOG_WARNING("crafty", "the last minute is not recorded: %s", error.message);
}

CraftyLastMinute *crafty_last_minute_create(const CraftyLastMinuteDesc *desc, CnError *error)
{
    CraftyLastMinute *last = cn_alloc_zeroed(cn_system_allocator(), sizeof *last);
    if (!last) {
        cn_error_memory(error, "the recording of the last minute");
        return NULL;
    }
    last->desc = *desc;
    if (last->desc.ticks == 0)
        last->desc.ticks = CRAFTY_LAST_MINUTE_SECONDS * cn_sim_clock(desc->sim)->tick_hz;
    for (uint32_t i = 0; i < 2; i++)
        cn_format(last->parts[i].path, sizeof last->parts[i].path, "%s", desc->paths[i]);
    begin_part(last, 0);
    return last;
}

/* Right after a save few edits are not stored, so that beginning a part takes little time. */
static bool is_time(CraftyLastMinute *last)
{
    CnStoreStatus status;
    uint64_t ticks = cn_sim_tick(last->desc.sim) - last->began_tick;
    if (ticks < last->desc.ticks || crafty_save_is_building(last->desc.save))
        return false;
    cn_store_status(crafty_save_store(last->desc.save), &status);
    if (!last->is_due)
        last->submitted = status.submitted;
    last->is_due = true;
    return status.submitted != last->submitted || ticks >= 2 * (uint64_t)last->desc.ticks;
}

void crafty_last_minute_tick(CraftyLastMinute *last)
{
    for (uint32_t i = 0; i < 2; i++)
        if (last->parts[i].recorder)
            crafty_world_recorder_go_on(last->parts[i].recorder);
    if (!is_time(last))
        return;
    uint32_t older = 1 - last->newer;
    bool needs_older =
        last->parts[older].recorder && crafty_save_durable_tick(last->desc.save) < last->began_tick;
    if (!needs_older)
        begin_part(last, older);
}

void crafty_last_minute_destroy(CraftyLastMinute *last)
{
    if (!last)
        return;
    for (uint32_t i = 0; i < 2; i++)
        crafty_world_recorder_destroy(last->parts[i].recorder);
    cn_free(cn_system_allocator(), last, sizeof *last);
}
