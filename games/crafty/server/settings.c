#include "settings_table.h"

#include "crafty/save/world_files.h"

#include <cairn/base/file.h>

#define MAX_LINE_BYTES 1024u

static void report(CraftySettingsProblems *problems, const char *file, int line,
                   const char *message)
{
    if (problems->count++ < CRAFTY_SETTINGS_PROBLEMS)
        cn_error_set_at(&problems->items[problems->count - 1], CN_ERROR_FORMAT, file, line, 0, "%s",
                        message);
}

static void unset_world(CraftyWorldSettings *world)
{
    *world = (CraftyWorldSettings){.mode = CRAFTY_SETTINGS_UNSET,
                                   .difficulty = CRAFTY_SETTINGS_UNSET,
                                   .keep_inventory = CRAFTY_SETTINGS_UNSET,
                                   .commands = CRAFTY_SETTINGS_UNSET,
                                   .max_players = CRAFTY_SETTINGS_UNSET,
                                   .port = CRAFTY_SETTINGS_UNSET};
}

static bool is_of_world(const CraftySetting *setting)
{
    return !strcmp(setting->section, CRAFTY_SETTINGS_WORLD);
}

void crafty_settings_defaults(CraftyServerSettings *settings)
{
    char expected[CRAFTY_EXPECTED_BYTES];
    *settings = (CraftyServerSettings){0};
    for (uint32_t i = 0; i < crafty_settings_count; i++)
        if (!is_of_world(&crafty_settings_table[i]))
            crafty_setting_read(&crafty_settings_table[i], settings,
                                cn_text(crafty_settings_table[i].standard), expected);
}

bool crafty_settings_is_uri(const char *store)
{
    return cn_text_starts_with(cn_text(store), cn_text("postgresql://")) ||
           cn_text_starts_with(cn_text(store), cn_text("postgres://"));
}

/* ---- Reading a file ---- */

typedef struct Reader {
    CraftyServerSettings *settings;
    CraftySettingsProblems *problems;
    const char *file;
    int line;
    char section[32];           /* "": before the first one; "?": an unknown one */
    CraftyWorldSettings *world; /* of the section; NULL: none */
    uint64_t seen;              /* bits of the settings of this section, or of all outside worlds */
    uint64_t seen_outside;
} Reader;

static void problem(Reader *reader, const char *format, ...) CN_PRINTF_LIKE(2, 3);
static void problem(Reader *reader, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    report(reader->problems, reader->file, reader->line, message);
}

static void begin_world(Reader *reader, CnText name)
{
    CraftyServerSettings *settings = reader->settings;
    char text[256], checked[CRAFTY_WORLD_NAME_BYTES];
    CnError error = {0};
    cn_copy_text(reader->section, sizeof reader->section, cn_text("?"));
    if (!cn_copy_text(text, sizeof text, name) || text[0] == '.' || strlen(text) != name.size ||
        strchr(text, '/') || !crafty_world_name_check(text, checked, &error)) {
        problem(reader,
                "expected the name of a world, as in [world Home]: 1 to %u bytes of UTF-8 "
                "without '/' that do not begin with a dot",
                CRAFTY_WORLD_NAME_BYTES - 1);
        return;
    }
    for (uint32_t i = 0; i < settings->world_count; i++)
        if (crafty_world_names_equal(settings->worlds[i].name, checked)) {
            problem(reader, "the world \"%s\" has a section already", checked);
            return;
        }
    if (settings->world_count == CRAFTY_SERVER_WORLDS) {
        problem(reader, "a server has at most %u worlds", CRAFTY_SERVER_WORLDS);
        return;
    }
    reader->world = &settings->worlds[settings->world_count++];
    unset_world(reader->world);
    cn_copy_text(reader->world->name, sizeof reader->world->name, cn_text(checked));
    cn_copy_text(reader->section, sizeof reader->section, cn_text(CRAFTY_SETTINGS_WORLD));
}

static bool is_section(CnText name)
{
    for (uint32_t i = 0; i < crafty_settings_count; i++)
        if (!is_of_world(&crafty_settings_table[i]) &&
            cn_text_equal(name, cn_text(crafty_settings_table[i].section)))
            return true;
    return false;
}

