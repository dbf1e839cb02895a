#include "grid.h"

#include <string.h>

/* Rows are dealt out in as many blocks, whatever the number of threads. */
#define BLOCKS 64u

bool swarm_grid_init(SwarmGrid *grid, CnAllocator *allocator, uint32_t capacity, uint32_t side,
                     float cell_size)
{
    size_t cells = (size_t)side * side;
    *grid = (SwarmGrid){allocator, capacity, 0, side, cell_size, NULL, NULL, NULL, NULL, NULL};
    grid->by_row = cn_alloc(allocator, capacity * sizeof *grid->by_row);
    grid->items = cn_alloc(allocator, capacity * sizeof *grid->items);
    grid->counts = cn_alloc(allocator, (size_t)BLOCKS * side * sizeof *grid->counts);
    grid->row_start = cn_alloc(allocator, (side + 1) * sizeof *grid->row_start);
    grid->start = cn_alloc(allocator, (cells + 1) * sizeof *grid->start);
    return grid->by_row && grid->items && grid->counts && grid->row_start && grid->start;
}

void swarm_grid_fini(SwarmGrid *grid)
{
    size_t cells = (size_t)grid->side * grid->side;
    cn_free(grid->allocator, grid->by_row, grid->capacity * sizeof *grid->by_row);
    cn_free(grid->allocator, grid->items, grid->capacity * sizeof *grid->items);
    cn_free(grid->allocator, grid->counts, (size_t)BLOCKS * grid->side * sizeof *grid->counts);
    cn_free(grid->allocator, grid->row_start, (grid->side + 1) * sizeof *grid->row_start);
    cn_free(grid->allocator, grid->start, (cells + 1) * sizeof *grid->start);
}

/* A chunk of the query and where its rows begin among all of them. */
typedef struct Piece {
    const SwarmPosition *position;
    const SwarmVelocity *velocity;
    uint32_t first, count;
} Piece;

typedef struct Fill {
    SwarmGrid *grid;
    CnQuery *query;
} Fill;

/* The rows `begin` to `end` of the query, piece by piece. */
static bool next_piece(CnQueryIter *it, uint32_t *first, uint32_t begin, uint32_t end, Piece *piece)
{
    CnChunkView view;
    while (*first < end && cn_query_next(it, &view)) {
        uint32_t chunk_first = *first, chunk_end = *first + view.count;
        *first = chunk_end;
        if (chunk_end <= begin)
            continue;
        uint32_t skip = begin > chunk_first ? begin - chunk_first : 0;
        uint32_t last = chunk_end < end ? chunk_end : end;
        *piece = (Piece){cn_column_const(&view, SwarmPosition) + skip,
                         cn_column_const(&view, SwarmVelocity) + skip, chunk_first + skip,
                         last - chunk_first - skip};
        return true;
    }
    return false;
}

static uint32_t block_begin(const SwarmGrid *grid, uint32_t block)
{
    return (uint32_t)((uint64_t)grid->count * block / BLOCKS);
}

static void count_rows(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const Fill *fill = data;
    SwarmGrid *grid = fill->grid;
    (void)lane;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t *counts = grid->counts + (size_t)block * grid->side, first = 0;
        memset(counts, 0, grid->side * sizeof *counts);
        CnQueryIter it = cn_query_iter(fill->query);
        for (Piece piece; next_piece(&it, &first, block_begin(grid, block),
                                     block_begin(grid, block + 1), &piece);)
            for (uint32_t i = 0; i < piece.count; i++)
                counts[swarm_grid_line(grid, piece.position[i].y)]++;
    }
}

/* Turns counts into places: row by row, within a row block by block. */
static void place_rows(SwarmGrid *grid)
{
    uint32_t place = 0;
    for (uint32_t row = 0; row < grid->side; row++) {
        grid->row_start[row] = place;
        for (uint32_t block = 0; block < BLOCKS; block++) {
            uint32_t *count = &grid->counts[(size_t)block * grid->side + row];
            uint32_t next = place + *count;
            *count = place;
            place = next;
        }
    }
    grid->row_start[grid->side] = place;
}

static void sort_into_rows(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const Fill *fill = data;
    SwarmGrid *grid = fill->grid;
    (void)lane;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t *place = grid->counts + (size_t)block * grid->side, first = 0;
        CnQueryIter it = cn_query_iter(fill->query);
        for (Piece piece; next_piece(&it, &first, block_begin(grid, block),
                                     block_begin(grid, block + 1), &piece);)
            for (uint32_t i = 0; i < piece.count; i++) {
                SwarmPosition p = piece.position[i];
                SwarmVelocity v = piece.velocity[i];
                uint32_t row = swarm_grid_line(grid, p.y), column = swarm_grid_line(grid, p.x);
                grid->by_row[place[row]++] =
                    (SwarmItem){p.x, p.y, v.x, v.y, row * grid->side + column};
            }
    }
}

/* The cells of a row lie one behind the other, so their starts can be counted in place. */
static void sort_row(SwarmGrid *grid, uint32_t row)
{
    uint32_t *start = grid->start + (size_t)row * grid->side;
    const uint32_t first = grid->row_start[row], end = grid->row_start[row + 1];
    memset(start, 0, grid->side * sizeof *start);
    for (uint32_t i = first; i < end; i++)
        start[grid->by_row[i].cell - row * grid->side]++;
    uint32_t place = first;
    for (uint32_t column = 0; column < grid->side; column++) {
        uint32_t count = start[column];
        start[column] = place;
        place += count;
    }
    for (uint32_t i = first; i < end; i++)
        grid->items[start[grid->by_row[i].cell - row * grid->side]++] = grid->by_row[i];
    /* Each start has moved to the end of its cell, which is the start of the next. */
    memmove(start + 1, start, (grid->side - 1) * sizeof *start);
    start[0] = first;
}

static void sort_rows(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    const Fill *fill = data;
    (void)lane;
    for (uint32_t row = begin; row < end; row++)
        sort_row(fill->grid, row);
}

void swarm_grid_fill(SwarmGrid *grid, CnQuery *query, CnJobPool *jobs)
{
    Fill fill = {grid, query};
    uint32_t count = cn_query_count(query);
    grid->count = count < grid->capacity ? count : grid->capacity;
    cn_job_parallel_for(jobs, BLOCKS, 1, count_rows, &fill);
    place_rows(grid);
    cn_job_parallel_for(jobs, BLOCKS, 1, sort_into_rows, &fill);
    cn_job_parallel_for(jobs, grid->side, 16, sort_rows, &fill);
    grid->start[(size_t)grid->side * grid->side] = grid->count;
}
