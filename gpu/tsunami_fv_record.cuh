// Maxima, arrivals and drawdown where the shore moves, once per precision (REAL and POINT(name) defined; after
// tsunami_fv_cell.cuh). Water no deeper than wet_depth_m is not recorded; an arrival is the first time that the water
// stands by its threshold above the level that the source left: the sea's, or on land the ground's, which is what w is.

static __device__ __forceinline__ void POINT(fv_keep_larger)(float *maximum, int place, float value,
                                                             float before)
{
    if (maximum && value > before)
        maximum[place] = value;
}

static __device__ __forceinline__ float POINT(fv_level)(const struct device_records &records, int place)
{
    return records.source_level_m ? records.source_level_m[place] : 0.0f;
}

// A node whose surface has just grown above all it was, or that is looked at because what it counts from moves. `before` may be rounded, so the arrivals themselves are asked.
static __device__ __forceinline__ void POINT(fv_arrive)(const struct device_records &records,
                                                        struct POINT(water) c, int place, float before,
                                                        float time_s)
{
    const float ground = c.z > (REAL)0 ? (float)c.z : 0.0f;
    const float level = POINT(fv_level)(records, place);
    if (!records.source_level_m && before - ground > 1.001f * records.highest_arrival_m + 1e-3f)
        return;
    for (int a = 0; a < records.arrival_count; a++)
        if ((float)c.w >= level + records.arrival_m[a] && isnan(records.arrival_s[a][place]))
            records.arrival_s[a][place] = time_s;
}

static __device__ __forceinline__ void POINT(fv_record_eta)(const struct device_records &records,
                                                            struct POINT(water) c, REAL eta_m, int place,
                                                            float before, float time_s)
{
    const float eta = (float)eta_m;
    const bool has_grown = eta > before;
    if (!records.max_eta_m || !(has_grown || records.has_moving_level))
        return;
    if (has_grown)
        records.max_eta_m[place] = eta;
    if (has_grown && records.time_of_max_s)
        records.time_of_max_s[place] = time_s;
    if (records.arrival_count > 0)
        POINT(fv_arrive)(records, c, place, before, time_s);
}

// Of a node that has just been computed; `before` was read while it was on its way. Writes only where something grew.
template <int RECORDS>
static __device__ __forceinline__ void POINT(fv_record)(const struct device_records &records,
                                                        struct POINT(water) c, int place, const float *before,
                                                        float time_s)
{
    const struct POINT(fv_cell) cell = POINT(fv_along_x)(c);
    if (RECORDS == RECORDS_ALL && records.first_drawdown_s && c.z < (REAL)0 &&
        (float)cell.eta < POINT(fv_level)(records, place) - records.drawdown_m &&
        isnan(records.first_drawdown_s[place]))
        records.first_drawdown_s[place] = time_s;
    if (!(cell.h > (REAL)records.wet_depth_m))
        return;
    POINT(fv_record_eta)(records, c, cell.eta, place, before[0], time_s);
    if (RECORDS != RECORDS_ALL)
        return;
    const float speed = sqrtf((float)(c.u * c.u + c.v * c.v)), depth = (float)cell.h;
    POINT(fv_keep_larger)(records.max_speed_m_s, place, speed, before[1]);
    POINT(fv_keep_larger)(records.max_flux_m2_s, place, speed * depth, before[2]);
    POINT(fv_keep_larger)(records.max_depth_m, place, depth, before[3]);
}

// Records of one copy of the state, without a step. One thread a node.
__global__ void POINT(fv_record_kernel)(const __grid_constant__ struct POINT(device_level) level,
                                        const __grid_constant__ struct device_records records, int copy,
                                        float time_s)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int place = row * level.pitch + column;
    REAL *const *state = level.state[copy];
    float *const maxima[FV_RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s,
                                             records.max_depth_m};
    float before[FV_RECORD_MAXIMA];
    for (int m = 0; m < FV_RECORD_MAXIMA; m++)
        before[m] = maxima[m] ? maxima[m][place] : 0;
    POINT(fv_record)<RECORDS_ALL>(records,
                                  {state[0][place], state[1][place], state[2][place], level.still[place]},
                                  place, before, time_s);
}

extern "C" cudaError_t POINT(tsunami_launch_fv_record)(const struct POINT(device_level) * level,
                                                       const struct device_records *records, int copy,
                                                       float time_s, cudaStream_t stream)
{
    const dim3 blocks((unsigned)level->ny, (unsigned)(level->nx + 127) / 128); // of x there may be many more
    POINT(fv_record_kernel)<<<blocks, 128, 0, stream>>>(*level, *records, copy, time_s);
    return cudaGetLastError();
}
