/* What a program may get wrong is answered: NULL, wrong sizes, numbers of no flock, flocks freed
 * twice, ids of no boid, broken checkpoints. `check` runs it under AddressSanitizer.
 *
 *   misuse                 every misuse that is answered
 *   misuse after-free      the one that is not: memory of a flock that was freed. AddressSanitizer
 *                          has to find it. */

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wingbeat.h>

static int wrong = 0;

static void expect_at(int line, int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "misuse.c:%d: %s; the last error is: %s\n", line, what,
                wingbeat_last_error());
        wrong = 1;
    }
}
#define EXPECT(holds) expect_at(__LINE__, (holds), #holds)
/* A refusal has a text of one line. */
#define REFUSED(call, status) \
    (EXPECT((call) == (status)), \
     EXPECT(wingbeat_last_error()[0] != '\0' && strchr(wingbeat_last_error(), '\n') == NULL))
#define DONE(call) EXPECT((call) == WINGBEAT_OK)

static WingbeatFlock open_small(void) {
    static const char scene[] =
        "[flock]\nboids = 20\ndimensions = 2\n[spawn]\nspacing = 1.0\n[cohesion]\nradius = 3.0\n";
    WingbeatOptions options = {0};
    WingbeatFlock flock = 0;
    options.threads = 1;
    DONE(wingbeat_open_toml("small", scene, &options, &flock));
    return flock;
}

static uint64_t hash_of(WingbeatFlock flock) {
    uint64_t hash = 0;
    DONE(wingbeat_state_hash(flock, &hash));
    return hash;
}

/* Every function that takes a flock, of a number that is of none. */
static void no_flock(WingbeatFlock none) {
    uint64_t ids[1] = {0}, number;
    float row[2] = {0};
    uint32_t species[1] = {0};
    uint8_t bytes[8] = {0};
    char text[8];
    size_t needed;
    WingbeatState state;
    WingbeatColumns columns;
    WingbeatIds told;
    WingbeatSpecies kinds;
    WingbeatEvents events;
    WingbeatObserved observed;
    REFUSED(wingbeat_free(none), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_step(none, 1), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_state(none, &state), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_positions(none, &columns), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_velocities(none, &columns), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_ids(none, &told), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_species(none, &kinds), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_events(none, &events), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_observe(none, &observed), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_state_hash(none, &number), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_explain(none, 0, text, sizeof text, &needed), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_notes(none, text, sizeof text, &needed), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_toml(none, text, sizeof text, &needed), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set(none, "cohesion.weight", "1"), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_positions(none, ids, 1, row, 2), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_velocities(none, ids, 1, row, 2), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_goals(none, ids, 1, row, 2), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_goals(none, ids, 1, NULL, 0), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_state(none, row, row, 2), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_trait(none, WINGBEAT_TRAIT_MASS, ids, 1, row), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_species(none, ids, 1, species), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_add(none, row, row, 2, &number), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_remove(none, ids, 1), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_set_obstacle_pose(none, "gate", row, 2, 0.0f), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_checkpoint(none, bytes, sizeof bytes, &needed), WINGBEAT_ERROR_HANDLE);
    REFUSED(wingbeat_restore(none, bytes, sizeof bytes), WINGBEAT_ERROR_HANDLE);
}

