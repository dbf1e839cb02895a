#include "mod_reload.h"

#include "crafty/mods/mod_watch.h"
#include "game.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>

void crafty_mod_reload_begin(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CnError error = {0};
    const CraftyModSet *set = crafty_session_mods_set(play->mods);
    if (play->replay || play->is_backdrop || crafty->options.engine.headless ||
        crafty_mod_set_count(set) == 0)
        return;
    play->mod_watch = crafty_mod_watch_create(set, &error);
    if (!play->mod_watch)
        CN_LOG_WARNING("mods", "changes of mods are not noticed: %s",
                       cn_error_text(&error, text, sizeof text));
}

void crafty_mod_reload_end(CraftyPlay *play)
{
    crafty_mod_watch_destroy(play->mod_watch);
    play->mod_watch = NULL;
}

static void tell(Crafty *crafty, CraftyChatKind kind, const char *text)
{
    CN_LOG_INFO("mods", "%s", text);
    crafty_chat_log_note(&crafty->chat.log, kind, text);
}

static void reload(Crafty *crafty, const char *name)
{
    CraftyPlay *play = crafty->play;
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64], line[CRAFTY_CHAT_LINE_BYTES];
    bool changes_content;
    CnError error = {0};
    if (!crafty_session_mods_reload(play->mods, play->is_read_only ? NULL : play->save, name,
                                    &changes_content, &error)) {
        cn_format(line, sizeof line, "The old code of the mod %s goes on: %s", name,
                  cn_error_text(&error, text, sizeof text));
        tell(crafty, CRAFTY_CHAT_ERROR, line);
        return;
    }
    cn_format(line, sizeof line, "The mod %s runs its changed code.%s", name,
              changes_content ? " What it registers has changed, too: open the world again." : "");
    tell(crafty, CRAFTY_CHAT_NOTICE, line);
}

void crafty_mod_reload_frame(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    const char *name;
    if (!play->mod_watch || !crafty_mod_watch_poll(play->mod_watch, cn_clock_ns()) ||
        (play->save && crafty_save_is_building(play->save)))
        return;
    if (play->recorder) {
        tell(crafty, CRAFTY_CHAT_NOTICE,
             "The recording ends: it is of the mods as they were until now.");
        crafty_play_finish_recording(play);
    }
    crafty_crash_watch_end(play->watch, true);
    while ((name = crafty_mod_watch_take(play->mod_watch)))
        reload(crafty, name);
    crafty_play_begin_watch(crafty);
    crafty_saving_now(play);
}
