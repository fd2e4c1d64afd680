/* A flock from a scene's text that is stepped, read, led, and taken back; or a preset's state after
 * some steps:
 *
 *   flight                                  the tour
 *   flight SCENE STEPS [KEY=VALUE]...       the hash that
 *                                           "wingbeat run SCENE --steps STEPS --json" prints, and
 *                                           who is nearest to the origin */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wingbeat.h>

static const char SCENE[] =
    "[flock]\n"
    "boids = 400\n"
    "dimensions = 2\n"
    "dt = 0.1\n"
    "[spawn]\n"
    "spacing = 1.0\n"
    "[domain]\n"
    "kind = \"walled\"\n"
    "min = [-20, -20]\n"
    "max = [20, 20]\n"
    "[agent]\n"
    "max_speed = 2.0\n"
    "[separation]\n"
    "radius = 1.0\n"
    "[alignment]\n"
    "radius = 2.0\n"
    "[drive.errand]\n"
    "kind = \"goal\"\n"
    "arrival_radius = 2.0\n"
    "weight = 5.0\n";

/* Ends the program where something is not accepted. */
static void check(WingbeatStatus status) {
    if (status != WINGBEAT_OK) {
        fprintf(stderr, "flight: %s\n", wingbeat_last_error());
        exit(1);
    }
}

static void print_hash(WingbeatFlock flock) {
    uint64_t hash;
    check(wingbeat_state_hash(flock, &hash));
    printf("  \"state_hash\": \"%016" PRIx64 "\",\n", hash);
}

/* The boids nearest to the origin, each with the bits of its distance. */
static void print_near(WingbeatFlock flock) {
    const float origin[3] = {0.0f, 0.0f, 0.0f};
    uint64_t ids[5];
    float distances[5];
    size_t count;
    check(wingbeat_nearest(flock, origin, 5, ids, distances, 5, &count));
    printf("  \"near\": \"");
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &distances[i], sizeof bits);
        printf("%s%" PRIu64 ":%08" PRIx32, i == 0 ? "" : ",", ids[i], bits);
    }
    printf("\",\n");
}

/* Who is within 3 of the middle of the domain, in two calls: how many, then which. */
static void print_within(WingbeatFlock flock) {
    const float middle[2] = {0.0f, 0.0f};
    size_t count;
    check(wingbeat_within(flock, middle, 3.0f, NULL, NULL, 0, &count));
    uint64_t *ids = malloc((count + 1) * sizeof *ids);
    float *distances = malloc((count + 1) * sizeof *distances);
    if (ids == NULL || distances == NULL) exit(1);
    check(wingbeat_within(flock, middle, 3.0f, ids, distances, count, NULL));
    float farthest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        if (distances[i] > farthest) farthest = distances[i];
    }
    bool is_free;
    check(wingbeat_is_free(flock, middle, 0.5f, &is_free));
    printf("%zu boids within 3 of the middle, the farthest at %.2f; room for 0.5 there: %s\n",
           count, farthest, is_free ? "yes" : "no");
    free(ids);
    free(distances);
}

/* The middle of the flock, from columns: an axis after the other. */
static void print_middle(WingbeatFlock flock) {
    WingbeatColumns columns;
    check(wingbeat_positions(flock, &columns));
    printf("middle of %zu boids:", columns.count);
    for (uint32_t axis = 0; axis < columns.dimensions; axis++) {
        const float *values = columns.data + axis * columns.stride;
        double sum = 0.0;
        for (size_t i = 0; i < columns.count; i++) sum += values[i];
        printf(" %.2f", sum / (double)columns.count);
    }
    printf("\n");
}

/* Sends the boids 0 to 9 to a corner, and counts who arrives. */
static void run_errand(WingbeatFlock flock) {
    uint64_t ids[10];
    float goals[20];
    size_t arrived = 0;
    for (size_t i = 0; i < 10; i++) {
        ids[i] = i;
        goals[2 * i] = goals[2 * i + 1] = 15.0f;
    }
    check(wingbeat_set_goals(flock, ids, 10, goals, 20));
    check(wingbeat_step(flock, 400));
    WingbeatEvents events;
    check(wingbeat_events(flock, &events));
    for (size_t i = 0; i < events.count; i++) arrived += events.kind[i] == WINGBEAT_EVENT_ARRIVED;
    printf("%zu of 10 arrived\n", arrived);
    if (arrived == 0) exit(1);
    check(wingbeat_set_goals(flock, ids, 10, NULL, 0));
}

/* Steps on, goes back, and steps on again: the same bits. */
static void go_back(WingbeatFlock flock) {
    size_t size;
    uint64_t first, again;
    check(wingbeat_checkpoint(flock, NULL, 0, &size));
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) exit(1);
    check(wingbeat_checkpoint(flock, bytes, size, NULL));
    check(wingbeat_step(flock, 50));
    check(wingbeat_state_hash(flock, &first));
    check(wingbeat_restore(flock, bytes, size));
    check(wingbeat_step(flock, 50));
    check(wingbeat_state_hash(flock, &again));
    free(bytes);
    printf("gone back and on again: %s\n", first == again ? "the same bits" : "OTHER BITS");
    if (first != again) exit(1);
}

static void tour(void) {
    WingbeatFlock flock;
    WingbeatState state;
    WingbeatObserved observed;
    printf("wingbeat %s, levels %s\n", wingbeat_version(), wingbeat_levels());
    check(wingbeat_open_toml("errand", SCENE, NULL, &flock));
    check(wingbeat_step(flock, 100));
    check(wingbeat_state(flock, &state));
    check(wingbeat_observe(flock, &observed));
    printf("step %" PRIu64 ", time %.1f, level %s: polarization %.2f\n", state.steps, state.time,
           state.level, observed.polarization);
    print_middle(flock);
    print_within(flock);
    run_errand(flock);
    check(wingbeat_set(flock, "alignment.weight", "3"));
    go_back(flock);
    print_middle(flock);
    check(wingbeat_free(flock));
}

int main(int count, char **arguments) {
    if (wingbeat_interface() != WINGBEAT_INTERFACE) return 1;
    if (count < 3) {
        tour();
        return 0;
    }
    WingbeatOptions options = {0};
    options.overrides = (const char *const *)(arguments + 3);
    options.override_count = (size_t)(count - 3);
    WingbeatFlock flock;
    check(wingbeat_open(arguments[1], &options, &flock));
    check(wingbeat_step(flock, strtoull(arguments[2], NULL, 10)));
    print_hash(flock);
    print_near(flock);
    check(wingbeat_free(flock));
    return 0;
}
