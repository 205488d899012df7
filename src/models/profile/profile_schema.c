/* profile_schema.c - see profile_schema.h. */
#include "models/profile/profile_schema.h"

#include "des/base.h"

#include <string.h>

bool dcs_profile_next_table(struct dcs_profile_table *t)
{
    static const char *const texts[] = {profile_schema_1_sql, profile_schema_2_sql};
    static const char create[] = "CREATE TABLE ";
    const char *at = t->version > 0 ? strstr(t->next, create) : NULL;
    while (at == NULL && t->version < 2)
        at = strstr(texts[t->version++], create);
    if (at == NULL)
        return false;
    at += sizeof create - 1;
    size_t name = strcspn(at, "("), length = 0;
    DCS_ASSERT(name < sizeof t->name);
    memcpy(t->name, at, name);
    t->name[name] = '\0';
    for (at += name; *at != ';'; at++) {
        if (*at == '\n')
            at += strspn(at, "\n ") - 1; /* one blank is left */
        DCS_ASSERT(*at != '\0' && length + 1 < sizeof t->columns);
        t->columns[length++] = *at;
    }
    t->columns[length] = '\0';
    t->next = at;
    return true;
}

bool dcs_profile_schema_table(struct dcs_profile_table *t, const char *name)
{
    *t = (struct dcs_profile_table){0};
    while (dcs_profile_next_table(t))
        if (strcmp(t->name, name) == 0)
            return true;
    return false;
}

bool dcs_profile_next_definition(const char **at, struct dcs_profile_definition *d)
{
    const char *text = *at + strspn(*at, "(, "), *end = text;
    for (int depth = 0; *end != '\0' && (depth > 0 || (*end != ',' && *end != ')')); end++)
        depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    *d = (struct dcs_profile_definition){text, (size_t)(end - text),
                                         strncmp(text, "PRIMARY KEY(", 12) == 0};
    *at = *end == ',' ? end + 1 : end;
    return d->length > 0;
}
