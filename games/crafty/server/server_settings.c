/* The settings of the program: file, command line, and what follows from them. */
#include "event_log.h"
#include "server.h"
#include "server_settings.h"

#include "crafty/save/world_seed.h"

#include <cairn/base/console.h>
#include <cairn/base/file.h>

/* ---- Reading ---- */

/* A world in a database has the name of its schema. */
static void name_world(const char *option, CraftyWorldSettings *world)
{
    char base[CRAFTY_WORLD_FILE_BYTES];
    const char *schema = strstr(option, "schema=");
    if (crafty_settings_is_uri(option) && schema) {
        schema += sizeof "schema=" - 1;
        cn_copy_text(world->name, sizeof world->name, (CnText){schema, strcspn(schema, "&")});
        return;
    }
    crafty_world_base_name(option, base);
    cn_copy_text(world->name, sizeof world->name, cn_text(base));
}

/* The world of --world: that of the section with this name, or one without a section. */
static void use_one_world(CraftyServerSettings *settings, const CraftyServerOptions *options)
{
    CraftyWorldSettings world = {.mode = settings->mode,
                                 .difficulty = settings->difficulty,
                                 .keep_inventory = settings->keep_inventory,
                                 .commands = settings->commands,
                                 .max_players = settings->max_players};
    name_world(options->world, &world);
    if (strchr(options->world, '/') ||
        cn_text_ends_with(cn_text(options->world), cn_text(CRAFTY_WORLD_SUFFIX)))
        cn_copy_text(world.store, sizeof world.store, cn_text(options->world));
    for (uint32_t i = 0; i < settings->world_count; i++)
        if (!strcmp(settings->worlds[i].name, options->world))
            world = settings->worlds[i];
    world.port = settings->port;
    if (options->has_seed)
        crafty_seed_to_text(options->seed, world.seed);
    if (options->has_mode)
        world.mode = (uint32_t)options->mode;
    settings->worlds[0] = world;
    settings->world_count = 1;
}

bool crafty_server_settings_load(CraftyServerSettings *settings, const CraftyServerOptions *options,
                                 CraftySettingsProblems *problems)
{
    if (!crafty_settings_load(settings, options->config, options->assignments,
                              options->assignment_count, problems))
        return false;
    if (options->worlds)
        cn_copy_text(settings->worlds_folder, sizeof settings->worlds_folder,
                     cn_text(options->worlds));
    if (options->mods)
        cn_copy_text(settings->mods, sizeof settings->mods, cn_text(options->mods));
    if (options->has_threads)
        settings->threads = (uint32_t)options->threads;
    if (options->world)
        use_one_world(settings, options);
    return true;
}

bool crafty_server_paths_find(CraftyServerPaths *paths, const CraftyServerSettings *settings,
                              CnError *error)
{
    char first[CN_STORE_PATH_BYTES];
    if (settings->worlds_folder[0])
        cn_copy_text(paths->worlds, sizeof paths->worlds, cn_text(settings->worlds_folder));
    else if (settings->worlds[0].store[0] && !crafty_settings_is_uri(settings->worlds[0].store))
        crafty_world_folder_of(settings->worlds[0].store, paths->worlds);
    else if (!crafty_worlds_folder(paths->worlds, error))
        return false;
    for (uint32_t i = 0; i < settings->world_count; i++)
        if (!crafty_server_world_path(paths, &settings->worlds[i], first, error))
            return false;
    bool fits =
        settings->accounts[0]
            ? cn_format(paths->accounts, sizeof paths->accounts, "%s", settings->accounts)
            : cn_format(paths->accounts, sizeof paths->accounts, "%s/accounts.json", paths->worlds);
    fits = fits && (settings->key[0]
                        ? cn_format(paths->key, sizeof paths->key, "%s", settings->key)
                        : cn_format(paths->key, sizeof paths->key, "%s/server.key", paths->worlds));
    return fits || cn_error_set(error, CN_ERROR_LIMIT, "the path of the worlds is too long");
}

bool crafty_server_world_path(const CraftyServerPaths *paths, const CraftyWorldSettings *world,
                              char path[CN_STORE_PATH_BYTES], CnError *error)
{
    if (crafty_settings_is_uri(world->store))
        return cn_format(path, CN_STORE_PATH_BYTES, "%s", world->store);
    return crafty_world_path(world->store[0] ? world->store : world->name, paths->worlds, path,
                             error);
}

void crafty_server_print_problems(const CraftySettingsProblems *problems)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    for (uint32_t i = 0; i < problems->count && i < CRAFTY_SETTINGS_PROBLEMS; i++)
        cn_print_error("crafty-server: %s", cn_error_text(&problems->items[i], text, sizeof text));
    if (problems->count > CRAFTY_SETTINGS_PROBLEMS)
        cn_print_error("crafty-server: and %u more", problems->count - CRAFTY_SETTINGS_PROBLEMS);
}

bool crafty_server_open_log(const CraftyServerSettings *settings, CnError *error)
{
    return crafty_event_log_open(
        &(CraftyEventLogDesc){.path = settings->log_file,
                              .level = (CnLogLevel)settings->log_level,
                              .format = (CraftyLogFormat)settings->log_format},
        error);
}

/* ---- Commands of the command line ---- */

static int fail(const CnError *error, int status)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("crafty-server: %s", cn_error_text(error, text, sizeof text));
    return status;
}

int crafty_server_check_settings(const CraftyServerOptions *options)
{
    CraftyServerSettings settings;
    CraftySettingsProblems problems;
    CraftyServerPaths paths;
    CnError error = {0};
    char path[CN_STORE_PATH_BYTES];
    if (!crafty_server_settings_load(&settings, options, &problems)) {
        crafty_server_print_problems(&problems);
        return CRAFTY_EXIT_SETTINGS;
    }
    if (!crafty_server_paths_find(&paths, &settings, &error))
        return fail(&error, CRAFTY_EXIT_SETTINGS);
    for (uint32_t i = 0; i < settings.world_count; i++) {
        crafty_server_world_path(&paths, &settings.worlds[i], path, &error);
        cn_print("world %s: port %u, %s", settings.worlds[i].name, settings.worlds[i].port,
                 crafty_settings_is_uri(path) ? "a PostgreSQL database" : path);
    }
    cn_print("accounts: %s", paths.accounts);
    cn_print("the settings are valid");
    return CRAFTY_EXIT_DONE;
}

static bool write_new_file(const char *path, const CnTextBuilder *text, CnError *error)
{
    CnFileSystem *files = cn_native_files();
    CnFile *file;
    if (!files->open(files, path, CN_FILE_NEW, &file, error))
        return false;
    bool done = files->write(files, file, 0, text->items, text->count, error) &&
                files->sync(files, file, error);
    files->close(files, file);
    return done;
}

int crafty_server_write_settings(const char *path)
{
    CnTextBuilder text;
    CnError error = {0};
    cn_array_init(&text, cn_system_allocator());
    bool done =
        crafty_settings_write_defaults(&text) || cn_error_memory(&error, "the default settings");
    CnText rest = {text.items, text.count}, line;
    if (done && path)
        done = write_new_file(path, &text, &error);
    while (done && !path && cn_text_split(&rest, '\n', &line))
        if (line.size > 0 || rest.size > 0)
            cn_print("%.*s", (int)line.size, line.data);
    cn_array_fini(&text);
    return done ? CRAFTY_EXIT_DONE : fail(&error, CRAFTY_EXIT_FAILED);
}
