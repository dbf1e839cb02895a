/*
 * Materials and pipelines with random damage to their text: read or refused, with a line that is in
 * the text, and when refused nothing is changed. The cases come from a seed.
 */
#include "random.h"
#include "render_fixture.h"

enum { ROUNDS = 20000 };

static TestRandom random_numbers = {17};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static const char materials[] =
    "[\n  {\"id\": \"Gold\", \"baseColor\": [1, 0.77, 0.34, 1], \"metallic\": 1, \"roughness\": 0.3},\n"
    "  {\"id\": \"Glass\", \"alphaMode\": \"Blend\", \"doubleSided\": true, \"uvScale\": [2, 2]},\n"
    "  {\"id\": \"Lamp\", \"emissive\": [4, 3, 2], \"unlit\": false, \"normalScale\": -1,\n"
    "   \"alphaCutoff\": 0.25}\n]";
static const char pipelines[] = "[]";

static size_t damage(char *text, size_t size)
{
    static const char letters[] = "0123456789.,-eE[]{}\":\\ \nabcnul";
    for (uint32_t n = 1 + below(3); n > 0 && size > 8; n--) {
        size_t at = below((uint32_t)size - 4);
        switch (below(5)) {
        case 0:
            text[at] = letters[below(sizeof letters - 1)];
            break;
        case 1:
            text[at] = (char)below(256);
            break;
        case 2:
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
            break;
        case 3:
            memmove(text + at, text + below((uint32_t)size - 4), 1 + below(4));
            break;
        default:
            size = below(8) ? size : at + 1;
            break;
        }
    }
    return size;
}

static int lines_of(CnText text)
{
    int lines = 1;
    for (size_t i = 0; i < text.size; i++)
        lines += text.data[i] == '\n';
    return lines;
}

static void damaged_materials_are_read_or_refused(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    uint32_t taken = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        char copy[sizeof materials];
        memcpy(copy, materials, sizeof copy);
        size_t size = damage(copy, sizeof copy - 1);
        char *exact = cn_alloc(NULL, size);
        memcpy(exact, copy, size);
        CnText text = {exact, size};
        CnError error = {0};
        uint32_t before = cn_renderer_stats(fixture.renderer).materials;
        bool read = cn_materials_read(fixture.renderer, "fuzz", text, cn_text(pipelines), &error);
        assert_true(read == (error.code == CN_OK));
        if (!read) {
            assert_in_range(error.line, 0, lines_of(text));
            assert_int_equal(cn_renderer_stats(fixture.renderer).materials, before);
        }
        if (cn_renderer_stats(fixture.renderer).materials > CN_MAX_MATERIALS / 2) {
            render_fixture_fini(&fixture);
            assert_true(render_fixture_init(&fixture, RENDER_NULL));
        }
        taken += read;
        cn_free(NULL, exact, size);
    }
    assert_in_range(taken, ROUNDS / 50, ROUNDS - ROUNDS / 50);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_materials_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
