/*
 * train_command.h - dcsim train: predictors from the measurements of a profile.
 */
#ifndef DCS_TRAIN_COMMAND_H
#define DCS_TRAIN_COMMAND_H

/* argv as main() got it, argv[1] being "train". Returns the exit code. */
int train_command(int argc, char **argv);

#endif
