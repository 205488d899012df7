/*
 * dlfcn.h - the library that applications load is cuBLAS; here it is the emulator's own.
 */
#ifndef CUDA_CPU_DLFCN_H
#define CUDA_CPU_DLFCN_H

#ifdef __cplusplus
extern "C" {
#endif

void *emu_dlopen(const char *name, int flags);
void *emu_dlsym(void *library, const char *name);
const char *emu_dlerror(void);

#ifdef __cplusplus
}
#endif

#define RTLD_NOW   2
#define RTLD_LOCAL 0
#define dlopen     emu_dlopen
#define dlsym      emu_dlsym
#define dlerror    emu_dlerror

#endif
