/* Shared by the files of the list of worlds. */
#ifndef CRAFTY_CLIENT_WORLD_SCREEN_INTERNAL_H
#define CRAFTY_CLIENT_WORLD_SCREEN_INTERNAL_H

#include "thumbnail_cache.h"
#include "world_screen.h"
#include "world_task.h"

typedef enum CraftyWorldDialog {
    CRAFTY_DIALOG_NONE,
    CRAFTY_DIALOG_CREATE,
    CRAFTY_DIALOG_MODS, /* of the world that is created */
    CRAFTY_DIALOG_RENAME,
    CRAFTY_DIALOG_COPY,
    CRAFTY_DIALOG_RESTORE,
    CRAFTY_DIALOG_DELETE,
    CRAFTY_DIALOG_MESSAGE
} CraftyWorldDialog;

#define CRAFTY_SEED_FIELD_BYTES 64u
#define CRAFTY_STATUS_BYTES 512u

struct CraftyWorldScreen {
    CnAllocator *allocator;
    CraftyWorldTask *task;
    CraftyThumbnailCache *thumbnails;
    CraftyWorldList list;
    bool has_list;                         /* it was read once */
    bool has_offered;                      /* the dialog for a first world was opened */
    bool wants_focus;                      /* give the focus to the list */
    bool wants_back;                       /* to the title */
    CnError list_error;                    /* code CN_OK unless the folder could not be read */
    uint32_t selected;                     /* index in the list */
    char wanted_path[CN_STORE_PATH_BYTES]; /* to select in the next list; "": the same world */

    CraftyWorldDialog dialog;
    bool has_dialog_focus; /* its first widget got the focus since it was opened */
    char name[CRAFTY_WORLD_NAME_BYTES], seed[CRAFTY_SEED_FIELD_BYTES];
    uint32_t generator;
    uint32_t mode;                 /* number in the dialog */
    CraftyPlayerMode default_mode; /* with which the dialog begins */
    bool commands;
    CraftyInstalledMods mods;
    bool is_mod_chosen[CRAFTY_MAX_MODS]; /* for the new world, by index in `mods` */
    char dialog_error[CN_ERROR_MESSAGE_BYTES];
    CraftyWorldList backups; /* of the dialog for restoring */
    bool has_backups;
    uint32_t backup; /* the selected one */
    char message_title[64], message[CRAFTY_STATUS_BYTES];

    bool has_pending; /* a task waits until the list was read */
    CraftyTaskKind pending;
    char pending_path[CN_STORE_PATH_BYTES];
    CraftyTaskKind running; /* kind of the task that runs */
    float task_seconds;     /* for which it has been running */
    bool is_canceling;

    char status[CRAFTY_STATUS_BYTES];
    char deleted_path[CN_STORE_PATH_BYTES]; /* what Undo brings back; "": nothing */
    char play_path[CN_STORE_PATH_BYTES];    /* world to play; "": none */
};

/* Returns the selected world; NULL if there is none. */
const CraftyWorldEntry *crafty_world_screen_selected(const CraftyWorldScreen *screen);
/* Starts a task on a path and with screen->name, as far as the kind needs them, after the list was
 * read. Does nothing while another one runs. */
void crafty_world_screen_order(CraftyWorldScreen *screen, CraftyTaskKind kind, const char *path);
void crafty_world_screen_open_dialog(CraftyWorldScreen *screen, CraftyWorldDialog dialog);

/* Draws the list with its buttons. */
void crafty_world_rows_frame(CraftyWorldScreen *screen, CnEngine *engine);
/* Returns the id of the generator that was chosen in the dialog. */
const char *crafty_world_dialogs_generator(const CraftyWorldScreen *screen);
CraftyPlayerMode crafty_world_dialogs_mode(const CraftyWorldScreen *screen);
/* Returns how many mods the new world will have, and their list. */
uint32_t crafty_world_dialogs_mods(const CraftyWorldScreen *screen, CraftyWorldMods *mods);
/* Draws the choice of mods of a new world. Returns true when it is closed. */
bool crafty_world_mods_frame(CraftyWorldScreen *screen, CnUi *ui, float height);
/* Draws the open dialog or the progress of a task. */
void crafty_world_dialogs_frame(CraftyWorldScreen *screen, CnEngine *engine);

#endif
