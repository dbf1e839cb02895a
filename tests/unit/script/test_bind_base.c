/* Vectors, mathematics, order, random numbers, log and input of scripts. */
#include "script_checks.h"

#include <cairn/base/log.h>

static int lines;
static char last_line[256];
static CnLogLevel last_level;

static void note_line(const CnLogRecord *record, void *user)
{
    (void)user;
    lines++;
    cn_copy_text(last_line, sizeof last_line, cn_text(record->message));
    last_level = record->level;
}

static void vectors_compute_part_by_part(void **state)
{
    (void)state;
    check(
        "local a, b = Vec3(1, 2, 3), Vec3(4, 5, 6) return a + b, b - a, a * b, a * 2, 2 * a, b / 2, -a",
        "Vec3(5, 7, 9)\tVec3(3, 3, 3)\tVec3(4, 10, 18)\tVec3(2, 4, 6)\tVec3(2, 4, 6)\tVec3(2, 2.5, 3)\t"
        "Vec3(-1, -2, -3)");
}

static void vectors_have_methods(void **state)
{
    (void)state;
    check(
        "local a, b = Vec3(1, 0, 0), Vec3(0, 1, 0) return a:dot(b), a:cross(b), Vec3(3, 4, 0):length(), "
        "Vec3(0, 5, 0):normalized(), Vec3():normalized(), a:lerp(b, .5), a:distance(Vec3(4, 4, 0)), "
        "Vec2(3, 4):length(), Vec4(1, 1, 1, 1):dot(Vec4(1, 2, 3, 4))",
        "0\tVec3(0, 0, 1)\t5\tVec3(0, 1, 0)\tVec3(0, 0, 0)\tVec3(0.5, 0.5, 0)\t5\t5\t10");
}

static void vectors_are_equal_by_value(void **state)
{
    (void)state;
    check(
        "return Vec3(1, 2, 3) == Vec3(1, 2, 3), Vec3(1, 2, 3) == Vec3(1, 2, 4), Vec3() == Vec2(), "
        "Quat() == Quat(0, 0, 0, 1)",
        "true\tfalse\tfalse\ttrue");
}

static void parts_of_vectors_are_written(void **state)
{
    (void)state;
    check("local v = Vec4(1, 2, 3, 4) v.w = 9 v.x = v.y return v", "Vec4(2, 2, 3, 9)");
    check_error("Vec3().x = 'a'", "'x' must be a number, not string");
    check_error("Vec3().w = 1", "Vec3 has no 'w'");
    check_error("return Vec3().legnth", "did you mean 'length'?");
}

static void vectors_refuse_what_is_none(void **state)
{
    (void)state;
    check_error("return Vec3(1, 2, 3) + 1", "Vec3 expected, got number");
    check_error("return Vec3(1, 2, 3) + Vec2(1, 2)", "Vec3 expected, got Vec2");
    check_error("return Vec3(1, 2, 3) * 'x'", "Vec3 expected, got string");
    check_error("return Vec3(1, 2)", "number expected");
    check_error("return Vec3(1, 2, {})", "number expected");
    check_error("return Vec3.dot", "attempt to index");
    check_error("return Vec3().dot(5, Vec3())", "Vec3 expected, got number");
    check_error("return Vec3().dot(5, 6)", "vector expected, got number");
}

static void rotations_turn_vectors(void **state)
{
    (void)state;
    check("local q = quatFromAxis(Vec3(0, 1, 0), 90) local v = q * Vec3(0, 0, -1) "
          "local b = (q * q:inverse()) return math.floor(v.x + .5), math.floor(b.w + .5), "
          "math.floor(q:toEuler().y + .5), quatFromEuler(Vec3()), quatLook(Vec3(0, 0, -1)), "
          "Quat():slerp(Quat(), .5), Quat(0, 0, 0, 2):normalized()",
          "-1\t1\t90\tQuat(0, 0, 0, 1)\tQuat(0, 0, 0, 1)\tQuat(0, 0, 0, 1)\tQuat(0, 0, 0, 1)");
}

