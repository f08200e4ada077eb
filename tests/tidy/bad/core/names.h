#ifndef FATHOM_CORE_NAMES_H
#define FATHOM_CORE_NAMES_H
double names_right(void);
double other_wrong(void);
#endif
