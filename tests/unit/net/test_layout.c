/* Layouts: what descriptions become, how exact values are, and what is refused. */
#include "cmocka_tests.h"

#include "net/layout_internal.h"
#include "random.h"

#include <cairn/base/linear.h>

CN_STRUCT(Pair, (u8, a), (i16, b));
CN_COMPONENT(All, (f32, f), (f64, d), (i8, i), (u64, u), (bool, yes), (bool, flags, 3),
             (entity, other), (vec2, v2), (vec3, v3), (vec4, v4), (quat, q), (mat4, m),
             (text, name, 10), (struct, Pair, pairs, 2));
CN_COMPONENT(Pose, (vec3, place), (f64, exact_place, 3), (f32, degrees), (f64, radians),
             (quat, rotation), (f32, speed));
CN_COMPONENT(Huge, (u32, numbers, 3000));
typedef struct Secret {
    int value;
} Secret;
CN_OPAQUE(Secret);
CN_TAG(Marked);

static CnWorld *world;
static CnNetLayout *layout;
static CnError error;

static int make_world(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    error = (CnError){0};
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_net_layout_destroy(layout);
    cn_world_destroy(world);
    layout = NULL;
    return 0;
}

static const CniNetLayoutComponent *make(const CnType *type, const CnNetField *fields,
                                         uint32_t count)
{
    const CnNetComponent component = {.type = type, .fields = fields, .field_count = count};
    layout = cn_net_layout_create(world, &(CnNetLayoutDesc){&component, 1, NULL}, &error);
    return layout ? &layout->components[1] : NULL;
}

static uint64_t hash_of(const CnType *type, const CnNetField *fields, uint32_t count)
{
    assert_non_null(make(type, fields, count));
    const uint64_t hash = cn_net_layout_hash(layout);
    cn_net_layout_destroy(layout);
    layout = NULL;
    return hash;
}

/* ---- Values ---- */

static void all_types_are_exact_by_default(void **state)
{
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_All, NULL, 0);
    assert_non_null(component);
    All in = {.f = -1.25f,
              .d = 1e300,
              .i = -5,
              .u = UINT64_MAX - 3,
              .yes = true,
              .flags = {true, false, true},
              .v2 = {1, 2},
              .v3 = {3, 4, 5},
              .v4 = {6, 7, 8, 9},
              .q = {0.5f, 0.5f, 0.5f, 0.5f},
              .m = {{1, 2, 3}},
              .name = "Gr\xc3\xbc\xc3\x9f",
              .pairs = {{1, -2}, {3, -4}}};
    All out;
    uint32_t words[CN_NET_MAX_WORDS] = {0};
    cni_net_quantize(component, &in, words, NULL);
    memset(&out, 0, sizeof out);
    cni_net_dequantize(component, words, &out, NULL);
    assert_true(out.f == in.f && out.d == in.d && out.i == in.i && out.u == in.u);
    assert_true(out.yes && out.flags[0] && !out.flags[1] && out.flags[2]);
    assert_memory_equal(&out.v2, &in.v2, sizeof in.v2);
    assert_memory_equal(&out.v3, &in.v3, sizeof in.v3);
    assert_memory_equal(&out.v4, &in.v4, sizeof in.v4);
    assert_memory_equal(&out.q, &in.q, sizeof in.q);
    assert_memory_equal(&out.m, &in.m, sizeof in.m);
    assert_string_equal(out.name, in.name);
    assert_int_equal(out.pairs[0].b, -2);
    assert_int_equal(out.pairs[1].a, 3);
}

static const CnNetField pose_fields[] = {
    {.name = "place", .encoding = CN_NET_POSITION},
    {.name = "exact_place", .encoding = CN_NET_STEPS, .step = 0.001},
    {.name = "degrees", .encoding = CN_NET_DEGREES},
    {.name = "radians", .encoding = CN_NET_RADIANS, .bits = 8},
    {.name = "rotation", .encoding = CN_NET_ROTATION},
    {.name = "speed"},
};

static Pose through(const CniNetLayoutComponent *component, Pose in)
{
    uint32_t words[64] = {0};
    Pose out = {0};
    cni_net_quantize(component, &in, words, NULL);
    cni_net_dequantize(component, words, &out, NULL);
    return out;
}

static void rounding_errors_are_at_most_half_a_step(void **state)
{
    TestRandom random = {1};
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_Pose, pose_fields, 6);
    assert_non_null(component);
    for (uint32_t i = 0; i < 2000; i++) {
        const float x = (float)(test_random_unit(&random) * 2000 - 1000);
        const Pose in = {.place = {x, -x, x / 3},
                         .exact_place = {x, x / 7, -x},
                         .degrees = x,
                         .radians = x / 300,
                         .rotation = cn_quat_from_euler(cn_vec3(x, x * 3, x * 7)),
                         .speed = x};
        const Pose out = through(component, in);
        assert_true(cn_fabsf(out.place.z - in.place.z) <= 0x1p-9f);
        assert_true(cn_fabs(out.exact_place[1] - in.exact_place[1]) <= 0.00051);
        const float turn = cn_fmodf(out.degrees - in.degrees + 3600, 360);
        assert_true(turn < 0.003f || turn > 359.997f);
        assert_true(out.degrees >= -180 && out.degrees < 180);
        assert_true(cn_fabs(out.radians - in.radians) <= CN_PI / 256 + 1e-6 ||
                    cn_fabs(in.radians) > CN_PI - 0.02);
        const CnQuat a = in.rotation, b = out.rotation;
        assert_true(cn_fabsf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) > 0.99999f);
        assert_true(out.speed == in.speed);
    }
}

