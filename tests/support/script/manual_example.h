/* Examples of docs/scripting.md, so that tests can run them. */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_MANUAL_EXAMPLE_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_MANUAL_EXAMPLE_H

/* Returns the rest of the code block in the manual from its line `first_line`; free it. NULL if
 * there is none. Tests run in the root of the project. */
char *manual_example(const char *first_line);

#endif