static void begin_section(Reader *reader, CnText line)
{
    CnText name = cn_text_trim((CnText){line.data + 1, line.size > 1 ? line.size - 2 : 0});
    CnText world = name, word = {0};
    char text[64];
    if (reader->world)
        reader->seen = reader->seen_outside;
    else
        reader->seen_outside = reader->seen;
    reader->world = NULL;
    cn_copy_text(reader->section, sizeof reader->section, cn_text("?"));
    if (line.data[line.size - 1] != ']') {
        problem(reader, "expected ']' at the end of the section, as in [server] or [world Home]");
        return;
    }
    if (is_section(name)) {
        cn_copy_text(reader->section, sizeof reader->section, name);
        return;
    }
    if (cn_text_split(&world, ' ', &word) && cn_text_equal(word, cn_text(CRAFTY_SETTINGS_WORLD))) {
        reader->seen_outside = reader->seen;
        reader->seen = 0;
        begin_world(reader, cn_text_trim(world));
        return;
    }
    char first[64];
    cn_copy_text(first, sizeof first, word);
    cn_copy_text(text, sizeof text, name);
    const char *similar = crafty_setting_similar(NULL, first);
    problem(reader, "unknown section [%s]; %s%s%s", text, similar ? "did you mean [" : "expected ",
            similar ? similar
                    : "[server], [network], [game], [saving], [backups], [log], "
                      "[metrics], [console] or [world NAME]",
            similar ? "]?" : "");
}

/* Reads a value in quotes, in which \" and \\ stand for '"' and '\'. */
static bool read_quoted(Reader *reader, CnText value, char text[MAX_LINE_BYTES])
{
    uint32_t size = 0;
    for (size_t i = 1; i < value.size; i++) {
        char next = i + 1 < value.size ? value.data[i + 1] : '\0';
        if (value.data[i] == '\\' && (next == '"' || next == '\\')) {
            text[size++] = next;
            i++;
        } else if (value.data[i] == '"') {
            CnText rest = cn_text_trim((CnText){value.data + i + 1, value.size - i - 1});
            text[size] = '\0';
            if (rest.size == 0 || rest.data[0] == '#')
                return true;
            problem(reader, "expected nothing but a comment behind the second quote");
            return false;
        } else {
            text[size++] = value.data[i];
        }
    }
    problem(reader, "expected a second quote '\"' at the end of the value");
    return false;
}

/* Removes a comment: '#' at the start or behind a blank. */
static CnText without_comment(CnText value)
{
    for (size_t i = 0; i < value.size; i++)
        if (value.data[i] == '#' &&
            (i == 0 || value.data[i - 1] == ' ' || value.data[i - 1] == '\t'))
            value.size = i;
    return cn_text_trim(value);
}

static bool mark_seen(Reader *reader, const CraftySetting *setting)
{
    uint64_t bit = 1ull << (setting - crafty_settings_table);
    bool is_new = !(reader->seen & bit);
    reader->seen |= bit;
    return is_new;
}

static void unknown_key(Reader *reader, CnText key)
{
    char text[64];
    cn_copy_text(text, sizeof text, key);
    const char *similar = crafty_setting_similar(reader->section, text);
    problem(reader, "unknown key \"%s\" in [%s]%s%s%s", text, reader->section,
            similar ? "; did you mean \"" : "; crafty-server --write-config shows all keys",
            similar ? similar : "", similar ? "\"?" : "");
}

static void read_assignment(Reader *reader, CnText line, const char *equals)
{
    char expected[CRAFTY_EXPECTED_BYTES], text[MAX_LINE_BYTES];
    CnText key = cn_text_trim((CnText){line.data, (size_t)(equals - line.data)});
    CnText value = cn_text_trim((CnText){equals + 1, line.size - (size_t)(equals - line.data) - 1});
    if (!strcmp(reader->section, "?"))
        return; /* reported with its section */
    if (!reader->section[0]) {
        problem(reader, "expected a section, such as [server], before the first key");
        return;
    }
    const CraftySetting *setting = crafty_setting_find(cn_text(reader->section), key);
    if (!setting) {
        unknown_key(reader, key);
        return;
    }
    if (!mark_seen(reader, setting)) {
        problem(reader, "%s is set twice", setting->key);
        return;
    }
    if (value.size > 0 && value.data[0] == '"') {
        if (!read_quoted(reader, value, text))
            return;
        value = cn_text(text);
    } else {
        value = without_comment(value);
    }
    void *base = reader->world ? (void *)reader->world : (void *)reader->settings;
    if (!crafty_setting_read(setting, base, value, expected)) {
        char shown[64];
        cn_copy_text(shown, sizeof shown, value);
        problem(reader, "%s: expected %s, not \"%s\"", setting->key, expected, shown);
    }
}

static void read_line(Reader *reader, CnText line)
{
    line = cn_text_trim(line);
    if (line.size == 0 || line.data[0] == '#')
        return;
    if (line.size >= MAX_LINE_BYTES) {
        problem(reader, "expected at most %u bytes in a line", MAX_LINE_BYTES - 1);
        return;
    }
    if (memchr(line.data, '\0', line.size)) {
        problem(reader, "expected text, not a zero byte");
        return;
    }
    if (line.data[0] == '[') {
        begin_section(reader, without_comment(line));
        return;
    }
    const char *equals = memchr(line.data, '=', line.size);
    if (equals)
        read_assignment(reader, line, equals);
    else
        problem(reader, "expected \"key = value\", [section] or a comment that begins with '#'");
}

