/*
 * explain_command.h - dcsim explain RESULTS.db: where the time of requests of a stored run went
 * (explain.h). The run is simulated again from what the database holds of it.
 */
#ifndef DCS_EXPLAIN_COMMAND_H
#define DCS_EXPLAIN_COMMAND_H

int explain_command(int argc, char **argv);

#endif
