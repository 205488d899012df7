/*
 * trace_command.h - dcsim trace: import, lint, formats.
 */
#ifndef DCS_TRACE_COMMAND_H
#define DCS_TRACE_COMMAND_H

/* argv as main() got it, argv[1] being "trace". Returns the exit code. */
int trace_command(int argc, char **argv);

#endif
