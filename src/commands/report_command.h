/*
 * report_command.h - dcsim report: a results database as a page to look at.
 */
#ifndef DCS_REPORT_COMMAND_H
#define DCS_REPORT_COMMAND_H

/* argv[1] is "report". Returns the exit code. */
int report_command(int argc, char **argv);

#endif
