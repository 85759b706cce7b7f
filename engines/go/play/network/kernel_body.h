/* The network for one instruction set SET and one number of CHANNELS: included by kernel.h once for
   each pair.

   Activations are [row][column][channel] with a border of zeros, so that a convolution is
   Winograd's F(4x4, 3x3): 6x6 patches into 36 frequencies, a product of matrices for each, and
   back. NAME(x) gives each pair its own names; COLUMNS is how many vectors of LANES floats a row of
   the product keeps in registers, ROWS how many rows. */

typedef float NAME(vec) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int NAME(ivec) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static inline __attribute__((always_inline)) void NAME(rows)(
    const float *a, long stride, const float *b, int depth, int width, float *c, long out,
    const int count, const int columns)
{
    NAME(vec) sum[ROWS][COLUMNS];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < columns; j++)
            sum[i][j] = (NAME(vec)){0};
    for (int k = 0; k < depth; k++) {
        NAME(vec) row[COLUMNS];
        for (int j = 0; j < columns; j++)
            __builtin_prefetch(b + (long)(k + AHEAD) * width + LANES * j);
        for (int j = 0; j < columns; j++)
            row[j] = *(const NAME(vec) *)(b + (long)k * width + LANES * j);
        for (int i = 0; i < count; i++) {
            const float value = a[i * stride + k];
            for (int j = 0; j < columns; j++)
                sum[i][j] += value * row[j];
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < columns; j++)
            *(NAME(vec) *)(c + i * out + LANES * j) = sum[i][j];
}

/* The first columns of c[m][width] = a[m][depth] * b[depth][width]: `used` of them, rounded up to a
   multiple of LANES * COLUMNS. */
static void NAME(product)(const float *a, long stride, const float *b, int m, int depth, int width,
                          int used, float *c, long out)
{
    for (int j = 0; j < used; j += LANES * COLUMNS) {
        int left = (m + ROWS - 1) / ROWS;
        for (int i = 0; left > 0; left--) {
            const int count = (m - i + left - 1) / left; /* Even shares: 25 rows are 5 times 5. */
            const float *from = a + i * stride;
            float *to = c + i * out + j;
            switch (count) {
            case 1: NAME(rows)(from, stride, b + j, depth, width, to, out, 1, COLUMNS); break;
            case 2: NAME(rows)(from, stride, b + j, depth, width, to, out, 2, COLUMNS); break;
            case 3: NAME(rows)(from, stride, b + j, depth, width, to, out, 3, COLUMNS); break;
            case 4: NAME(rows)(from, stride, b + j, depth, width, to, out, 4, COLUMNS); break;
#if ROWS > 4
            case 5: NAME(rows)(from, stride, b + j, depth, width, to, out, 5, COLUMNS); break;
            case 6: NAME(rows)(from, stride, b + j, depth, width, to, out, 6, COLUMNS); break;
#endif
#if ROWS > 6
            case 7: NAME(rows)(from, stride, b + j, depth, width, to, out, 7, COLUMNS); break;
            case 8: NAME(rows)(from, stride, b + j, depth, width, to, out, 8, COLUMNS); break;
#endif
            }
            i += count;
        }
    }
}

static inline __attribute__((always_inline)) void NAME(patch)(const NAME(vec) *d, int step, NAME(vec) *e, int by)
{
    const NAME(vec) p = d[4 * step] - 4.0f * d[2 * step], q = d[3 * step] - 4.0f * d[step];
    const NAME(vec) r = d[4 * step] - d[2 * step], s = 2.0f * (d[3 * step] - d[step]);
    e[0] = 4.0f * d[0] - 5.0f * d[2 * step] + d[4 * step];
    e[by] = p + q;
    e[2 * by] = p - q;
    e[3 * by] = r + s;
    e[4 * by] = r - s;
    e[5 * by] = 4.0f * d[step] - 5.0f * d[3 * step] + d[5 * step];
}

static inline __attribute__((always_inline)) void NAME(unpatch)(const NAME(vec) *d, int step, NAME(vec) *e, int by)
{
    const NAME(vec) p = d[step] + d[2 * step], q = d[step] - d[2 * step];
    const NAME(vec) r = d[3 * step] + d[4 * step], s = d[3 * step] - d[4 * step];
    e[0] = d[0] + p + r;
    e[by] = q + 2.0f * s;
    e[2 * by] = p + 4.0f * r;
    e[3 * by] = q + 8.0f * s + d[5 * step];
}

