/*
 * Names of the functions of this program, from the symbol table of its file, so that a report of
 * the same build names the functions of its stack.
 *
 *     CraftySymbols symbols;
 *     crafty_symbols_open(&symbols);            // a program without symbols has no names
 *     CnText name = crafty_symbols_find(&symbols, build_id, offset);
 *     crafty_symbols_close(&symbols);
 */
#ifndef CRAFTY_CRASH_SYMBOLS_H
#define CRAFTY_CRASH_SYMBOLS_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

typedef struct CraftySymbols {
    CnFileBytes file; /* empty: there are no symbols */
    const uint8_t *entries;
    size_t entry_count;
    CnText names;
} CraftySymbols;

void crafty_symbols_open(CraftySymbols *symbols);
void crafty_symbols_close(CraftySymbols *symbols);
/* Returns the function that contains an offset in the program with this build id; "" if it is
 * another program, or unknown. Valid until the symbols are closed. */
CnText crafty_symbols_find(const CraftySymbols *symbols, CnText build_id, uint64_t offset);

#endif
