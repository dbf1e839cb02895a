#include "saving.h"

#include "play.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/log.h>

#include <time.h>

/* Between two thumbnails, and before the first one. */
#define PICTURE_NS UINT64_C(60000000000)
#define FIRST_PICTURE_NS UINT64_C(5000000000)

static CnSim *sim_of(const CraftyPlay *play)
{
    return cn_scene_sim(play->scene);
}

static bool is_changed(const CraftyPlay *play)
{
    const CraftySaving *saving = &play->saving;
    return saving->batch == 0 || saving->has_more || cn_sim_tick(sim_of(play)) != saving->tick;
}

void crafty_saving_begin(CraftyPlay *play)
{
    play->saving =
        (CraftySaving){.is_on = play->save && !play->is_read_only, .safe_ms = crafty_unix_ms()};
    if (play->saving.is_on && crafty_save_is_new(play->save))
        crafty_saving_now(play); /* it exists from now on, with its seed */
}

/* ---- Status ---- */

/* Failures are printed once, and that they are over. */
static void note_failure(CraftySaving *saving, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    if (!saving->is_failing)
        cn_print_error("saving fails: %s", cn_error_text(error, text, sizeof text));
    saving->is_failing = true;
    saving->error = *error;
}

static void ask_store(CraftyPlay *play)
{
    CraftySaving *saving = &play->saving;
    CnStoreStatus status;
    cn_store_status(crafty_save_store(play->save), &status);
    if (status.durable >= saving->batch && saving->batch > 0)
        saving->safe_ms = saving->batch_ms;
    if (status.state != CN_STORE_OK) {
        note_failure(saving, &status.error);
    } else if (saving->is_failing && status.durable >= saving->batch) {
        cn_print_error("saving works again");
        saving->is_failing = false;
    }
}

/* ---- Saving ---- */

/* A save is built in parts: it has the state of its begin, and is submitted later. */
static void note_begun(CraftyPlay *play)
{
    play->saving.begun_tick = cn_sim_tick(sim_of(play));
    play->saving.begun_ms = crafty_unix_ms();
    play->saving.has_more = false;
}

static uint64_t last_batch(const CraftyPlay *play)
{
    CnStoreStatus status;
    cn_store_status(crafty_save_store(play->save), &status);
    return status.submitted;
}

static void note_submitted(CraftySaving *saving, uint64_t batch)
{
    saving->batch = batch;
    saving->batch_ms = saving->begun_ms;
    saving->tick = saving->begun_tick;
}

static void write_save(CraftyPlay *play, bool if_due)
{
    CnError error = {0};
    CraftyWorld *world = crafty_terrain_world(play->terrain);
    uint64_t before = last_batch(play);
    bool was_building = crafty_save_is_building(play->save);
    bool done = if_due ? crafty_save_auto(play->save, world, sim_of(play), &error)
                       : crafty_save_write(play->save, world, sim_of(play), &error);
    uint64_t batch = last_batch(play);
    if (!done) {
        note_failure(&play->saving, &error);
        return;
    }
    bool is_begun =
        !if_due || (!was_building && (batch > before || crafty_save_is_building(play->save)));
    if (is_begun)
        note_begun(play);
    if (batch > before)
        note_submitted(&play->saving, batch);
}

void crafty_saving_picture(CraftyPlay *play)
{
    CraftySaving *saving = &play->saving;
    uint64_t tick = cn_sim_tick(sim_of(play));
    bool is_new = !saving->has_picture || tick != saving->picture_tick;
    if (!play->thumbnail || play->is_loading || !is_new ||
        crafty_thumbnail_is_under_way(play->thumbnail))
        return;
    crafty_thumbnail_request(play->thumbnail);
    saving->has_picture = true;
    saving->picture_ns = cn_clock_ns();
    saving->picture_tick = tick;
}

/* A picture that is complete becomes part of the next save. */
static void take_picture(CraftyPlay *play)
{
    CraftySaving *saving = &play->saving;
    CnError error = {0};
    CnText jpeg;
    uint64_t wait_ns = saving->has_picture ? PICTURE_NS : FIRST_PICTURE_NS;
    if (cn_clock_ns() - saving->picture_ns >= wait_ns)
        crafty_saving_picture(play);
    if (!crafty_thumbnail_frame(play->thumbnail, &jpeg) || !saving->has_picture)
        return; /* the very first is not of the game */
    saving->has_more |= crafty_save_set_thumbnail(play->save, jpeg.data, jpeg.size, &error);
    if (error.code != CN_OK)
        CN_LOG_WARNING("crafty", "%s", error.message);
}

void crafty_saving_frame(CraftyPlay *play)
{
    if (!play->saving.is_on)
        return;
    take_picture(play);
    if (is_changed(play) || crafty_save_is_building(play->save))
        write_save(play, true);
    ask_store(play);
}

void crafty_saving_now(CraftyPlay *play)
{
    if (!play->saving.is_on)
        return;
    crafty_saving_picture(play);
    if (is_changed(play))
        write_save(play, false);
}

bool crafty_saving_is_done(const CraftyPlay *play)
{
    return !play->saving.is_on ||
           (!is_changed(play) &&
            cn_store_durable(crafty_save_store(play->save)) >= play->saving.batch);
}

bool crafty_saving_finish(CraftyPlay *play, uint32_t timeout_ms, CnError *error)
{
    if (!play->saving.is_on)
        return true;
    if (is_changed(play))
        write_save(play, false);
    bool is_submitted = !is_changed(play);
    if (!is_submitted)
        *error = play->saving.error;
    bool done = crafty_save_flush(play->save, timeout_ms, is_submitted ? error : NULL);
    ask_store(play);
    return is_submitted && done;
}

/* ---- Texts ---- */

static void write_clock(int64_t unix_ms, char *text, size_t text_bytes)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm local;
    if (!localtime_r(&seconds, &local) || !strftime(text, text_bytes, "%H:%M:%S", &local))
        cn_copy_text(text, text_bytes, cn_text("the start"));
}

void crafty_saving_text(const CraftyPlay *play, char *text, size_t text_bytes)
{
    const CraftySaving *saving = &play->saving;
    if (!saving->is_on)
        cn_format(text, text_bytes, "This world is not saved");
    else if (saving->is_failing)
        cn_format(text, text_bytes, "Saving fails: %s", saving->error.message);
    else
        cn_format(text, text_bytes, "%s", crafty_saving_is_done(play) ? "Saved" : "Saving ...");
}

void crafty_saving_loss(const CraftyPlay *play, char *text, size_t text_bytes)
{
    char since[16];
    write_clock(play->saving.safe_ms, since, sizeof since);
    cn_format(text, text_bytes, "what you did since %s is not saved", since);
}
