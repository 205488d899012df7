/*
 * banned.h - calls that must not appear in the simulator, because they make a result depend on the
 * wall clock or hidden state, or overrun a buffer. Every source below src/ is compiled with this
 * file included first (-include). wallclock.c alone undoes the ban on clocks, and says why.
 */
#ifndef DCS_DES_BANNED_H
#define DCS_DES_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>

#define DCS_BANNED(call) dcs_banned_call_##call

#define rand()              DCS_BANNED(rand)
#define srand(a)            DCS_BANNED(srand)
#define random()            DCS_BANNED(random)
#define drand48()           DCS_BANNED(drand48)
#define time(a)             DCS_BANNED(time)
#define clock()             DCS_BANNED(clock)
#define gettimeofday(a, b)  DCS_BANNED(gettimeofday)
#define clock_gettime(a, b) DCS_BANNED(clock_gettime)
#define atoi(a)             DCS_BANNED(atoi)
#define atol(a)             DCS_BANNED(atol)
#define atof(a)             DCS_BANNED(atof)
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#define strcpy(a, b)      DCS_BANNED(strcpy)
#define strcat(a, b)      DCS_BANNED(strcat)
#define strncpy(a, b, c)  DCS_BANNED(strncpy)
#define strncat(a, b, c)  DCS_BANNED(strncat)
#define sprintf(...)      DCS_BANNED(sprintf)
#define vsprintf(a, b, c) DCS_BANNED(vsprintf)
#define gets(a)           DCS_BANNED(gets)

#endif
