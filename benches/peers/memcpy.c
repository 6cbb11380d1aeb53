/* Measures the time of one copy of a raw frame, as in a renderer that streams frames.
 *
 * Usage: memcpy [COPIES]
 *
 * Source and target each move through a ring of 16 frames, so neither is in the core's own caches when it
 * is copied: at 1280x720 the two rings take 88 MB, at 1920x1080 200 MB. Every page is written before the
 * clock starts. The program prints one JSON object per size, with the median of all copies in nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RING = 16 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(size_t width, size_t height, int copies) {
    size_t bytes = width * height * 3;
    unsigned char *from[RING], *to[RING];
    double *times = malloc((size_t)copies * sizeof *times);
    unsigned sum = 0;
    for (int i = 0; i < RING; i++) {
        from[i] = malloc(bytes);
        to[i] = malloc(bytes);
        if (!from[i] || !to[i] || !times) {
            fprintf(stderr, "memcpy: out of memory\n");
            return 1;
        }
        memset(from[i], i + 1, bytes);
        memset(to[i], 0, bytes);
    }
    for (int i = -RING; i < copies; i++) {
        int slot = (i + RING) % RING;
        double start = now();
        memcpy(to[slot], from[slot], bytes);
        double end = now();
        sum += to[slot][(size_t)(i + RING) % bytes]; /* Uses the copy, so that the compiler cannot remove it. */
        if (i >= 0) times[i] = end - start;
    }
    qsort(times, (size_t)copies, sizeof *times, by_size);
    printf("{\"size\": \"%zux%zu\", \"bytes\": %zu, \"copies\": %d, \"nanoseconds\": %.0f, "
           "\"least\": %.0f, \"sum\": %u}\n",
           width, height, bytes, copies, times[copies / 2], times[0], sum);
    for (int i = 0; i < RING; i++) {
        free(from[i]);
        free(to[i]);
    }
    free(times);
    return 0;
}

int main(int count, char **words) {
    int copies = count > 1 ? atoi(words[1]) : 400;
    if (copies < 1) {
        fprintf(stderr, "usage: memcpy [COPIES]\n");
        return 2;
    }
    return measure(1280, 720, copies) || measure(1920, 1080, copies);
}