bool crafty_settings_read(CraftyServerSettings *settings, const char *file, CnText text,
                          CraftySettingsProblems *problems)
{
    CraftyServerSettings fresh = *settings;
    Reader reader = {.settings = &fresh, .problems = problems, .file = file};
    *problems = (CraftySettingsProblems){0};
    if (text.size > CRAFTY_SETTINGS_FILE_BYTES) {
        problem(&reader, "the file has more than %u bytes", CRAFTY_SETTINGS_FILE_BYTES);
        return false;
    }
    for (CnText line; cn_text_split(&text, '\n', &line);) {
        reader.line++;
        read_line(&reader, line);
    }
    if (problems->count == 0)
        *settings = fresh;
    return problems->count == 0;
}

/* ---- Values of the command line ---- */

bool crafty_settings_set(CraftyServerSettings *settings, const char *assignment, CnError *error)
{
    char expected[CRAFTY_EXPECTED_BYTES];
    const char *dot = strchr(assignment, '.'), *equals = strchr(assignment, '=');
    if (!dot || !equals || dot > equals)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "expected section.key=value, such as server.max_players=40, not \"%s\"",
                            assignment);
    CnText section = {assignment, (size_t)(dot - assignment)};
    CnText key = {dot + 1, (size_t)(equals - dot - 1)};
    const CraftySetting *setting = crafty_setting_find(section, key);
    if (!setting || is_of_world(setting))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no setting \"%.*s\"",
                            (int)(equals - assignment), assignment);
    return crafty_setting_read(setting, settings, cn_text(equals + 1), expected) ||
           cn_error_set(error, CN_ERROR_FORMAT, "%.*s: expected %s, not \"%s\"",
                        (int)(equals - assignment), assignment, expected, equals + 1);
}

/* ---- All together ---- */

static void complete_world(const CraftyServerSettings *settings, CraftyWorldSettings *world,
                           uint32_t position)
{
    const struct {
        uint32_t *value, standard;
    } inherited[] = {{&world->mode, settings->mode},
                     {&world->difficulty, settings->difficulty},
                     {&world->keep_inventory, settings->keep_inventory},
                     {&world->commands, settings->commands},
                     {&world->max_players, settings->max_players},
                     {&world->port, settings->port + position}};
    for (uint32_t i = 0; i < CN_COUNT_OF(inherited); i++)
        if (*inherited[i].value == CRAFTY_SETTINGS_UNSET)
            *inherited[i].value = inherited[i].standard;
}

static void check_ports(const CraftyServerSettings *settings, Reader *reader)
{
    for (uint32_t i = 0; i < settings->world_count; i++) {
        const CraftyWorldSettings *world = &settings->worlds[i];
        if (world->port > 65535)
            problem(reader, "the world \"%s\" would have the port %u: set its port", world->name,
                    world->port);
        for (uint32_t k = 0; k < i; k++)
            if (settings->worlds[k].port == world->port)
                problem(reader, "the worlds \"%s\" and \"%s\" have the same port %u",
                        settings->worlds[k].name, world->name, world->port);
    }
}

bool crafty_settings_finish(CraftyServerSettings *settings, const char *file,
                            CraftySettingsProblems *problems)
{
    Reader reader = {.problems = problems, .file = file};
    *problems = (CraftySettingsProblems){0};
    if (settings->world_count == 0) {
        unset_world(&settings->worlds[0]);
        cn_copy_text(settings->worlds[0].name, sizeof settings->worlds[0].name, cn_text("World"));
        settings->world_count = 1;
    }
    for (uint32_t i = 0; i < settings->world_count; i++)
        complete_world(settings, &settings->worlds[i], i);
    check_ports(settings, &reader);
    if (settings->snapshot_rate > settings->tick_rate)
        problem(&reader, "server.snapshot_rate (%u) is above server.tick_rate (%u)",
                settings->snapshot_rate, settings->tick_rate);
    return problems->count == 0;
}

static bool read_file(CraftyServerSettings *settings, const char *path,
                      CraftySettingsProblems *problems)
{
    CnFileBytes bytes;
    CnError error = {0};
    CnFileInfo info;
    *problems = (CraftySettingsProblems){0};
    if (!cn_native_files()->info(cn_native_files(), path, &info, &error) ||
        !cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error)) {
        problems->items[problems->count++] = error;
        return false;
    }
    bool done = crafty_settings_read(settings, path, (CnText){(const char *)bytes.data, bytes.size},
                                     problems);
    cn_file_bytes_free(&bytes);
    return done;
}

