/*
 * Signals that end a program which has a world open: SIGTERM, SIGINT and SIGHUP. They are noted, so
 * that the program can save before it ends.
 *
 *     crafty_signals_catch();
 *     while (!crafty_signal_received())
 *         run_tick();
 */
#ifndef CRAFTY_SAVE_SIGNALS_H
#define CRAFTY_SAVE_SIGNALS_H

/* Installs the handlers. Calling it again has no effect. SIGHUP stays ignored if it is (nohup). */
void crafty_signals_catch(void);
/* Returns the number of the last signal that came; 0: none. */
int crafty_signal_received(void);

#endif
