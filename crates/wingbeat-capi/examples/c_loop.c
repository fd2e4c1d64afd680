/* The C side of `bench`: steps of a flock, all positions read after each. For every line of its
 * input it makes so many rounds of steps and prints how many nanoseconds a step took; the same as
 * examples/rust_loop.rs.
 *
 *   c_loop SCENE BOIDS THREADS STEPS */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <wingbeat.h>

static void check(WingbeatStatus status) {
    if (status != WINGBEAT_OK) {
        fprintf(stderr, "c_loop: %s\n", wingbeat_last_error());
        exit(1);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Reads every boid's position, so that nothing of it is left out. */
static float read_all(WingbeatFlock flock) {
    WingbeatColumns columns;
    float sums[4] = {0};
    check(wingbeat_positions(flock, &columns));
    for (uint32_t axis = 0; axis < columns.dimensions; axis++) {
        const float *values = columns.data + axis * columns.stride;
        for (size_t i = 0; i + 4 <= columns.count; i += 4) {
            for (size_t lane = 0; lane < 4; lane++) sums[lane] += values[i + lane];
        }
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

int main(int count, char **arguments) {
    if (count != 5) return 2;
    char boids[64];
    const char *overrides[1] = {boids};
    WingbeatOptions options = {0};
    WingbeatFlock flock;
    snprintf(boids, sizeof boids, "flock.boids=%s", arguments[2]);
    options.overrides = overrides;
    options.override_count = 1;
    options.threads = (uint32_t)strtoul(arguments[3], NULL, 10);
    const unsigned long steps = strtoul(arguments[4], NULL, 10);
    check(wingbeat_open(arguments[1], &options, &flock));

    char line[64];
    float sum = 0.0f;
    while (fgets(line, sizeof line, stdin) != NULL) {
        const double began = now();
        for (unsigned long step = 0; step < steps; step++) {
            check(wingbeat_step(flock, 1));
            sum += read_all(flock);
        }
        printf("%.0f\n", (now() - began) / (double)steps);
        fflush(stdout);
    }
    uint64_t hash;
    check(wingbeat_state_hash(flock, &hash));
    printf("%016" PRIx64 " %g\n", hash, (double)sum);
    check(wingbeat_free(flock));
    return 0;
}
