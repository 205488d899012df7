/*
 * profile_command.h - dcsim profile: build, show, lint, diff.
 */
#ifndef DCS_PROFILE_COMMAND_H
#define DCS_PROFILE_COMMAND_H

/* argv as main() got it, argv[1] being "profile". Returns the exit code. */
int profile_command(int argc, char **argv);

#endif
