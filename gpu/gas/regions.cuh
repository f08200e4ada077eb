// What the regions' kernels have in common.
#ifndef FATHOM_GPU_GAS_REGIONS_CUH
#define FATHOM_GPU_GAS_REGIONS_CUH

#include "gpu/gas/pairs.cuh"
#include "gpu/gas/regions.h"
#include "gpu/launch.cuh"

namespace gas {

constexpr unsigned ALL_LANES = 0xffffffffu;

// The sum, in a fixed order, in all lanes.
DEVICE double sum_of_warp(double value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, step);
    return value;
}

DEVICE double2 cell_middle(const region_arrays &r, unsigned cell)
{
    const unsigned columns = static_cast<unsigned>(r.columns);
    return {(cell % columns + 0.5) * r.box[GAS_X] / r.columns,
            (cell / columns + 0.5) * r.box[GAS_Y] / r.rows};
}

DEVICE const region_span *near_list(const region_arrays &r, unsigned cell)
{
    return r.near_of + static_cast<size_t>(cell) * (r.spans_most + 1);
}

// The number of particles of the near cells, with the cell itself.
DEVICE unsigned near_particles(const region_arrays &r, unsigned cell)
{
    unsigned sum = 0;
    for (const region_span *near = near_list(r, cell); near->first != REGION_END; near++)
        sum += r.starts[near->end] - r.starts[near->first];
    return sum;
}

// The target particles of a block of REGION_TARGETS threads. Often they are few. So the threads form groups
// of 16, as many as the targets need, and if possible several sets of these groups, which divide the sources.
struct region_team {
    unsigned cell, first, end; // particles
    unsigned groups, parts;
    unsigned part;   // this thread's; `parts`: it has none
    unsigned target; // this thread's; `end` or more: it has none
};

enum { REGION_GROUP = 16 };

// False if the block has no particles whose sums are made.
DEVICE bool find_team(const region_arrays &r, region_team &team)
{
    team.cell = r.blocks[blockIdx.x];
    if (team.cell == REGION_NO_CELL)
        return false;
    const unsigned begin = r.starts[team.cell], all = r.starts[team.cell + 1];
    team.first = begin + (blockIdx.x - begin / REGION_TARGETS - team.cell) * REGION_TARGETS;
    team.end = min(team.first + REGION_TARGETS, all);
    team.groups = (team.end - team.first + REGION_GROUP - 1) / REGION_GROUP;
    team.parts = REGION_TARGETS / REGION_GROUP / team.groups;
    team.part = threadIdx.x / REGION_GROUP / team.groups;
    team.target = team.first + threadIdx.x % (team.groups * REGION_GROUP);
    return team.first < r.end && team.end > r.first;
}

// This thread's part of `rounds` rounds of several sources each.
struct region_part {
    unsigned begin, end;
};

DEVICE region_part part_of(const region_team &team, unsigned rounds)
{
    const unsigned a_part = (rounds + team.parts - 1) / team.parts;
    const unsigned begin = min(team.part * a_part, rounds), end = min(begin + a_part, rounds);
    return {begin, team.part < team.parts ? end : begin};
}

// Adds up the parts' sums of a target; true in the thread that has the result. `scratch` [REGION_TARGETS];
// all threads of the block call it.
DEVICE bool sum_of_parts(const region_team &team, double2 *scratch, double2 &sum)
{
    const unsigned a_set = team.groups * REGION_GROUP;
    scratch[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x >= a_set || team.target >= team.end)
        return false;
    for (unsigned part = 1; part < team.parts; part++) {
        sum.x += scratch[part * a_set + threadIdx.x].x;
        sum.y += scratch[part * a_set + threadIdx.x].y;
    }
    return true;
}

} // namespace gas

#endif
