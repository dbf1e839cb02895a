/* The session of the server is the one without a client, which replays use as well. */
#ifndef CRAFTY_SERVER_SESSION_H
#define CRAFTY_SERVER_SESSION_H

#include "crafty/replay/session.h"

#endif
