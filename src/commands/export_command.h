/*
 * export_command.h - dcsim export: a view or table of a results database as CSV or JSON. The
 * arguments are those of main().
 */
#ifndef DCS_EXPORT_COMMAND_H
#define DCS_EXPORT_COMMAND_H

int export_command(int argc, char **argv);

#endif
