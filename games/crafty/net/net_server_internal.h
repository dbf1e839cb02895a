/* Sessions of clients, as the files of the server see them. */
#ifndef CRAFTY_NET_NET_SERVER_INTERNAL_H
#define CRAFTY_NET_NET_SERVER_INTERNAL_H

#include "net_server.h"
#include "own_state.h"
#include "shared_layout.h"

#include "crafty/sim/connection.h"

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/chunk_pack.h>

#define CRAFTY_INPUT_RING 128u                               /* ticks ahead that are kept */
#define CRAFTY_OWN_STATES 32u                                /* that a client may acknowledge */
#define CRAFTY_MESSAGE_BYTES (CN_CHUNK_PACK_MAX_BYTES + 16u) /* of the buffer for messages */

typedef enum CraftySessionState {
    CRAFTY_SESSION_WAITS, /* for a hello */
    CRAFTY_SESSION_JOINS, /* the command of the host is under way */
    CRAFTY_SESSION_PLAYS,
    CRAFTY_SESSION_LEAVES /* the connection is closed; the player leaves in the next tick */
} CraftySessionState;

/* The actions of a tick that has not run yet. */
typedef struct CraftyTickInput {
    uint64_t tick; /* 0: none */
    CnActions actions;
} CraftyTickInput;

/* A state of the player that was sent, and the snapshot that contained it. */
typedef struct CraftySentState {
    uint32_t snapshot; /* 0: none */
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
} CraftySentState;

typedef struct CraftyNetSession {
    CnNetConnection connection;
    CraftySessionState state;
    CraftyAccount account;
    CraftyRole role;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    uint32_t view_distance;
    uint32_t player; /* its number; 0: it has not joined yet */
    CnEntity entity;
    CraftyConnection *input; /* NULL: it has not joined yet */
    uint32_t client;         /* of the replication */
    uint32_t turn;           /* ticks modulo the interval of snapshots in which it gets one */
    CnActions last;          /* of the last tick */
    CraftyTickInput inputs[CRAFTY_INPUT_RING];
    int32_t lead; /* the smallest one since the last snapshot */
    bool has_lead;
    uint64_t missing_inputs;
    uint32_t world_messages; /* sent on the world channel */
    uint64_t command_credit; /* thousandths of a command */
    uint64_t message_credit;
    uint32_t acked_state; /* snapshot of the newest state that the client has */
    CraftySentState states[CRAFTY_OWN_STATES];
    CnHashMap columns;            /* uint64_t version by key of the column: those that it has */
    CnChunkPos center;            /* of the columns that it was given last */
    bool has_center, is_complete; /* all columns around `center` have been sent */
    uint32_t checks;              /* hashes of columns that were sent */
    bool is_ready;                /* has made the world */
    const char *leave_text;
} CraftyNetSession;

typedef CN_ARRAY(CraftyNetSession *) CraftySessions;
typedef CN_ARRAY(CraftyBlockEdit) CraftyBlockEdits;
typedef CN_ARRAY(CnVec3) CraftyVectors;

struct CraftyNetServer {
    CraftyNetServerDesc desc;
    CnAllocator *allocator;
    CnWorld *world;
    CnVoxels *voxels;
    CraftyConnection *host;
    CnNetLayout *layout;
    CnNetReplication *replication;
    CnEventReader *presence, *chat, *hands, *players, *creatures;
    CraftySessions sessions;
    CnHashMap by_connection; /* CraftyNetSession * */
    uint32_t snapshot_ticks, next_turn;
    uint64_t logged;        /* edits up to here have been sent */
    CraftyBlockEdits edits; /* of the last tick */
    CraftyVectors eyes;     /* of all players */
    CraftyNetServerStats stats;
    CnTextBuilder blocks, items; /* palettes */
    CnChunkPacker *packer;
    bool is_stopping;
    uint8_t *buffer; /* CRAFTY_MESSAGE_BYTES */
    size_t buffer_bytes;
};

/* Closes the connection of a session, whose player then leaves. */
void crafty_net_session_close(CraftyNetServer *server, CraftyNetSession *session,
                              CraftyLeaveReason reason, const char *text);
/* Sends the message in the buffer. A client that does not read is disconnected. */
bool crafty_net_session_send(CraftyNetServer *server, CraftyNetSession *session, uint32_t channel,
                             size_t size);

/* ---- net_server_world.c ---- */

/* Collects the changes of blocks of the last tick. */
void crafty_net_server_collect_edits(CraftyNetServer *server);
/* Sends them, and some of the edited chunks around the player. */
void crafty_net_session_send_world(CraftyNetServer *server, CraftyNetSession *session);
/* The client has other blocks in a column: it is sent again. */
void crafty_net_session_repair(CraftyNetServer *server, CraftyNetSession *session, int32_t x,
                               int32_t z);

/* ---- net_server_send.c ---- */

void crafty_net_session_send_snapshot(CraftyNetServer *server, CraftyNetSession *session);
void crafty_net_server_send_events(CraftyNetServer *server);
/* Time and weather. */
void crafty_net_session_send_state(CraftyNetServer *server, CraftyNetSession *session);
void crafty_net_session_send_welcome(CraftyNetServer *server, CraftyNetSession *session);

#endif
