/*
 * calibrate_main.c - the command line of dcsim-calibrate.
 *
 *   dcsim-calibrate list                     applications and measurements
 *   dcsim-calibrate check [--app NAMES]      compare every application with its reference
 *   dcsim-calibrate all | MEASUREMENT ...    measure a GPU, into a profile (gpu_command.c)
 *   dcsim-calibrate cpu ...                  measure this machine's CPU (cpu_command.c)
 *   dcsim-calibrate record ... -- PROGRAM    a program becomes an application (record_command.c)
 *   dcsim-calibrate pair ... A B             applications beside each other (pair_command.c)
 *   dcsim-calibrate contend ... A            one beside pressure on memory (contend_command.c)
 *   dcsim-calibrate split ...                requests on CPU and GPU at once (split_command.c)
 *   dcsim-calibrate serve APPLICATION        one of ours as a program (serve_command.c)
 *   dcsim-calibrate press                    pressure on a GPU's memory (press_command.c)
 *   dcsim-calibrate export FILE.db FILE.sql  a profile as SQL text
 *   dcsim-calibrate merge INTO.db FROM.db    two profiles of one model of device in one
 *
 * A build without CUDA has all but what measures GPUs; to record, one without CUPTI's header can
 * only read recordings.
 *
 * Exit codes: 0 done, 1 some steps failed, 2 the caller's or the machine's fault, 3 the context of
 * the device was lost: run again, and the measurement goes on; 70 our own fault, 130 interrupted.
 */
#include "build_id.h"
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/drive/drive_serve.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim-calibrate list\n"
    "       dcsim-calibrate check [--app NAMES] [--from NAME]\n"
    "       dcsim-calibrate all | MEASUREMENT [OPTION]...\n"
    "       dcsim-calibrate cpu [check] [OPTION]...\n"
    "       dcsim-calibrate record --name NAME --class service|batch -o FILE.db [OPTION]... --\n"
    "                              PROGRAM [ARGUMENT]...\n"
    "       dcsim-calibrate pair --half dev|test -o FILE.db [OPTION]... APPLICATION...\n"
    "       dcsim-calibrate contend -o FILE.db [OPTION]... APPLICATION\n"
    "       dcsim-calibrate split [--run POLICIES] [OPTION]...\n"
    "       dcsim-calibrate serve APPLICATION [--device N] [--seed N]\n"
    "       dcsim-calibrate press [--device N]\n"
    "       dcsim-calibrate export FILE.db FILE.sql\n"
    "       dcsim-calibrate merge INTO.db FROM.db\n"
    "\n"
    "Measures real kernels on a GPU, or real programs of many threads on this machine's CPU, and\n"
    "writes a profile for dcsim. What is measured already is not measured again: an interrupted\n"
    "measurement is continued by the same command.\n"
    "\n"
    "  -o, --output FILE the profile's database (default: the device's name, e.g. nvidia-h200.db)\n"
    "  --name NAME       name of a new profile (default: the device's name)\n"
    "  --dry-run         print how many steps and minutes there are, and stop; needs no GPU\n"
    "  --verbose         with --dry-run: each step, too\n"
    "  --minutes M       stop after M minutes, between two steps\n"
    "  --app NAMES       only steps of these applications, as in resnet50,'mri*'; those of\n"
    "                    overhead stay; all --app then fits contention, by python3 with numpy\n"
    "  --step KEYS       only these steps, as in 'solo/*/all-kernels'; --verbose says their keys\n"
    "  --retry-failed    try failed steps again\n"
    "  --allow-others    measure although other processes use the device\n"
    "  --seed N          of the applications' inputs (default: 1)\n"
    "\n"
    "With cpu\n"
    "  --cores N         use the first N cores of this machine (default: all)\n"
    "  --seconds S       sample a point for at most S seconds (default: 2)\n"
    "\n"
    "With record, which runs any program that uses CUDA and makes an application of it\n"
    "  --name NAME       of the application; --class service|batch says what it is\n"
    "  --request WHAT    what a request is: the name of an NVTX range, `waits` (from one wait for\n"
    "                    all that was launched to the next), `process` (default: waits, or\n"
    "                    process where there are fewer than two)\n"
    "  --requests N      take the last N requests (default: all but the first quarter)\n"
    "  --percent LIST    the same under MPS with these percentages of the SMs, e.g. 100,50,25\n"
    "  --size KEY=LIST   the same at several sizes, e.g. batch=8,1,2,4, each in place of {batch} "
    "in\n"
    "                    the program's arguments; the first is the default size\n"
    "  --sla-ms MS       a service's requests shall not take longer\n"
    "  --calls           record the host's calls, too: it costs the program much\n"
    "  --once            do not run it without the recorder, which gaps are made to fit\n"
    "  --replace         in place of an application of that name in the profile\n"
    "  --keep            keep the recordings; --from FOLDER reads them again\n"
    "\n"
    "With pair, which runs applications of a profile beside each other under MPS; NAME@SIZE is "
    "one\n"
    "with requests of another size than the default\n"
    "  --run NAME=COMMAND  how an application is run, by a shell; it serves until it is told to "
    "end\n"
    "  --percent LIST    of the SMs, one for each, e.g. 75,25, where 0 does not run; may be\n"
    "                    repeated (default: equal ones)\n"
    "  --half HALF       dev: for building a model; test, test2, test3: for judging one\n"
    "                    that is frozen; it is of each --percent that follows\n"
    "  --seconds S       of each alone, and of each setting together (default: 2)\n"
    "  --rate NAME=R     R requests a second arrive at that application, beside one other\n"
    "  --seed N          of the arrivals (default: 1)\n"
    "  --patience S      until all have answered 20 requests (default: 120)\n"
    "  --keep            keep the recordings, in FILE.db.pair\n"
    "\n"
    "With contend, which runs a recorded program beside pressure on the GPU's memory, for the fit\n"
    "  --run COMMAND     how it is run, by a shell; it serves until it is told to end\n"
    "                    APPLICATION may be NAME@SIZE: COMMAND makes requests of that size\n"
    "  --percent LIST    of the SMs (default: 50); the pressure has the rest but for 8 %, and\n"
    "                    beside 75 % and more all of it\n"
    "  --level LIST      of the pressure, 0 to 11 (default: 2,5,8,11)\n"
    "  --family LIST     of producers of pressure (default: eight)\n"
    "  --seconds S       beside each of them at each level (default: 0.5)\n"
    "  --press COMMAND   in place of `dcsim-calibrate press`\n"
    "  --patience S, --keep  as with pair; the recordings are in FILE.db.contend\n"
    "\n"
    "With split, which measures programs that are divided over this machine's CPU and GPU\n"
    "  --run POLICIES    let these policies divide real requests, e.g. cap,split-quick\n"
    "  --set K=V,...     with --run: their options\n"
    "  --turns N         with --run: of each policy in a round (default: 5)\n"
    "  --rounds N        with --run: how often all of it is done (default: 1)\n"
    "  --threads LIST    of the CPU (default: 1,4,16, as many as there are cores for)\n"
    "  --seconds S       sample a chunk for S seconds, at least 3 times (default: 0.1)\n"
    "  --print           print what a profile has of them; needs no GPU\n"
    "\n"
    "With press, which presses on the GPU's memory as long as its input says (see the man page)\n"
    "  --device N        the GPU's number (default: 0)\n"
    "\n"
    "With all others\n"
    "  --only KIND       with all: only this measurement; may be repeated\n"
    "  --no-fit          with all --app: do not fit contention at the end\n"
    "  --default-size-only  only steps at the default size of each application\n"
    "  --device N        the GPU's number (default: 0)\n"
    "  --same-model      go on with a profile of another GPU of the same model\n"
    "  --clock-floor F   throw samples away below this share of the highest clock (default: 0.75)\n"
    "  --patience S      take a request that runs longer for hung (default: 60 s)\n"
    "\n"
    "  --version, --help\n";

