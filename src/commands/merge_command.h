/*
 * merge_command.h - dcsim merge OUT IN...: joins results databases (store_merge.h).
 */
#ifndef DCS_MERGE_COMMAND_H
#define DCS_MERGE_COMMAND_H

/* argv[1] is "merge". Returns the exit code. */
int merge_command(int argc, char **argv);

#endif
