typedef int crafty_crash_placeholder;