/* --- export, merge --- */

static int export_profile(int count, char **paths)
{
    struct dcs_err err = {0};
    if (count != 2) {
        dcs_err_set(&err, "export takes two paths: FILE.db FILE.sql");
        return cal_complain(&err);
    }
    struct cal_store *store = cal_store_open_existing(paths[0], &err);
    int failed = store == NULL || cal_store_export(store, paths[1], &err) != 0;
    cal_store_close(store);
    return failed ? cal_complain(&err) : DCS_EXIT_OK;
}

static int merge(int count, char **paths)
{
    struct dcs_err err = {0};
    int64_t steps;
    if (count != 2) {
        dcs_err_set(&err, "merge takes two paths: INTO.db FROM.db");
        return cal_complain(&err);
    }
    struct cal_store *store = cal_store_open_existing(paths[0], &err);
    int failed = store == NULL || cal_store_merge(store, paths[1],
                                                  cal_store_is_cpu(store) ? cal_cpu_finish_merged
                                                                          : cal_gpu_finish_merged,
                                                  &steps, &err) != 0;
    cal_store_close(store);
    if (failed)
        return cal_complain(&err);
    printf("%s: %lld steps taken over from %s\n", paths[0], (long long)steps, paths[1]);
    return DCS_EXIT_OK;
}

static int list(void)
{
    cal_gpu_list();
    cal_cpu_list();
    return DCS_EXIT_OK;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--version") == 0)
            return puts("dcsim-calibrate " DCS_BUILD_ID), DCS_EXIT_OK;
        else if (strcmp(argv[i], "--help") == 0)
            return printf("%s%s", usage, cal_gpu_absent()), DCS_EXIT_OK;
    if (command[0] == '\0' || command[0] == '-') {
        fprintf(stderr, "%s%s", usage, cal_gpu_absent());
        return DCS_EXIT_USER;
    }
    if (strcmp(command, "list") == 0)
        return list();
    if (strcmp(command, "export") == 0)
        return export_profile(argc - 2, argv + 2);
    if (strcmp(command, "merge") == 0)
        return merge(argc - 2, argv + 2);
    if (strcmp(command, "cpu") == 0)
        return cal_cpu_main(argc, argv);
    if (strcmp(command, "drive") == 0)
        return cal_drive_main();
    if (strcmp(command, "record") == 0)
        return cal_record_main(argc, argv);
    if (strcmp(command, "pair") == 0)
        return cal_pair_main(argc, argv);
    if (strcmp(command, "contend") == 0)
        return cal_contend_main(argc, argv);
    return cal_gpu_main(argc, argv);
}
