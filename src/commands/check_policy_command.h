/*
 * check_policy_command.h - dcsim check-policy FILE.so: tries a policy in every world of
 * conformance.h. The policy is somebody's code, and may crash, hang or leave: it is loaded and
 * tried in a process of its own, whose time and memory are limited.
 */
#ifndef DCS_CHECK_POLICY_COMMAND_H
#define DCS_CHECK_POLICY_COMMAND_H

/* argv[1] is "check-policy". Returns the exit code. */
int check_policy_command(int argc, char **argv);

#endif
