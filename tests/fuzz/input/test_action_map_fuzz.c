/* Damaged files of bindings: each gives an error with its position and changes nothing, or is read
 * as a whole and can be written and read again as the same. The cases come from a seed, so every
 * run tests the same ones. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/input.h>

enum { CASES = 40000, MAX_BYTES = 4096 };

static const CnActionDesc descs[] = {
    {.name = "jump"},
    {.name = "rise", .kind = CN_ACTION_AXIS},
    {.name = "move", .kind = CN_ACTION_AXIS2},
    {.name = "look", .kind = CN_ACTION_AXIS2, .relative = true},
};

static const char *const seeds[] = {
    "{\n  \"version\": 1,\n  \"gamepad\": \"first\",\n  \"actions\": {\n"
    "    \"jump\": [\"Space\", \"GamepadA\", {\"control\": \"GamepadRightTrigger\", \"deadZone\": "
    "0.3}],\n"
    "    \"rise\": [{\"control\": \"E\", \"negative\": \"Q\"}, {\"control\": \"GamepadLeftY\", "
    "\"scale\": -1, \"deadZone\": 0}],\n"
    "    \"move\": {\"x\": [{\"control\": \"D\", \"negative\": \"A\"}, \"GamepadLeftX\"], \"y\": "
    "[\"Key127\"]},\n"
    "    \"look\": {\"x\": [\"MouseX\", \"WheelX\"], \"y\": [{\"control\": \"MouseY\", \"scale\": "
    "-0.25}]}\n  }\n}\n",
    "{\"version\": 1, \"gamepad\": 3, \"actions\": {\"look\": {\"y\": [], \"x\": []}}}",
    "{\"version\": 1}",
};

static const char *const tokens[] = {"\"jump\"",
                                     "\"rise\"",
                                     "\"move\"",
                                     "\"look\"",
                                     "\"x\"",
                                     "\"control\"",
                                     "\"negative\"",
                                     "\"scale\"",
                                     "\"deadZone\"",
                                     "\"Space\"",
                                     "\"W\"",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     ",",
                                     ":",
                                     "0",
                                     "-1",
                                     "0.5",
                                     "1e30",
                                     "1e999",
                                     "-0.0",
                                     "null",
                                     "true",
                                     "\"\"",
                                     "\"\\u0000\"",
                                     "\"\xff\"",
                                     "\"MouseY\"",
                                     "\"GamepadA\"",
                                     "\"first\"",
                                     "99999999999999999999"};

typedef struct Mutant {
    char bytes[MAX_BYTES];
    uint32_t size;
} Mutant;

static void insert(Mutant *mutant, uint32_t at, const char *text, uint32_t size)
{
    if (mutant->size + size > MAX_BYTES)
        return;
    memmove(mutant->bytes + at + size, mutant->bytes + at, mutant->size - at);
    memcpy(mutant->bytes + at, text, size);
    mutant->size += size;
}

static void erase(Mutant *mutant, uint32_t at, uint32_t size)
{
    memmove(mutant->bytes + at, mutant->bytes + at + size, mutant->size - at - size);
    mutant->size -= size;
}

/* Returns the size of the token at `at`: a string, a number or word, or one sign. */
static uint32_t token_size(const Mutant *mutant, uint32_t at)
{
    static const char signs[] = "{}[],: \n\"";
    uint32_t end = at + 1;
    if (mutant->bytes[at] == '"') {
        while (end < mutant->size && mutant->bytes[end] != '"')
            end++;
        return (end < mutant->size ? end + 1 : end) - at;
    }
    if (!strchr(signs, mutant->bytes[at]))
        while (end < mutant->size && !strchr(signs, mutant->bytes[end]))
            end++;
    return end - at;
}

static void mutate(Mutant *mutant, TestRandom *random)
{
    if (!mutant->size)
        return;
    uint32_t at = test_random_below(random, mutant->size), size = token_size(mutant, at);
    const char *token = tokens[test_random_below(random, CN_COUNT_OF(tokens))];
    char copy[64];
    switch (test_random_below(random, 5)) {
    case 0:
        mutant->bytes[at] = (char)(mutant->bytes[at] ^ 1 << test_random_below(random, 8));
        break;
    case 1:
        erase(mutant, at, size);
        break;
    case 2:
        size = size < sizeof copy ? size : sizeof copy;
        memcpy(copy, mutant->bytes + at, size);
        insert(mutant, at, copy, size);
        break;
    case 3:
        insert(mutant, at, token, (uint32_t)strlen(token));
        break;
    default:
        erase(mutant, at, size);
        insert(mutant, at, token, (uint32_t)strlen(token));
        break;
    }
}

static void write_map(const CnActionMap *map, CnTextBuilder *text)
{
    cn_array_init(text, NULL);
    assert_true(cn_action_map_write_text(map, text, NULL));
}

/* Returns whether the text was accepted. */
static bool try_text(CnActionMap *map, CnText text)
{
    CnTextBuilder before, after, again;
    CnError error = {0};
    write_map(map, &before);
    bool accepted = cn_action_map_read_text(map, "fuzz.json", text, &error);
    write_map(map, &after);
    if (accepted) {
        assert_true(cn_action_list_check(cn_action_map_actions(map), NULL));
        assert_true(cn_action_map_read_text(map, "again.json", cn_text(after.items), NULL));
        write_map(map, &again);
        assert_string_equal(after.items, again.items);
        cn_array_fini(&again);
    } else {
        assert_string_equal(before.items, after.items);
        assert_true(error.code != CN_OK && error.message[0]);
        assert_string_equal(error.file, "fuzz.json");
        assert_true(error.line > 0 && error.column > 0);
    }
    cn_array_fini(&before);
    cn_array_fini(&after);
    return accepted;
}

static void damaged_files_are_refused_or_read_as_a_whole(void **state)
{
    (void)state;
    TestRandom random = {17};
    uint32_t accepted = 0;
    CnActionMap *map =
        cn_action_map_create(&(CnActionMapDesc){.lists = {{descs, CN_COUNT_OF(descs)}}}, NULL);
    for (uint32_t i = 0; i < CASES; i++) {
        Mutant mutant;
        const char *seed = seeds[i % CN_COUNT_OF(seeds)];
        mutant.size = (uint32_t)strlen(seed);
        memcpy(mutant.bytes, seed, mutant.size);
        for (uint32_t n = test_random_below(&random, 4); n; n--)
            mutate(&mutant, &random);
        /* A block of its own size, so that sanitizers see every read beyond its end. */
        char *exact = cn_alloc(NULL, mutant.size + 1);
        memcpy(exact, mutant.bytes, mutant.size);
        exact = cn_realloc(NULL, exact, mutant.size + 1, mutant.size ? mutant.size : 1);
        accepted += try_text(map, (CnText){exact, mutant.size});
        cn_free(NULL, exact, mutant.size ? mutant.size : 1);
    }
    assert_true(accepted > CASES / 10 && accepted < CASES);
    cn_action_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_refused_or_read_as_a_whole),
    };
    return cmocka_run_group_tests_name("action_map_fuzz", tests, NULL, NULL);
}