/* out = relu(bias + convolution of in [+ out itself]). */
static void NAME(convolve)(const GoShape *shape, const float *in, int depth, const float *weights,
                           const float *bias, int residual, float *out, float *work)
{
    const int tiles = shape->tiles, step = GO_STEP(tiles);
    float *v = work, *m = work + 36L * step * CHANNELS;
    for (int t = 0; t < tiles; t++) {
        const int y = t / shape->across * 4, x = t % shape->across * 4;
        for (int c = 0; c < depth; c += LANES) {
            NAME(vec) d[36], e[36];
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    d[6 * i + j] = *(const NAME(vec) *)(in + ((y + i) * shape->pitch + x + j) * depth + c);
            for (int j = 0; j < 6; j++)
                NAME(patch)(d + j, 6, e + j, 6);
            for (int i = 0; i < 6; i++)
                NAME(patch)(e + 6 * i, 1, d + 6 * i, 1);
            for (int f = 0; f < 36; f++)
                *(NAME(vec) *)(v + ((long)f * step + t) * depth + c) = d[f];
        }
    }
    for (int f = 0; f < 36; f++)
        NAME(product)(v + (long)f * step * depth, depth, weights + (long)f * depth * CHANNELS, tiles,
                      depth, CHANNELS, CHANNELS, m + (long)f * step * CHANNELS, CHANNELS);
    for (int t = 0; t < tiles; t++) {
        const int y = t / shape->across * 4, x = t % shape->across * 4;
        const int high = shape->height - y < 4 ? shape->height - y : 4;
        const int wide = shape->width - x < 4 ? shape->width - x : 4;
        for (int c = 0; c < CHANNELS; c += LANES) {
            const NAME(vec) add = *(const NAME(vec) *)(bias + c);
            NAME(vec) d[36], e[24], r[16];
            for (int f = 0; f < 36; f++)
                d[f] = *(const NAME(vec) *)(m + ((long)f * step + t) * CHANNELS + c);
            for (int j = 0; j < 6; j++)
                NAME(unpatch)(d + j, 6, e + j, 6);
            for (int i = 0; i < 4; i++)
                NAME(unpatch)(e + 6 * i, 1, r + 4 * i, 1);
            for (int i = 0; i < high; i++)
                for (int j = 0; j < wide; j++) {
                    NAME(vec) *to = (NAME(vec) *)(out + ((y + i + 1) * shape->pitch + x + j + 1) * CHANNELS + c);
                    NAME(vec) value = r[4 * i + j] + add;
                    if (residual)
                        value += *to;
                    *to = (NAME(vec))((value > 0.0f) & (NAME(ivec))value);
                }
        }
    }
}

/* pooled[3 * channels]: means, means by board size, maxima of `channels` columns of the rows. */
static void NAME(pool)(const GoShape *shape, const float *in, long pitch, long step, int channels,
                       float *pooled)
{
    for (int c = 0; c < channels; c += LANES) {
        NAME(vec) sum = (NAME(vec)){0}, most = (NAME(vec)){0}; /* After relu nothing is below 0. */
        for (int y = 0; y < shape->height; y++)
            for (int x = 0; x < shape->width; x++) {
                const NAME(vec) value = *(const NAME(vec) *)(in + y * pitch + x * step + c);
                sum += value;
                const NAME(ivec) above = value > most;
                most = (NAME(vec))((above & (NAME(ivec))value) | (~above & (NAME(ivec))most));
            }
        sum *= 1.0f / (shape->width * shape->height);
        *(NAME(vec) *)(pooled + c) = sum;
        *(NAME(vec) *)(pooled + channels + c) = sum * shape->scale;
        *(NAME(vec) *)(pooled + 2 * channels + c) = most;
    }
}

/* out[width] = in[depth] * weights[depth][width] + bias; returns behind the bias. */
static const float *NAME(dense)(const float *in, int depth, const float *weights, int width, float *out)
{
    const float *bias = weights + (long)depth * width;
    for (int j = 0; j < width; j++)
        out[j] = bias[j];
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < width; j++)
            out[j] += in[k] * weights[(long)k * width + j];
    return bias + width;
}

static void NAME(rectify)(float *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] > 0.0f ? values[i] : 0.0f;
}