static void pairs_goes_in_order(void **state)
{
    (void)state;
    check(
        "local s = '' for k, v in pairs{z = 1, a = 2, [3] = 1, [1] = 2, [true] = 5, [-1] = 0, [2.5] = 6, "
        "ab = 1, [false] = 1, B = 2} do s = s .. tostring(k) .. ' ' end return s",
        "-1 1 2.5 3 B a ab z false true ");
    check(
        "local s, t = '', {} for i = 1, 100 do t['k' .. i % 37] = i end for k in pairs(t) do s = s .. k end "
        "return s:sub(1, 12)",
        "k0k1k10k11k1");
}

static void pairs_takes_objects_as_keys_and_refuses_others(void **state)
{
    (void)state;
    check("local s = '' for k in pairs{[getObject('Car/Door')] = 1, [getObject('Car')] = 2} do "
          "s = s .. k.name end return s",
          "CarDoor");
    check_error("pairs{[{}] = 1}", "a key is a table");
    check_error("pairs{[print] = 1}", "a key is a function");
    check_error("pairs(5)", "table expected");
}

static void entries_may_go_while_pairs_walks(void **state)
{
    (void)state;
    check(
        "local t, s = {a = 1, b = 2, c = 3}, '' for k in pairs(t) do s = s .. k t.b = nil end return s",
        "ac");
}

static void next_is_in_the_order_of_pairs(void **state)
{
    (void)state;
    check(
        "local t = {b = 1, a = 2, [7] = 3} return next(t), next(t, 7), next(t, 'a'), next(t, 'b')",
        "7\ta\tb\tnil");
    check("return next{}", "nil");
}

static void random_numbers_are_those_of_the_simulation(void **state)
{
    (void)state;
    CnComponent stream = cn_random_stream(w.world, "script", NULL);
    CnRandom copy = *cn_random_of(w.world, stream);
    if (w.desc.sandboxed) /* each owner has a stream of its own */
        copy = cn_random_fork(copy.key, cn_hash_bytes("console", 7, 0), 0);
    char expected[64];
    cn_format(expected, sizeof expected, "%.14g", cn_random_f64(&copy));
    check("return random()", expected);
    cn_format(expected, sizeof expected, "%lld", (long long)cn_random_range(&copy, 1, 6));
    check("return math.random(6)", expected);
    cn_format(expected, sizeof expected, "%lld", (long long)cn_random_range(&copy, -5, 5));
    check("return random(-5, 5)", expected);
    assert_int_equal(cn_random_of(w.world, stream)->counter, w.desc.sandboxed ? 0 : copy.counter);
}

static void random_checks_what_it_gets(void **state)
{
    (void)state;
    check_error("random(0)", "no number between");
    check_error("random(5, 1)", "no number between");
    check_error("random(1.5)", "integer expected");
    check_error("random(0/0)", "integer expected");
    check_error("random('x')", "number expected");
    check_error("math.randomseed(1)", "belongs to the simulation");
}

static void the_body_of_a_script_cannot_draw(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Hasty", "n = random()");
    script_tick(&w, 1);
    check_failed(object, "do this in on_init");
}

static void mathematics_is_that_of_the_engine(void **state)
{
    (void)state;
    char expected[128];
    cn_format(expected, sizeof expected, "%.17g\t%.17g\t%.17g", cn_sin(1e6), cn_pow(1.1, 7.3),
              cn_atan2(-1, -2));
    check(
        "local f = string.format return f('%.17g', math.sin(1e6)), f('%.17g', math.pow(1.1, 7.3)), "
        "f('%.17g', math.atan2(-1, -2))",
        expected);
    check("return math.log(8, 2), math.log10(1000), math.tanh(0), math.cosh(0), math.sinh(0), "
          "math.fmod(-7, 3), math.floor(2.5), math.max(1, 2), math.sqrt(16), math.exp(0)",
          "3\t3\t0\t1\t0\t-1\t2\t2\t4\t1");
    check_error("math.sin('x')", "number expected");
}

static void time_is_that_of_the_simulation(void **state)
{
    (void)state;
    CnEntity object = check_script(
        "function on_update() this.name = time.tick .. ' ' .. "
        "math.floor(time.elapsed * 60 + .5) .. ' ' .. math.floor(1 / time.dt + .5) end",
        4);
    assert_string_equal(cn_object_name(w.world, object), "3 3 60");
    check_error("time.tick = 5", "time.tick is read-only");
}

