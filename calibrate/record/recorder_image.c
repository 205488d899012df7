/*
 * recorder_image.c - the recorder's library as bytes inside dcsim-calibrate, which can so be copied
 * alone to a GPU's host. RECORDER_FILE: where the build has put it; without it there is none.
 */
#include "calibrate/record/recorded_program.h"

#ifdef RECORDER_FILE
__asm__(".section .rodata\n"
        ".balign 16\n"
        ".global cal_recorder_image\n"
        "cal_recorder_image:\n"
        ".incbin \"" RECORDER_FILE "\"\n"
        "cal_recorder_image_end:\n"
        ".balign 8\n"
        ".global cal_recorder_image_bytes\n"
        "cal_recorder_image_bytes:\n"
        ".quad cal_recorder_image_end - cal_recorder_image\n"
        ".previous\n");
#else
const unsigned char cal_recorder_image[1] = {0};
const size_t cal_recorder_image_bytes = 0;
#endif
