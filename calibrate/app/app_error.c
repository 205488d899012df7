/*
 * app_error.c - errors of applications, which are C++, in the project's own form.
 */
#include "des/base.h"

int cal_err_text(struct dcs_err *err, const char *text);

int cal_err_text(struct dcs_err *err, const char *text)
{
    return dcs_err_set(err, "%s", text);
}