static void rounded_values_stay_when_rounded_again(void **state)
{
    TestRandom random = {2};
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_Pose, pose_fields, 6);
    assert_non_null(component);
    for (uint32_t i = 0; i < 500; i++) {
        const float x = (float)(test_random_unit(&random) * 600 - 300);
        const Pose once =
            through(component, (Pose){.place = {x, x, -x}, .degrees = x, .rotation = {0, 0, 0, 1}});
        const Pose twice = through(component, once);
        assert_memory_equal(&once.place, &twice.place, sizeof once.place);
        assert_true(once.degrees == twice.degrees);
    }
}

static void numbers_beyond_the_range_are_clamped(void **state)
{
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_Pose, pose_fields, 6);
    const Pose out = through(component, (Pose){.place = {1e30f, -1e30f, CN_NANF},
                                               .degrees = 1e38f,
                                               .radians = CN_NAN,
                                               .rotation = {CN_NANF, 0, 0, 0}});
    assert_true(out.place.x > 8.3e6f && out.place.y < -8.3e6f);
    assert_true(out.place.z == 0 && out.radians == 0);
    assert_true(out.degrees >= -180 && out.degrees <= 180);
    assert_true(out.rotation.w > 0.99f);
}

static void numbers_from_outside_that_are_not_finite_become_zero(void **state)
{
    static const CnNetField fields[] = {{.name = "f"}, {.name = "d"}};
    const uint32_t words[] = {0x7f800000u, 0, 0x7ff80000u};
    All out = {.f = 1, .d = 1};
    (void)state;
    cni_net_dequantize(make(&cn_type_All, fields, 2), words, &out, NULL);
    assert_true(out.f == 0 && out.d == 0);
}

static void texts_are_sent_as_far_as_they_are_valid(void **state)
{
    static const CnNetField fields[] = {{.name = "name"}};
    uint32_t words[3];
    All in = {.name = "ab\xff"
                      "cd"},
        out = {0};
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_All, fields, 1);
    cni_net_quantize(component, &in, words, NULL);
    cni_net_dequantize(component, words, &out, NULL);
    assert_string_equal(out.name, "ab");
    memset(in.name, 'x', sizeof in.name); /* not terminated */
    cni_net_quantize(component, &in, words, NULL);
    cni_net_dequantize(component, words, &out, NULL);
    assert_string_equal(out.name, "xxxxxxxxx");
}

static void other_fields_keep_their_values(void **state)
{
    static const CnNetField fields[] = {{.name = "f"}};
    const uint32_t words[] = {0};
    All out = {.f = 3, .d = 4, .name = "n"};
    (void)state;
    cni_net_dequantize(make(&cn_type_All, fields, 1), words, &out, NULL);
    assert_true(out.f == 0 && out.d == 4 && out.name[0] == 'n');
}

/* ---- Bits ---- */

static void differences_are_read_as_written(void **state)
{
    TestRandom random = {3};
    uint8_t bytes[4096];
    uint32_t words[512] = {0}, base[512] = {0}, read[512];
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_All, NULL, 0);
    const uint32_t max_bits = cni_net_max_bits(component);
    for (uint32_t i = 0; i < 3000; i++) {
        All value = {.name = ""};
        cni_net_quantize(component, &value, words, NULL);
        for (uint32_t w = 0; w < component->word_count - 6; w++)
            if (test_random_chance(&random, 30))
                words[w] =
                    (uint32_t)test_random(&random) & UINT32_MAX >> (32 - component->widths[w]);
        CnNetBitWriter writer;
        CnNetBitReader reader;
        if (!memcmp(words, base, component->word_count * sizeof *words))
            continue;
        /* Texts must be valid, so this one comes from a value. */
        cn_format(value.name, sizeof value.name, "%u", test_random_below(&random, 1000));
        memcpy(words + component->fields[12].first_word, value.name, sizeof value.name);
        cn_net_bit_writer_init(&writer, bytes, sizeof bytes);
        cni_net_write_words(&writer, component, words, base);
        assert_true(cn_net_bits_written(&writer) <= max_bits);
        cn_net_bit_reader_init(&reader, bytes, cn_net_bit_writer_finish(&writer));
        memcpy(read, base, sizeof read);
        cni_net_read_words(&reader, component, read);
        assert_true(cn_net_bit_reader_finish(&reader));
        assert_memory_equal(read, words, component->word_count * sizeof *words);
        memcpy(base, words, sizeof base);
    }
}

