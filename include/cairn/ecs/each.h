/* CNI_EACH(macro, context, a, b, ...) expands to macro(context, a) macro(context, b) ..., for up to
 * 32 items. CNI_PICK removes the parentheses of a tuple. */
#ifndef CAIRN_ECS_EACH_H
#define CAIRN_ECS_EACH_H

#pragma GCC system_header /* see describe.h */

#define CNI_PICK(...) __VA_ARGS__

#define CNI_EACH_1(m, x, a) m(x, a)
#define CNI_EACH_2(m, x, a, ...) m(x, a) CNI_EACH_1(m, x, __VA_ARGS__)
#define CNI_EACH_3(m, x, a, ...) m(x, a) CNI_EACH_2(m, x, __VA_ARGS__)
#define CNI_EACH_4(m, x, a, ...) m(x, a) CNI_EACH_3(m, x, __VA_ARGS__)
#define CNI_EACH_5(m, x, a, ...) m(x, a) CNI_EACH_4(m, x, __VA_ARGS__)
#define CNI_EACH_6(m, x, a, ...) m(x, a) CNI_EACH_5(m, x, __VA_ARGS__)
#define CNI_EACH_7(m, x, a, ...) m(x, a) CNI_EACH_6(m, x, __VA_ARGS__)
#define CNI_EACH_8(m, x, a, ...) m(x, a) CNI_EACH_7(m, x, __VA_ARGS__)
#define CNI_EACH_9(m, x, a, ...) m(x, a) CNI_EACH_8(m, x, __VA_ARGS__)
#define CNI_EACH_10(m, x, a, ...) m(x, a) CNI_EACH_9(m, x, __VA_ARGS__)
#define CNI_EACH_11(m, x, a, ...) m(x, a) CNI_EACH_10(m, x, __VA_ARGS__)
#define CNI_EACH_12(m, x, a, ...) m(x, a) CNI_EACH_11(m, x, __VA_ARGS__)
#define CNI_EACH_13(m, x, a, ...) m(x, a) CNI_EACH_12(m, x, __VA_ARGS__)
#define CNI_EACH_14(m, x, a, ...) m(x, a) CNI_EACH_13(m, x, __VA_ARGS__)
#define CNI_EACH_15(m, x, a, ...) m(x, a) CNI_EACH_14(m, x, __VA_ARGS__)
#define CNI_EACH_16(m, x, a, ...) m(x, a) CNI_EACH_15(m, x, __VA_ARGS__)
#define CNI_EACH_17(m, x, a, ...) m(x, a) CNI_EACH_16(m, x, __VA_ARGS__)
#define CNI_EACH_18(m, x, a, ...) m(x, a) CNI_EACH_17(m, x, __VA_ARGS__)
#define CNI_EACH_19(m, x, a, ...) m(x, a) CNI_EACH_18(m, x, __VA_ARGS__)
#define CNI_EACH_20(m, x, a, ...) m(x, a) CNI_EACH_19(m, x, __VA_ARGS__)
#define CNI_EACH_21(m, x, a, ...) m(x, a) CNI_EACH_20(m, x, __VA_ARGS__)
#define CNI_EACH_22(m, x, a, ...) m(x, a) CNI_EACH_21(m, x, __VA_ARGS__)
#define CNI_EACH_23(m, x, a, ...) m(x, a) CNI_EACH_22(m, x, __VA_ARGS__)
#define CNI_EACH_24(m, x, a, ...) m(x, a) CNI_EACH_23(m, x, __VA_ARGS__)
#define CNI_EACH_25(m, x, a, ...) m(x, a) CNI_EACH_24(m, x, __VA_ARGS__)
#define CNI_EACH_26(m, x, a, ...) m(x, a) CNI_EACH_25(m, x, __VA_ARGS__)
#define CNI_EACH_27(m, x, a, ...) m(x, a) CNI_EACH_26(m, x, __VA_ARGS__)
#define CNI_EACH_28(m, x, a, ...) m(x, a) CNI_EACH_27(m, x, __VA_ARGS__)
#define CNI_EACH_29(m, x, a, ...) m(x, a) CNI_EACH_28(m, x, __VA_ARGS__)
#define CNI_EACH_30(m, x, a, ...) m(x, a) CNI_EACH_29(m, x, __VA_ARGS__)
#define CNI_EACH_31(m, x, a, ...) m(x, a) CNI_EACH_30(m, x, __VA_ARGS__)
#define CNI_EACH_32(m, x, a, ...) m(x, a) CNI_EACH_31(m, x, __VA_ARGS__)

#define CNI_COUNT_PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
                       a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32,  \
                       n, ...)                                                                     \
    n
#define CNI_COUNT(...)                                                                             \
    CNI_COUNT_PICK(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17,    \
                   16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, _)
#define CNI_EACH_SELECT_(n) CNI_EACH_##n
#define CNI_EACH_SELECT(n) CNI_EACH_SELECT_(n)
#define CNI_EACH(macro, context, ...)                                                              \
    CNI_EACH_SELECT(CNI_COUNT(__VA_ARGS__))(macro, context, __VA_ARGS__)

#endif