static void keys_and_buttons_are_read_by_name(void **state)
{
    (void)state;
    CnInputSource input = cn_sim_input(w.sim);
    cn_input_key(input, CN_KEY_W, true);
    cn_input_mouse_button(input, CN_MOUSE_RIGHT, true);
    cn_input_mouse_move(input, 10, 20, 1, -2);
    cn_input_wheel(input, 0, 3);
    cn_input_text(input, "hi");
    cn_input_gamepad_connected(input, 1, true);
    cn_input_gamepad_button(input, 1, CN_GAMEPAD_A, true);
    cn_input_gamepad_axis(input, 1, CN_GAMEPAD_LEFT_X, .5f);
    script_tick(&w, 1);
    check("return input.key('W'), input.pressed('W'), input.released('W'), input.key('S'), "
          "input.key('MouseRight'), input.key('GamepadA'), input.key('GamepadA', 2), "
          "input.axis('LeftX', 2), input.gamepad(2), input.gamepad(), input.text",
          "true\ttrue\tfalse\tfalse\ttrue\tfalse\ttrue\t0.5\ttrue\tfalse\thi");
    check("return input.mouse()", "10\t20\t1\t-2");
    check("return input.wheel()", "0\t3");
    cn_input_key(input, CN_KEY_W, false);
    script_tick(&w, 1);
    check("return input.key('W'), input.pressed('W'), input.released('W')", "false\tfalse\ttrue");
}

static void unknown_names_of_input_are_errors_with_a_suggestion(void **state)
{
    (void)state;
    check_error("input.key('Spce')", "did you mean 'Space'?");
    check_error("input.pressed('mouseleft')", "did you mean 'MouseLeft'?");
    check_error("input.axis('LeftZ')", "no axis named 'LeftZ'");
    check_error("input.key(5)", "string expected");
    check_error("input.key('W', 5)", "gamepads are numbered 1 to 4");
    check_error("input.key = 1", "input.key is read-only");
    check_error("input.foo = 1", "input has no 'foo'");
}

static void a_line_in_the_log_has_script_and_line(void **state)
{
    (void)state;
    lines = 0;
    int sink = cn_log_add_sink(&(CnLogSink){.write = note_line, .level = CN_LOG_LEVEL_DEBUG});
    check("log('a', 1, nil, Vec3(1, 2, 3))\nlog.warning('b\27')", "");
    cn_log_remove_sink(sink);
    assert_int_equal(lines, 2);
    assert_string_equal(last_line, "test:2: b?");
    assert_int_equal(last_level, CN_LOG_LEVEL_WARNING);
}

static void a_flood_of_lines_is_cut(void **state)
{
    (void)state;
    lines = 0;
    int sink = cn_log_add_sink(&(CnLogSink){.write = note_line, .level = CN_LOG_LEVEL_DEBUG});
    check("for i = 1, 1000 do print(i) end", "");
    cn_log_remove_sink(sink);
    assert_int_equal(lines, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(vectors_compute_part_by_part),
        BOTH(vectors_have_methods),
        BOTH(vectors_are_equal_by_value),
        BOTH(parts_of_vectors_are_written),
        BOTH(vectors_refuse_what_is_none),
        BOTH(rotations_turn_vectors),
        BOTH(pairs_goes_in_order),
        BOTH(pairs_takes_objects_as_keys_and_refuses_others),
        BOTH(entries_may_go_while_pairs_walks),
        BOTH(next_is_in_the_order_of_pairs),
        BOTH(random_numbers_are_those_of_the_simulation),
        BOTH(random_checks_what_it_gets),
        BOTH(the_body_of_a_script_cannot_draw),
        BOTH(mathematics_is_that_of_the_engine),
        BOTH(time_is_that_of_the_simulation),
        BOTH(keys_and_buttons_are_read_by_name),
        BOTH(unknown_names_of_input_are_errors_with_a_suggestion),
        BOTH(a_line_in_the_log_has_script_and_line),
        BOTH(a_flood_of_lines_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
