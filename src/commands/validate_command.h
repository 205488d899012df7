/*
 * validate_command.h - dcsim validate: how far the device model is from what was measured.
 */
#ifndef DCS_VALIDATE_COMMAND_H
#define DCS_VALIDATE_COMMAND_H

/* argv as main() got it, argv[1] being "validate". Returns the exit code. */
int validate_command(int argc, char **argv);

#endif
