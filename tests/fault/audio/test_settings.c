/* Settings of OpenAL that a user or a system may have do not change the samples of a loop-back
 * device. Settings are read once in a process, so each case renders in a process of its own. */
#include "audio_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define UPDATES 45u

static const char program[] = "/proc/self/exe";
static char folder[256];

/* Settings that change or silence all samples. */
static const char hostile[] =
    "[general]\nhrtf = false\nstereo-mode = speakers\nstereo-encoding = uhj\ncf_level = 6\n"
    "volume-adjust = -20\ndefault-reverb = castlehall\nresampler = point\nexcludefx = reverb\n"
    "sends = 0\nslots = 1\nsources = 2\noutput-limiter = false\ndither = true\n"
    "dither-depth = 4\nhrtf-paths = /nowhere\ndefault-hrtf = nothing\nfrequency = 8000\n"
    "disable-cpu-exts = all\n"
    "[Loopback]\nvolume-adjust = -12\nhrtf = false\nresampler = linear\n"
    "[reverb]\nboost = 24\n[reverb/Loopback]\nboost = -24\n[decoder]\nhq-mode = false\n";

/* ---- The process that renders ---- */

static void render_into(const char *path)
{
    Loopback loop = loopback_open(NULL);
    CnSound noise = sound_of_function(loop.audio, AUDIO_RATE / 2, noise_value);
    CnSound sine = sound_of_function(loop.audio, AUDIO_RATE / 3, sine_value);
    const CnReverb cave = {.gain = 0.4f, .decay_seconds = 3, .reflections_gain = 0.5f};
    cn_audio_set_reverb(loop.audio, &cave, 0);
    for (uint32_t i = 0; i < 12; i++)
        cn_audio_play(loop.audio, &(CnPlayDesc){.sound = i % 2 ? noise : sine,
                                                .spatial = i % 3 != 0,
                                                .pitch = 0.8f + 0.07f * (float)i,
                                                .loop = i % 4 == 0,
                                                .position = cn_vec3((float)i - 6, 1, -3)});
    loopback_listen(&loop, UPDATES);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(loop.stereo, 2 * sizeof *loop.stereo, loop.frames, file), loop.frames);
    assert_int_equal(fclose(file), 0);
    loopback_close(&loop);
}

/* ---- Cases ---- */

static const char *path_of(const char *name)
{
    static char paths[8][512];
    static uint32_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void save(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

typedef struct Case {
    const char *name;
    const char *environment[6]; /* NAME=VALUE, after HOME */
} Case;

static void render(const Case *settings)
{
    const char *variables[12] = {settings->environment[0] ? NULL : "HOME=/nowhere"};
    uint32_t count = settings->environment[0] ? 0 : 1;
    for (uint32_t i = 0; i < 6 && settings->environment[i]; i++)
        variables[count++] = settings->environment[i];
    const char *options = getenv("ASAN_OPTIONS");
    char sanitizer[512];
    snprintf(sanitizer, sizeof sanitizer, "ASAN_OPTIONS=%s", options ? options : "");
    variables[count++] = sanitizer;
    const char *path = path_of(settings->name);
    const char *arguments[] = {"render", path, NULL};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execve(program, (char **)(uintptr_t)arguments, (char **)(uintptr_t)variables);
        _exit(126);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77 && strcmp(settings->name, "plain") == 0)
        exit(77);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static float *samples_of(const char *name)
{
    size_t bytes = (size_t)UPDATES * AUDIO_STEP * 2 * sizeof(float);
    float *samples = malloc(bytes);
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(samples);
    assert_non_null(file);
    assert_int_equal(fread(samples, 1, bytes, file), bytes);
    fclose(file);
    return samples;
}

static void compare(const char *name)
{
    size_t count = (size_t)UPDATES * AUDIO_STEP * 2;
    float *expected = samples_of("plain"), *found = samples_of(name);
    double level = 0;
    for (size_t i = 0; i < count; i++)
        level += (double)expected[i] * (double)expected[i];
    assert_true(level > 1); /* it is not silent */
    assert_memory_equal(found, expected, count * sizeof *found);
    free(expected);
    free(found);
}

static int make_files(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/cairn-settings-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(mkdir(path_of("home"), 0700), 0);
    assert_int_equal(mkdir(path_of("config"), 0700), 0);
    save("home/.alsoftrc", hostile);
    save("config/alsoft.conf", hostile);
    save("hostile.conf", hostile);
    render(&(Case){.name = "plain"});
    return 0;
}

static int remove_files(void **state)
{
    static const char *const files[] = {"plain",        "of_user",        "of_file",
                                        "of_variables", "home/.alsoftrc", "config/alsoft.conf",
                                        "hostile.conf", "home",           "config"};
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(files); i++)
        remove(path_of(files[i]));
    return rmdir(folder);
}

static void settings_of_the_user_change_nothing(void **state)
{
    char home[512], config[512];
    (void)state;
    snprintf(home, sizeof home, "HOME=%s", path_of("home"));
    snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s", path_of("config"));
    render(&(Case){.name = "of_user", .environment = {home, config}});
    compare("of_user");
}

static void a_file_that_a_variable_names_changes_nothing(void **state)
{
    char file[512];
    (void)state;
    snprintf(file, sizeof file, "ALSOFT_CONF=%s", path_of("hostile.conf"));
    render(&(Case){.name = "of_file", .environment = {"HOME=/nowhere", file}});
    compare("of_file");
}

static void variables_change_nothing(void **state)
{
    (void)state;
    render(&(Case){.name = "of_variables",
                   .environment = {"HOME=/nowhere", "ALSOFT_DEFAULT_REVERB=castlehall",
                                   "__ALSOFT_REVERB_IGNORES_SOUND_SPEED=true",
                                   "__ALSOFT_REVERSE_Z=true", "ALSOFT_LOCAL_PATH=/nowhere"}});
    compare("of_variables");
}

static void the_variables_are_restored(void **state)
{
    (void)state;
    setenv("ALSOFT_CONF", "/nowhere/alsoft.conf", 1);
    unsetenv("ALSOFT_DEFAULT_REVERB");
    Loopback loop = loopback_open(NULL);
    assert_string_equal(getenv("ALSOFT_CONF"), "/nowhere/alsoft.conf");
    assert_null(getenv("ALSOFT_DEFAULT_REVERB"));
    loopback_close(&loop);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[0], "render") == 0) {
        render_into(arguments[1]);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_of_the_user_change_nothing),
        cmocka_unit_test(a_file_that_a_variable_names_changes_nothing),
        cmocka_unit_test(variables_change_nothing),
        cmocka_unit_test(the_variables_are_restored),
    };
    return cmocka_run_group_tests_name("settings of OpenAL", tests, make_files, remove_files);
}
