/* methods.c - see methods.h. */
#include "models/predictor/methods.h"

#include "models/predictor/predictor_method.h"

#include <string.h>

const struct dcs_method *const dcs_methods[] = {&dcs_method_linear, &dcs_method_knn,
                                                &dcs_method_cart, &dcs_method_net, NULL};

const struct dcs_method *const dcs_methods_cpu[] = {
    &dcs_method_linear, &dcs_method_sgd, &dcs_method_knn5, &dcs_method_svm, &dcs_method_net, NULL};

const struct dcs_method *dcs_method_named(const char *name)
{
    for (size_t i = 0; dcs_methods[i] != NULL; i++)
        if (strcmp(dcs_methods[i]->name, name) == 0)
            return dcs_methods[i];
    for (size_t i = 0; dcs_methods_cpu[i] != NULL; i++)
        if (strcmp(dcs_methods_cpu[i]->name, name) == 0)
            return dcs_methods_cpu[i];
    return NULL;
}
