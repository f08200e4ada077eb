// Whether all ranks of a run were started alike (see the header).
#include "cli/rank_jobs.h"

#include "parallel/launch.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <xxhash.h>

// ---- the build

// A note in memory: its head, the owner's name and the description, each padded to 4 bytes.
static size_t padded(size_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

// Adds the identity that the linker computed from the program's content (ld --build-id), if it did.
static void hash_notes(const char *notes, size_t bytes, uint64_t *hash)
{
    static const char owner[] = "GNU";
    ElfW(Nhdr) head;
    for (size_t at = 0; at + sizeof head <= bytes;) {
        memcpy(&head, notes + at, sizeof head);
        const char *const name = notes + at + sizeof head, *const text = name + padded(head.n_namesz);
        at += sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
        if (at <= bytes && head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof owner &&
            memcmp(name, owner, sizeof owner) == 0)
            *hash = XXH3_64bits_withSeed(text, head.n_descsz, *hash);
    }
}

// The first object is the program itself.
static int hash_program(struct dl_phdr_info *object, size_t bytes, void *hash)
{
    (void)bytes;
    for (int k = 0; k < object->dlpi_phnum; k++) {
        const ElfW(Phdr) *const segment = &object->dlpi_phdr[k];
        if (segment->p_type == PT_NOTE)
            hash_notes((const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_memsz, hash);
    }
    return 1;
}

// 0: the linker gave the program no identity.
static uint64_t build_identity(void)
{
    uint64_t hash = 0;
    dl_iterate_phdr(hash_program, &hash);
    return hash;
}

// ---- all together

// Each is compared, in this order.
enum { BUILD, JOB, START, DIRECTORY, COMPARED };

static uint64_t hash_text(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

enum status rank_jobs_compare(const struct rank_job *own)
{
    static const struct {
        const char *difference, *advice; // between them stands rank 0
    } texts[COMPARED] = {
        [BUILD] = {"runs another build of this program than", ": install one on all machines"},
        [JOB] = {"has another job than", ": the file's content, or an option of the command line, differs"},
        [START] = {"was not started with the same of --resume and --restart as", ""},
        [DIRECTORY] = {"has another folder of results than", ": output.directory, or -o, differs"}};
    struct ranks *ranks = launch_ranks();
    if (ranks->count == 1)
        return STATUS_OK;
    const uint64_t hashes[COMPARED] = {[BUILD] = build_identity(),
                                       [JOB] = own->hash,
                                       [START] = own->start ? hash_text(own->start) : 0,
                                       [DIRECTORY] = hash_text(own->directory)};
    uint64_t first[COMPARED];
    memcpy(first, hashes, sizeof first);
    CHECK(ranks_share(ranks, TRANSPORT_STEPS, first, sizeof first));
    for (int k = 0; k < COMPARED; k++) {
        if (hashes[k] == first[k])
            continue;
        return FAIL(STATUS_CONFIGURATION, "%s: rank %d on %s %s rank 0 on %s%s", own->path, ranks->rank,
                    ranks->world.host, texts[k].difference, ranks->places[0].host, texts[k].advice);
    }
    return STATUS_OK;
}
