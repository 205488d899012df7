/*
 * fake_nvml.c - stands in for NVML in a program that is recorded (fake_program.py loads it first):
 * a device with this process, 1 GiB, and another one, 4 GiB. FAKE_NVML: "alone", one process with a
 * number that is not this one's, as seen from a container; "foreign", two of those.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list);

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlShutdown(void)
{
    return 0;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = NULL;
    return strcmp(uuid, "GPU-abababab-abab-abab-abab-abababababab") == 0 ? 0 : 6;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list)
{
    const char *how = getenv("FAKE_NVML");
    (void)device;
    *count = how != NULL && strcmp(how, "alone") == 0 ? 1 : 2;
    list[0] = (struct process){how != NULL ? 1 : (unsigned)getpid(), 1ULL << 30, 0, 0};
    list[1] = (struct process){2, 4ULL << 30, 0, 0};
    return 0;
}
