/*
 * capacity_command.h - dcsim capacity: the least number of GPUs, or the highest load, at which a
 * bound on a metric is kept. The arguments are those of main().
 */
#ifndef DCS_CAPACITY_COMMAND_H
#define DCS_CAPACITY_COMMAND_H

int capacity_command(int argc, char **argv);

#endif
