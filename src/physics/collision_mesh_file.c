#include "physics/collision_mesh_file.h"

typedef struct Reader {
    CniPhysicsTriangles *into;
    const char *path;
    CnError *error;
    const char *line_start;
    int line;
} Reader;

static const char *const passed_over[] = {"vt", "vn", "vp",     "o",      "g",
                                          "s",  "l",  "usemtl", "mtllib", NULL};

void cni_physics_triangles_init(CniPhysicsTriangles *triangles, CnAllocator *allocator)
{
    cn_array_init(&triangles->corners, allocator);
    cn_array_init(&triangles->indices, allocator);
}

void cni_physics_triangles_fini(CniPhysicsTriangles *triangles)
{
    cn_array_fini(&triangles->corners);
    cn_array_fini(&triangles->indices);
}

static bool refuse(const Reader *reader, const char *at, CnErrorCode code, const char *what)
{
    return cn_error_set_at(reader->error, code, reader->path, reader->line,
                           (int)(at - reader->line_start) + 1, "%s", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the next word of the line; false at its end. */
static bool next_word(CnText *rest, CnText *word)
{
    while (rest->size && is_blank(*rest->data)) {
        rest->data++;
        rest->size--;
    }
    *word = (CnText){rest->data, 0};
    while (word->size < rest->size && !is_blank(word->data[word->size]))
        word->size++;
    rest->data += word->size;
    rest->size -= word->size;
    return word->size > 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits into *value, as many as fit, and the power of ten by which it must be multiplied:
 * further digits count up, digits behind the point count down. */
static const char *read_digits(const char *at, const char *end, uint64_t *value, int *power)
{
    bool point = false;
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
        } else if (*value < 100000000000000000u) {
            *value = *value * 10 + (uint64_t)(*at - '0');
            *power -= point;
        } else {
            *power += !point;
        }
    }
    return at;
}

static const char *read_exponent(const char *at, const char *end, int *power)
{
    const char *start = at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !is_digit(*at))
        return start;
    int exponent = 0;
    for (; at < end && is_digit(*at); at++)
        exponent = exponent < 1000 ? exponent * 10 + (*at - '0') : exponent;
    *power += negative ? -exponent : exponent;
    return at;
}

/* strtod is not used, because it depends on the locale. The result is within a few units in the
 * last place of a double, which is irrelevant for a float, and always the same. */
static bool read_number(CnText word, double *number)
{
    const char *at = word.data, *end = at + word.size;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !(is_digit(*at) || (*at == '.' && at + 1 < end && is_digit(at[1]))))
        return false;
    uint64_t digits = 0;
    int power = 0;
    at = read_digits(at, end, &digits, &power);
    if (at < end && (*at == 'e' || *at == 'E'))
        at = read_exponent(at, end, &power);
    if (at != end)
        return false;
    double value = (double)digits;
    for (; power > 0 && value != 0 && value < 1e30; power--)
        value *= 10;
    for (; power < 0 && value > 1e-30; power++)
        value /= 10;
    *number = negative ? -value : value;
    return true;
}

static bool read_corner(Reader *reader, CnText rest)
{
    CnF32Array *corners = &reader->into->corners;
    if (corners->count / 3 >= CNI_PHYSICS_MESH_MAX_CORNERS)
        return refuse(reader, reader->line_start, CN_ERROR_LIMIT, "the mesh has too many vertices");
    if (!cn_array_reserve(corners, (uint64_t)corners->count + 3))
        return refuse(reader, reader->line_start, CN_ERROR_MEMORY, "out of memory for the mesh");
    for (int i = 0; i < 3; i++) {
        CnText word;
        double number;
        next_word(&rest, &word);
        if (!read_number(word, &number))
            return refuse(reader, word.data, CN_ERROR_FORMAT, "expected a number");
        if (!(number >= -CNI_PHYSICS_MESH_MAX_COORDINATE &&
              number <= CNI_PHYSICS_MESH_MAX_COORDINATE))
            return refuse(reader, word.data, CN_ERROR_LIMIT,
                          "the vertex is too far from the origin");
        corners->items[corners->count + (uint32_t)i] = (float)number;
    }
    corners->count += 3;
    return true;
}

