#include "mod_notes.h"

#include <cairn/base/log.h>

static void tell(CraftyChatLog *log, const char *line)
{
    CN_LOG_DEBUG("mods", "told the player: %s", line);
    crafty_chat_log_note(log, CRAFTY_CHAT_ERROR, line);
}

static void tell_missing_mods(CraftyChatLog *log, const CraftySessionMods *mods)
{
    char missing[CRAFTY_CHAT_LINE_BYTES / 2], line[CRAFTY_CHAT_LINE_BYTES];
    if (crafty_session_mods_missing(mods, missing, sizeof missing) == 0)
        return;
    cn_format(line, sizeof line, "These mods of the world do not run: %s.", missing);
    tell(log, line);
    tell(log, "What they added is shown as placeholders. Nothing is lost.");
}

static void tell_other_features(CraftyChatLog *log, const CraftySave *save)
{
    if (!save || !crafty_save_has_other_features(save))
        return;
    tell(log, "Mods shape the terrain in another way than before.");
    tell(log, "Land that nobody changed may differ. What was built is as it was.");
}

void crafty_mod_notes(CraftyChatLog *log, const CraftySessionMods *mods, const CraftySave *save)
{
    tell_missing_mods(log, mods);
    tell_other_features(log, save);
}
