/*
 * compare_command.h - dcsim compare: experiments of a results database against a baseline,
 * replication by replication. The arguments are those of main().
 */
#ifndef DCS_COMPARE_COMMAND_H
#define DCS_COMPARE_COMMAND_H

int compare_command(int argc, char **argv);

#endif