bool crafty_settings_load(CraftyServerSettings *settings, const char *path,
                          const char *const *assignments, uint32_t assignment_count,
                          CraftySettingsProblems *problems)
{
    crafty_settings_defaults(settings);
    *problems = (CraftySettingsProblems){0};
    if (path && !read_file(settings, path, problems))
        return false;
    for (uint32_t i = 0; i < assignment_count; i++) {
        CnError error = {0};
        if (!crafty_settings_set(settings, assignments[i], &error) &&
            problems->count < CRAFTY_SETTINGS_PROBLEMS)
            problems->items[problems->count++] = error;
    }
    return problems->count == 0 && crafty_settings_finish(settings, path, problems);
}

/* ---- Changes while the server runs ---- */

typedef struct Changes {
    void (*changed)(const char *name, bool is_live, void *user);
    void *user;
} Changes;

static void apply(const Changes *changes, const CraftySetting *setting, const char *section,
                  void *current, const void *fresh)
{
    char name[128];
    uint8_t *to = (uint8_t *)current + setting->offset;
    const uint8_t *from = (const uint8_t *)fresh + setting->offset;
    bool is_text = setting->type == CRAFTY_SETTING_TEXT || setting->type == CRAFTY_SETTING_ADDRESS;
    bool is_equal = is_text ? !strcmp((const char *)to, (const char *)from)
                            : !memcmp(to, from, sizeof(uint32_t));
    if (is_equal)
        return;
    cn_format(name, sizeof name, "%s.%s", section, setting->key);
    if (setting->is_live)
        memcpy(to, from, setting->bytes);
    changes->changed(name, setting->is_live, changes->user);
}

static bool has_same_worlds(const CraftyServerSettings *a, const CraftyServerSettings *b)
{
    bool is_same = a->world_count == b->world_count;
    for (uint32_t i = 0; is_same && i < a->world_count; i++)
        is_same = !strcmp(a->worlds[i].name, b->worlds[i].name);
    return is_same;
}

void crafty_settings_apply(CraftyServerSettings *current, const CraftyServerSettings *fresh,
                           void (*changed)(const char *name, bool is_live, void *user), void *user)
{
    Changes changes = {changed, user};
    char section[96];
    bool has_same = has_same_worlds(current, fresh);
    for (uint32_t i = 0; i < crafty_settings_count; i++)
        if (!is_of_world(&crafty_settings_table[i]))
            apply(&changes, &crafty_settings_table[i], crafty_settings_table[i].section, current,
                  fresh);
    if (!has_same)
        changed("the list of worlds", false, user);
    for (uint32_t k = 0; has_same && k < current->world_count; k++) {
        cn_format(section, sizeof section, "world %s", current->worlds[k].name);
        for (uint32_t i = 0; i < crafty_settings_count; i++)
            if (is_of_world(&crafty_settings_table[i]))
                apply(&changes, &crafty_settings_table[i], section, &current->worlds[k],
                      &fresh->worlds[k]);
    }
}

/* ---- The default file ---- */

static bool write_comment(CnTextBuilder *text, const char *comment)
{
    CnText rest = cn_text(comment ? comment : ""), line;
    bool done = true;
    while (done && cn_text_split(&rest, '\n', &line))
        done = cn_text_append_format(text, "# %.*s\n", (int)line.size, line.data);
    return done;
}

static bool write_setting(CnTextBuilder *text, const CraftySetting *setting)
{
    bool is_text = setting->type == CRAFTY_SETTING_TEXT || setting->type == CRAFTY_SETTING_ADDRESS;
    const char *quote = is_text ? "\"" : "";
    if (!write_comment(text, setting->comment))
        return false;
    return setting->standard ? cn_text_append_format(text, "%s = %s%s%s\n", setting->key, quote,
                                                     setting->standard, quote)
                             : cn_text_append_format(text, "#%s = ...\n", setting->key);
}

bool crafty_settings_write_defaults(CnTextBuilder *text)
{
    const char *section = "";
    bool done = cn_text_append(
        text,
        cn_text("# Settings of crafty-server. Comments begin with '#'. A value may be written "
                "in quotes.\n# \"crafty-server --check-config --config FILE\" checks this "
                "file; SIGHUP or the command\n# \"reload\" makes a running server read it "
                "again.\n"));
    for (uint32_t i = 0; done && i < crafty_settings_count; i++) {
        const CraftySetting *setting = &crafty_settings_table[i];
        if (strcmp(section, setting->section)) {
            section = setting->section;
            done = is_of_world(setting)
                       ? cn_text_append(text, cn_text("\n# One section for each world, at most 16. "
                                                      "Each has a thread of its own.\n[world "
                                                      "World]\n"))
                       : cn_text_append_format(text, "\n[%s]\n", section);
        }
        done = done && write_setting(text, setting);
    }
    return done;
}
