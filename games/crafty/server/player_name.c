#include "player_name.h"

#include "crafty/sim/identity.h"

bool crafty_player_name_check(const char *name, CnError *error)
{
    char escaped[128];
    if (crafty_player_name_valid(cn_text(name)) && !crafty_player_names_equal(name, "server"))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "\"%s\" cannot be a name: expected 1 to %u visible characters that begin "
                        "with a letter, without blanks, and no reserved word",
                        cn_text_escape(cn_text(name), escaped, sizeof escaped),
                        CRAFTY_PLAYER_NAME_LENGTH);
}

bool crafty_player_names_equal(const char *a, const char *b)
{
    return crafty_name_key(cn_text(a)) == crafty_name_key(cn_text(b));
}
