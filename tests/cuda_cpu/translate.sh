#!/bin/bash
# translate.sh FROM TO: makes C++ of the two things in a .cu file that a header cannot: dynamic shared
# memory and launches. Lines stay where they are, and reports name FROM.
set -euo pipefail
{
    printf '#line 1 "%s"\n' "$1"
    sed -zE '
        s/__shared__(\s+)(alignas\([^()]*\))/\2\1__shared__/g
        s/extern(\s+)((alignas\([^()]*\)|__align__\([^()]*\))\s+)?__shared__\s+((__align__\([^()]*\)|alignas\([^()]*\))\s+)?([^;=(){}]*[^;=(){} \t\n])(\s+)([A-Za-z_][A-Za-z_0-9]*)\s*\[\s*\]\s*;/\6 *const\1\8 =\7(\6 *)emu_dynamic_shared;/g
        s/([A-Za-z_][A-Za-z_0-9:]*(<[^<>;{}]*>)?)(\s*)<<<([^;]*)>>>(\s*)\(/emu_call("\1",\3emu_configure(\4), \1)\5(/g
    ' "$1"
} >"$2"