static void numbers_that_are_read_are_within_their_width(void **state)
{
    TestRandom random = {4};
    (void)state;
    const CniNetLayoutComponent *component = make(&cn_type_Pose, pose_fields, 6);
    for (uint32_t i = 0; i < 2000; i++) {
        uint8_t bytes[64];
        uint32_t words[64] = {0};
        CnNetBitReader reader;
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)test_random(&random);
        cn_net_bit_reader_init(&reader, bytes, sizeof bytes);
        cni_net_read_words(&reader, component, words);
        for (uint32_t w = 0; w < component->word_count; w++)
            assert_true(((uint64_t)words[w] >> component->widths[w]) == 0);
    }
}

/* ---- What is refused ---- */

static void assert_refused(const CnType *type, CnNetField field, const char *part)
{
    error = (CnError){0};
    assert_null(make(type, &field, 1));
    if (!strstr(error.message, part))
        print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, part));
}

static void fields_must_exist_and_suit_their_encoding(void **state)
{
    (void)state;
    assert_refused(&cn_type_Pose, (CnNetField){.name = "color"}, "no field \"color\"");
    assert_refused(&cn_type_Pose, (CnNetField){.name = "rotation", .encoding = CN_NET_DEGREES},
                   "cannot be degrees");
    assert_refused(&cn_type_Pose, (CnNetField){.name = "speed", .encoding = CN_NET_POSITION},
                   "cannot be position");
    assert_refused(&cn_type_Pose, (CnNetField){.name = "speed", .encoding = CN_NET_ROTATION},
                   "cannot be rotation");
    assert_refused(&cn_type_All, (CnNetField){.name = "u", .interpolate = true}, "interpolated");
    assert_refused(&cn_type_Pose,
                   (CnNetField){.name = "degrees", .encoding = CN_NET_DEGREES, .bits = 20}, "bits");
    assert_refused(&cn_type_Pose,
                   (CnNetField){.name = "speed", .encoding = CN_NET_STEPS, .step = -1}, "step");
}

static void second_position_is_refused(void **state)
{
    static const CnNetField fields[] = {{.name = "place", .encoding = CN_NET_POSITION},
                                        {.name = "exact_place", .encoding = CN_NET_POSITION}};
    (void)state;
    assert_null(make(&cn_type_Pose, fields, 2));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void opaque_components_are_refused(void **state)
{
    (void)state;
    assert_null(make(&cn_type_Secret, NULL, 0));
    assert_non_null(strstr(error.message, "opaque"));
}

static void components_with_too_many_numbers_are_refused(void **state)
{
    (void)state;
    assert_null(make(&cn_type_Huge, NULL, 0));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void the_same_component_twice_is_refused(void **state)
{
    static const CnNetComponent components[] = {{.type = &cn_type_Marked},
                                                {.type = &cn_type_Marked}};
    (void)state;
    assert_null(cn_net_layout_create(world, &(CnNetLayoutDesc){components, 2, NULL}, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void hash_depends_on_what_is_sent_and_how(void **state)
{
    static const CnNetField fine = {.name = "degrees", .encoding = CN_NET_DEGREES, .bits = 16};
    static const CnNetField coarse = {.name = "degrees", .encoding = CN_NET_DEGREES, .bits = 8};
    (void)state;
    assert_true(hash_of(&cn_type_Pose, &fine, 1) == hash_of(&cn_type_Pose, &fine, 1));
    assert_true(hash_of(&cn_type_Pose, &fine, 1) != hash_of(&cn_type_Pose, &coarse, 1));
    assert_true(hash_of(&cn_type_Pose, NULL, 0) != hash_of(&cn_type_All, NULL, 0));
}

static void hash_depends_on_defaults(void **state)
{
    (void)state;
    const uint64_t hash = hash_of(&cn_type_Pose, NULL, 0);
    cn_register(world, Pose, .default_value = &(Pose){.speed = 1});
    assert_true(hash_of(&cn_type_Pose, NULL, 0) != hash);
}

#define LAYOUT_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAYOUT_TEST(all_types_are_exact_by_default),
        LAYOUT_TEST(rounding_errors_are_at_most_half_a_step),
        LAYOUT_TEST(rounded_values_stay_when_rounded_again),
        LAYOUT_TEST(numbers_beyond_the_range_are_clamped),
        LAYOUT_TEST(numbers_from_outside_that_are_not_finite_become_zero),
        LAYOUT_TEST(texts_are_sent_as_far_as_they_are_valid),
        LAYOUT_TEST(other_fields_keep_their_values),
        LAYOUT_TEST(differences_are_read_as_written),
        LAYOUT_TEST(numbers_that_are_read_are_within_their_width),
        LAYOUT_TEST(fields_must_exist_and_suit_their_encoding),
        LAYOUT_TEST(second_position_is_refused),
        LAYOUT_TEST(opaque_components_are_refused),
        LAYOUT_TEST(components_with_too_many_numbers_are_refused),
        LAYOUT_TEST(the_same_component_twice_is_refused),
        LAYOUT_TEST(hash_depends_on_what_is_sent_and_how),
        LAYOUT_TEST(hash_depends_on_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