/* Every pointer that is needed, NULL. */
static void null_pointers(void) {
    WingbeatFlock flock = open_small();
    uint64_t ids[1] = {0}, before = hash_of(flock);
    float row[2] = {0};
    WingbeatOptions options = {0};
    WingbeatFlock other = 7;
    REFUSED(wingbeat_open(NULL, NULL, &other), WINGBEAT_ERROR_NULL);
    EXPECT(other == 0);
    REFUSED(wingbeat_open("shoal", NULL, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_open_toml("name", NULL, NULL, &other), WINGBEAT_ERROR_NULL);
    options.override_count = 1;
    REFUSED(wingbeat_open("shoal", &options, &other), WINGBEAT_ERROR_NULL);
    const char *overrides[2] = {"flock.boids=5", NULL};
    options.overrides = overrides;
    options.override_count = 2;
    REFUSED(wingbeat_open("shoal", &options, &other), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_state(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_positions(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_velocities(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_ids(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_species(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_events(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_observe(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_state_hash(flock, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_toml(flock, NULL, 0, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_toml(flock, NULL, 1000000, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_checkpoint(flock, NULL, 0, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_restore(flock, NULL, 100), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set(flock, NULL, "1"), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set(flock, "cohesion.weight", NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_positions(flock, NULL, 1, row, 2), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_positions(flock, ids, 1, NULL, 2), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_goals(flock, ids, 1, NULL, 2), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_state(flock, NULL, row, 2), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_species(flock, ids, 1, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_add(flock, row, NULL, 2, NULL), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_remove(flock, NULL, 3), WINGBEAT_ERROR_NULL);
    REFUSED(wingbeat_set_obstacle_pose(flock, NULL, row, 2, 0.0f), WINGBEAT_ERROR_NULL);
    /* Not at a multiple of its size. */
    REFUSED(wingbeat_remove(flock, (const uint64_t *)(const void *)((const char *)ids + 1), 1),
            WINGBEAT_ERROR_NULL);
    EXPECT(hash_of(flock) == before);
    DONE(wingbeat_remove(flock, NULL, 0));
    DONE(wingbeat_free(flock));
}

static void sizes_and_ids(void) {
    WingbeatFlock flock = open_small();
    uint64_t ids[2] = {3, 4}, before = hash_of(flock), first = 99;
    float rows[4] = {1, 2, 3, 4};
    REFUSED(wingbeat_set_positions(flock, ids, 2, rows, 3), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_positions(flock, ids, 1, rows, 4), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_positions(flock, ids, SIZE_MAX, rows, 4), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_positions(flock, ids, SIZE_MAX / 16, rows, SIZE_MAX), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_state(flock, rows, rows, 4), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_add(flock, rows, rows, 3, &first), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_obstacle_pose(flock, "gate", rows, 3, 0.0f), WINGBEAT_ERROR_SIZE);
    REFUSED(wingbeat_set_trait(flock, 17, ids, 2, rows), WINGBEAT_ERROR_INVALID);
    EXPECT(first == 99 && hash_of(flock) == before);

    /* An id removed twice, in one call and in two; an id that never was. */
    uint64_t twice[2] = {5, 5}, gone[1] = {5}, never[1] = {UINT64_MAX};
    REFUSED(wingbeat_remove(flock, twice, 2), WINGBEAT_ERROR_ID);
    DONE(wingbeat_remove(flock, gone, 1));
    REFUSED(wingbeat_remove(flock, gone, 1), WINGBEAT_ERROR_ID);
    REFUSED(wingbeat_remove(flock, never, 1), WINGBEAT_ERROR_ID);
    REFUSED(wingbeat_set_positions(flock, gone, 1, rows, 2), WINGBEAT_ERROR_ID);
    REFUSED(wingbeat_set_goals(flock, gone, 1, NULL, 0), WINGBEAT_ERROR_ID);
    REFUSED(wingbeat_set_trait(flock, WINGBEAT_TRAIT_MASS, gone, 1, rows), WINGBEAT_ERROR_ID);
    REFUSED(wingbeat_explain(flock, 5, NULL, 0, NULL), WINGBEAT_ERROR_ID);
    DONE(wingbeat_add(flock, rows, rows, 4, &first));
    EXPECT(first == 20);

    /* Room that is too small stays as it is. */
    size_t needed = 0;
    char text[4] = {7, 7, 7, 7};
    REFUSED(wingbeat_toml(flock, text, sizeof text, &needed), WINGBEAT_ERROR_SIZE);
    EXPECT(needed > sizeof text && text[0] == 7 && text[3] == 7);
    char *room = malloc(needed);
    if (room == NULL) exit(1);
    REFUSED(wingbeat_toml(flock, room, needed - 1, NULL), WINGBEAT_ERROR_SIZE);
    DONE(wingbeat_toml(flock, room, needed, NULL));
    EXPECT(strlen(room) == needed - 1);
    free(room);
    DONE(wingbeat_free(flock));
}

static void texts(void) {
    WingbeatFlock flock = open_small(), other;
    WingbeatOptions options = {0};
    const char *override = "flock.boids";
    REFUSED(wingbeat_open("no_such_preset", NULL, &other), WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_open("\xff\xfe", NULL, &other), WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_open_toml(NULL, "[flock\nboids = \"\xc3\"", NULL, &other),
            WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_open_toml(NULL, "", NULL, &other), WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_set(flock, "\xc3\x28", "1"), WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_set(flock, "cohesion.weight", "a\nb"), WINGBEAT_ERROR_INVALID);
    REFUSED(wingbeat_set(flock, "flock.boids", "3"), WINGBEAT_ERROR_INVALID);
    options.overrides = &override;
    options.override_count = 1;
    REFUSED(wingbeat_open("shoal", &options, &other), WINGBEAT_ERROR_INVALID);
    memset(&options, 0, sizeof options);
    options.threads = 4000;
    REFUSED(wingbeat_open("shoal", &options, &other), WINGBEAT_ERROR_INVALID);
    options.threads = 0;
    options.level = "sse9";
    REFUSED(wingbeat_open("shoal", &options, &other), WINGBEAT_ERROR_INVALID);

    /* A scene that nests deeper than any stack. */
    const size_t deep = 100000;
    char *nested = malloc(deep + 1);
    if (nested == NULL) exit(1);
    memset(nested, '[', deep);
    memcpy(nested, "a=", 2);
    nested[deep] = '\0';
    REFUSED(wingbeat_open_toml(NULL, nested, NULL, &other), WINGBEAT_ERROR_INVALID);
    free(nested);
    EXPECT(wingbeat_preset(0) != NULL && wingbeat_preset(SIZE_MAX) == NULL);
    DONE(wingbeat_free(flock));
}

/* Every cut and many flipped bytes of a checkpoint. */
static void broken_checkpoints(void) {
    WingbeatFlock flock = open_small(), space;
    WingbeatOptions options = {0};
    const char *few = "flock.boids=5";
    size_t size = 0;
    uint64_t before = hash_of(flock);
    DONE(wingbeat_checkpoint(flock, NULL, 0, &size));
    uint8_t *bytes = malloc(size), *broken = malloc(size);
    if (bytes == NULL || broken == NULL) exit(1);
    REFUSED(wingbeat_checkpoint(flock, bytes, size - 1, NULL), WINGBEAT_ERROR_SIZE);
    DONE(wingbeat_checkpoint(flock, bytes, size, NULL));
    for (size_t cut = 0; cut < size; cut += 1 + size / 50)
        REFUSED(wingbeat_restore(flock, bytes, cut), WINGBEAT_ERROR_INVALID);
    for (size_t place = 0; place < size; place += 1 + size / 200) {
        memcpy(broken, bytes, size);
        broken[place] ^= 0x55;
        REFUSED(wingbeat_restore(flock, broken, size), WINGBEAT_ERROR_INVALID);
    }
    options.overrides = &few;
    options.override_count = 1;
    DONE(wingbeat_open("murmuration", &options, &space));
    REFUSED(wingbeat_restore(space, bytes, size), WINGBEAT_ERROR_INVALID);
    EXPECT(hash_of(flock) == before);
    DONE(wingbeat_restore(flock, bytes, size));
    free(bytes);
    free(broken);
    DONE(wingbeat_free(space));
    DONE(wingbeat_free(flock));
}

/* A pointer to columns reads the old state until the program asks for the next. */
static void old_columns(void) {
    WingbeatFlock flock = open_small();
    WingbeatColumns old, now;
    WingbeatIds ids;
    float *copy;
    DONE(wingbeat_positions(flock, &old));
    DONE(wingbeat_ids(flock, &ids));
    copy = malloc(sizeof *copy * 20);
    if (copy == NULL) exit(1);
    memcpy(copy, old.data, sizeof *copy * 20);
    DONE(wingbeat_step(flock, 50));
    DONE(wingbeat_velocities(flock, &now));
    DONE(wingbeat_remove(flock, ids.data, 10));
    EXPECT(memcmp(copy, old.data, sizeof *copy * 20) == 0);
    /* Memory of the flock's may be given back to it. */
    DONE(wingbeat_set_velocities(flock, ids.data + 10, 10, now.data, 20));
    DONE(wingbeat_positions(flock, &now));
    EXPECT(now.count == 10 && now.dimensions == 2 && now.stride >= now.count);
    free(copy);
    DONE(wingbeat_free(flock));
}

static void *step_often(void *flock) {
    for (int i = 0; i < 200; i++) {
        if (wingbeat_step(*(WingbeatFlock *)flock, 1) != WINGBEAT_OK) return flock;
    }
    return NULL;
}

/* The same flock in two threads, then two flocks, then one that is freed while it steps. */
static void threads(void) {
    WingbeatFlock one = open_small(), two = open_small();
    pthread_t other;
    void *failed = NULL;
    WingbeatState state;
    if (pthread_create(&other, NULL, step_often, &one) != 0) exit(1);
    EXPECT(step_often(&one) == NULL);
    pthread_join(other, &failed);
    DONE(wingbeat_state(one, &state));
    EXPECT(failed == NULL && state.steps == 400);

    if (pthread_create(&other, NULL, step_often, &two) != 0) exit(1);
    EXPECT(step_often(&one) == NULL);
    pthread_join(other, &failed);
    EXPECT(failed == NULL);
    DONE(wingbeat_step(two, 400));
    EXPECT(hash_of(one) == hash_of(two));

    if (pthread_create(&other, NULL, step_often, &two) != 0) exit(1);
    DONE(wingbeat_free(two));
    pthread_join(other, &failed);
    REFUSED(wingbeat_step(two, 1), WINGBEAT_ERROR_HANDLE);
    DONE(wingbeat_free(one));
}

static int after_free(void) {
    WingbeatFlock flock = open_small();
    WingbeatColumns columns;
    DONE(wingbeat_positions(flock, &columns));
    DONE(wingbeat_free(flock));
    printf("%f\n", (double)columns.data[0]);
    return 0;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "after-free") == 0) return after_free();
    EXPECT(wingbeat_last_error()[0] == '\0');
    no_flock(0);
    no_flock(1);
    no_flock(UINT64_MAX);
    WingbeatFlock freed = open_small();
    DONE(wingbeat_free(freed));
    no_flock(freed);
    WingbeatFlock next = open_small();
    EXPECT(next != freed);
    no_flock(freed);
    DONE(wingbeat_free(next));
    null_pointers();
    sizes_and_ids();
    texts();
    broken_checkpoints();
    old_columns();
    threads();
    if (wrong == 0) printf("every misuse is answered\n");
    return wrong;
}
