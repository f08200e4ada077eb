// Bytes into zlib's format by ISA-L or by zlib: see deflate.h.
#include "io/output/deflate.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 };

size_t output_deflate_bound(size_t bytes)
{
    return bytes + bytes / 8 + 4096;
}

#ifdef FATHOM_HAVE_ISAL

#include <isa-l.h>

// Level 1: a greedy search, and Huffman codes made for each block.
struct deflate_state {
    struct isal_zstream stream;
    _Alignas(ALIGNMENT) uint8_t level[ISAL_DEF_LVL1_DEFAULT];
};

const char *output_deflate_library(char text[32])
{
    snprintf(text, 32, "ISA-L %d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
    return text;
}

size_t output_deflate_state_bytes(void)
{
    return sizeof(struct deflate_state);
}

bool output_deflate_begin(void *memory)
{
    memset(memory, 0, sizeof(struct deflate_state));
    return true;
}

size_t output_deflate(void *state, const void *data, size_t bytes, void *result, size_t room)
{
    struct deflate_state *s = state;
    if (bytes > UINT32_MAX || room > UINT32_MAX)
        return 0;
    isal_deflate_stateless_init(&s->stream);
    s->stream.level = 1;
    s->stream.level_buf = s->level;
    s->stream.level_buf_size = sizeof s->level;
    s->stream.gzip_flag = IGZIP_ZLIB;
    s->stream.flush = NO_FLUSH;
    s->stream.end_of_stream = 1;
    s->stream.next_in = (uint8_t *)(uintptr_t)data; // only read
    s->stream.avail_in = (uint32_t)bytes;
    s->stream.next_out = result;
    s->stream.avail_out = (uint32_t)room;
    return isal_deflate_stateless(&s->stream) == COMP_OK ? s->stream.total_out : 0;
}

#else

#include <zlib.h>

// deflate.c of zlib states (1 << (15 + 2)) + (1 << (8 + 9)) bytes and a small structure for what it is given
// here; newer versions take some more.
struct deflate_state {
    z_stream stream;
    size_t used;
    _Alignas(ALIGNMENT) unsigned char arena[384 << 10];
};

static voidpf take(voidpf context, uInt items, uInt size)
{
    struct deflate_state *s = context;
    const size_t bytes = ((size_t)items * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > sizeof s->arena - s->used)
        return NULL;
    s->used += bytes;
    return s->arena + s->used - bytes;
}

static void keep(voidpf context, voidpf address)
{
    (void)context;
    (void)address;
}

const char *output_deflate_library(char text[32])
{
    snprintf(text, 32, "zlib %s", zlibVersion());
    return text;
}

size_t output_deflate_state_bytes(void)
{
    return sizeof(struct deflate_state);
}

bool output_deflate_begin(void *memory)
{
    struct deflate_state *s = memory;
    memset(&s->stream, 0, sizeof s->stream);
    s->used = 0;
    s->stream.zalloc = take;
    s->stream.zfree = keep;
    s->stream.opaque = s;
    return deflateInit(&s->stream, 1) == Z_OK;
}

size_t output_deflate(void *state, const void *data, size_t bytes, void *result, size_t room)
{
    struct deflate_state *s = state;
    if (bytes > UINT32_MAX || room > UINT32_MAX || deflateReset(&s->stream) != Z_OK)
        return 0;
    s->stream.next_in = (Bytef *)(uintptr_t)data; // only read
    s->stream.avail_in = (uInt)bytes;
    s->stream.next_out = result;
    s->stream.avail_out = (uInt)room;
    return deflate(&s->stream, Z_FINISH) == Z_STREAM_END ? s->stream.total_out : 0;
}

#endif
