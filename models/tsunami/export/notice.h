// What every table, page and product of a forecast says of itself.
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_NOTICE_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_NOTICE_H

#define TSUNAMI_NOTICE                                                                                       \
    "No official warning. Computed from one source: heights are uncertain by a factor of 2 or so."

#define HAZARD_NOTICE "No official warning. Probabilities are those of the members and their weights alone."

#endif