static void NAME(run)(const float *w, int blocks, long pooled_blocks, const unsigned char *planes,
                      const float *scalars, const GoShape *shape, float *work, float *out)
{
    const int area = shape->width * shape->height;
    const long cells = (long)(4 * shape->down + 2) * shape->pitch;
    float *input = work, *x = input + cells * PLANES, *y = x + cells * CHANNELS;
    float *scratch = y + cells * CHANNELS;
    float pooled[3 * CHANNELS], added[CHANNELS];
    for (long i = 0; i < cells * PLANES; i++)
        input[i] = 0.0f;
    for (long i = 0; i < 2 * cells * CHANNELS; i++)
        x[i] = 0.0f;
    for (int row = 0; row < shape->height; row++)
        for (int column = 0; column < shape->width; column++)
            for (int c = 0; c < PLANES; c++)
                input[((row + 1) * shape->pitch + column + 1) * PLANES + c] =
                    planes[c * area + row * shape->width + column];
    const float *weights = w;
    w = NAME(dense)(scalars, SCALARS, w + 36L * PLANES * CHANNELS, CHANNELS, added);
    NAME(convolve)(shape, input, PLANES, weights, added, 0, x, scratch);
    for (int block = 0; block < blocks; block++) {
        const float *bias = w + 36L * CHANNELS * CHANNELS;
        NAME(convolve)(shape, x, CHANNELS, w, bias, 0, y, scratch);
        w = bias + CHANNELS;
        if (pooled_blocks >> block & 1) {
            const long pitch = (long)shape->pitch * CHANNELS;
            NAME(pool)(shape, y + pitch + CHANNELS, pitch, CHANNELS, CHANNELS, pooled);
            w = NAME(dense)(pooled, 3 * CHANNELS, w, CHANNELS, added);
            for (int row = 1; row <= shape->height; row++)
                for (int column = 1; column <= shape->width; column++) {
                    float *at = y + (row * shape->pitch + column) * CHANNELS;
                    for (int c = 0; c < CHANNELS; c++)
                        at[c] += added[c];
                    NAME(rectify)(at, CHANNELS);
                }
        }
        bias = w + 36L * CHANNELS * CHANNELS;
        NAME(convolve)(shape, y, CHANNELS, w, bias, 1, x, scratch);
        w = bias + CHANNELS;
    }
    /* The head's columns: policy, what it hears of the whole board, value; the rest is padding. */
    const float *bias = w + CHANNELS * COLUMNS_OF_HEAD;
    float *head = scratch;
    for (int row = 0; row < shape->height; row++)
        NAME(product)(x + ((row + 1) * shape->pitch + 1) * CHANNELS, CHANNELS, w, shape->width,
                      CHANNELS, COLUMNS_OF_HEAD, 3 * HEAD,
                      head + (long)row * shape->width * COLUMNS_OF_HEAD, COLUMNS_OF_HEAD);
    for (int i = 0; i < area; i++) {
        float *at = head + (long)i * COLUMNS_OF_HEAD;
        for (int c = 0; c < 3 * HEAD; c++)
            at[c] += bias[c];
        NAME(rectify)(at + HEAD, 2 * HEAD);
    }
    w = bias + COLUMNS_OF_HEAD;
    const long pitch = (long)shape->width * COLUMNS_OF_HEAD;
    NAME(pool)(shape, head + HEAD, pitch, COLUMNS_OF_HEAD, HEAD, pooled);
    w = NAME(dense)(pooled, 3 * HEAD, w, HEAD, added);
    for (int i = 0; i < area; i++) {
        const float *at = head + (long)i * COLUMNS_OF_HEAD;
        float logit = w[HEAD];
        for (int c = 0; c < HEAD; c++) {
            const float value = at[c] + added[c];
            logit += (value > 0.0f ? value : 0.0f) * w[c];
        }
        out[i] = logit;
    }
    w += HEAD + 1;
    w = NAME(dense)(pooled, 3 * HEAD, w, HEAD, added);
    NAME(rectify)(added, HEAD);
    w = NAME(dense)(added, HEAD, w, 1, out + area);
    NAME(pool)(shape, head + 2 * HEAD, pitch, COLUMNS_OF_HEAD, HEAD, pooled);
    w = NAME(dense)(pooled, 3 * HEAD, w, HIDDEN, added);
    NAME(rectify)(added, HIDDEN);
    w = NAME(dense)(added, HIDDEN, w, 2, out + area + 1);
    for (int i = 0; i < area; i++) {
        const float *at = head + (long)i * COLUMNS_OF_HEAD + 2 * HEAD;
        float logit = w[HEAD];
        for (int c = 0; c < HEAD; c++)
            logit += at[c] * w[c];
        out[area + 3 + i] = logit;
    }
}

#undef CHANNELS
#undef ROWS
#undef COLUMNS