/* Parses "7", "-1" or "7/2/3" into the index of a vertex, from 0. */
static bool read_index(const Reader *reader, CnText word, uint32_t *index)
{
    int64_t number = 0, count = reader->into->corners.count / 3;
    const char *at = word.data, *end = at + word.size;
    bool negative = at < end && *at == '-';
    at += negative;
    if (at == end || !is_digit(*at))
        return refuse(reader, word.data, CN_ERROR_FORMAT, "expected the index of a vertex");
    for (; at < end && is_digit(*at); at++)
        number = number < INT32_MAX ? number * 10 + (*at - '0') : number;
    if (at < end && *at != '/')
        return refuse(reader, at, CN_ERROR_FORMAT, "expected the index of a vertex");
    if (number < 1 || number > count)
        return refuse(reader, word.data, CN_ERROR_FORMAT, "there is no vertex with this index");
    *index = (uint32_t)(negative ? count - number : number - 1);
    return true;
}

/* Computed in double, so that very small areas count. */
static bool has_area(const CniPhysicsTriangles *triangles, const uint32_t corner[3])
{
    double p[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p[i][j] = (double)triangles->corners.items[corner[i] * 3 + (uint32_t)j];
    double u[3], v[3];
    for (int j = 0; j < 3; j++) {
        u[j] = p[1][j] - p[0][j];
        v[j] = p[2][j] - p[0][j];
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
           z = u[0] * v[1] - u[1] * v[0];
    return x * x + y * y + z * z > 1e-24;
}

static bool add_triangle(Reader *reader, const uint32_t corner[3])
{
    CnU32Array *indices = &reader->into->indices;
    if (!has_area(reader->into, corner))
        return true;
    if (indices->count / 3 >= CNI_PHYSICS_MESH_MAX_TRIANGLES)
        return refuse(reader, reader->line_start, CN_ERROR_LIMIT,
                      "the mesh has too many triangles");
    for (int i = 0; i < 3; i++)
        if (!cn_array_push(indices, corner[i]))
            return refuse(reader, reader->line_start, CN_ERROR_MEMORY,
                          "out of memory for the mesh");
    return true;
}

static bool read_face(Reader *reader, CnText rest)
{
    uint32_t corner[3] = {0}, count = 0;
    CnText word;
    while (next_word(&rest, &word)) {
        uint32_t index = 0;
        if (!read_index(reader, word, &index))
            return false;
        corner[count < 2 ? count : 2] = index;
        if (++count < 3)
            continue;
        if (!add_triangle(reader, corner))
            return false;
        corner[1] = index;
    }
    return count >= 3 ||
           refuse(reader, word.data, CN_ERROR_FORMAT, "a face must have at least three vertices");
}

static bool read_line(Reader *reader, CnText line)
{
    CnText word;
    reader->line_start = line.data;
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] == '#')
            line.size = i;
    if (!next_word(&line, &word))
        return true;
    if (cn_text_equal(word, cn_text("v")))
        return read_corner(reader, line);
    if (cn_text_equal(word, cn_text("f")))
        return read_face(reader, line);
    for (const char *const *known = passed_over; *known; known++)
        if (cn_text_equal(word, cn_text(*known)))
            return true;
    return refuse(reader, word.data, CN_ERROR_FORMAT, "expected v, f or a comment");
}

bool cni_physics_mesh_parse(CniPhysicsTriangles *triangles, const char *path, CnText text,
                            CnError *error)
{
    Reader reader = {.into = triangles, .path = path, .error = error, .line = 1};
    CnText line;
    reader.line_start = text.data;
    for (; cn_text_split(&text, '\n', &line); reader.line++)
        if (!read_line(&reader, line))
            return false;
    return triangles->indices.count > 0 ||
           cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "the mesh has no triangles");
}
