#include "saving.h"

#include "play.h"

#include <cairn/base/console.h>

#include <time.h>

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

static void note_submitted(CraftyPlay *play)
{
    CnStoreStatus status;
    cn_store_status(crafty_save_store(play->save), &status);
    CraftySaving *saving = &play->saving;
    if (status.submitted == saving->batch)
        return; /* it was not due */
    saving->batch = status.submitted;
    saving->batch_ms = crafty_unix_ms();
    saving->tick = cn_sim_tick(sim_of(play));
    saving->has_more = false;
}

static bool write_save(CraftyPlay *play, bool if_due, CnError *error)
{
    CraftyWorld *world = crafty_terrain_world(play->terrain);
    bool done = if_due ? crafty_save_auto(play->save, world, sim_of(play), error)
                       : crafty_save_write(play->save, world, sim_of(play), error);
    if (done)
        note_submitted(play);
    else
        note_failure(&play->saving, error);
    return done;
}

void crafty_saving_frame(CraftyPlay *play)
{
    CnError error = {0};
    if (!play->saving.is_on)
        return;
    if (is_changed(play))
        write_save(play, true, &error);
    ask_store(play);
}

void crafty_saving_now(CraftyPlay *play)
{
    CnError error = {0};
    if (play->saving.is_on && is_changed(play))
        write_save(play, false, &error);
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
    bool done = (!is_changed(play) || write_save(play, false, error)) &&
                crafty_save_flush(play->save, timeout_ms, error);
    ask_store(play);
    return done;
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
