// The tags of messages: one list, so that no two purposes share one. Used in parallel/; a model's own tags
// begin at TAG_MODEL, below TAG_WORLD (each run has one model).
#ifndef FATHOM_PARALLEL_TAGS_H
#define FATHOM_PARALLEL_TAGS_H

enum parallel_tag {
    TAG_EXCHANGE = 0, // and the numbers of its arrays and directions: 0 to 63 (parallel/exchange.c)
    TAG_CHAIN = 64,   // parallel/sums.c
    TAG_TOTALS,
    TAG_RELAY, // parallel/relay.c
    TAG_RELAYED,
    TAG_UP, // parallel/ring.c
    TAG_DOWN,
    TAG_PASS,
    TAG_DEVICE_LOW, // gpu/exchange.c
    TAG_DEVICE_HIGH,
    TAG_REST,      // parallel/ranks.c
    TAG_ALLGATHER, // parallel/allgather.c
    TAG_MODEL = 80,
    TAG_WORLD = 100, // parallel/ranks.c
    TAG_TREE_UP,
    TAG_TREE_DOWN
};

#endif
