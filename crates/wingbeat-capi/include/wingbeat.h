/* Wingbeat's flocks and scenes for C and C++.
 *
 * Written by cbindgen from crates/wingbeat-capi/src; README.md beside it says how to build, link
 * and use it.
 *
 * Every function but those that take no flock answers with a WingbeatStatus, and
 * wingbeat_last_error says in words what was not accepted. Whatever fails changes nothing.
 *
 * Numbers of flocks may be any: those of no flock are answered. A pointer may be NULL where a
 * function says so, and NULL is answered where it must not be. Any other pointer has to point to as
 * many values as are said to be there, and no other thread may write them during the call. Texts
 * are UTF-8 and end in NUL.
 *
 * Functions may be called from any thread. Different flocks step at the same time; calls for the
 * same flock wait for one another. */


#ifndef WINGBEAT_H
#define WINGBEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Number of this interface: functions and structs of headers with the same number fit together.
// wingbeat_interface tells the library's.
#define WINGBEAT_INTERFACE 1

// In WingbeatEvents.other: there is nothing else to tell.
#define WINGBEAT_NOTHING_ELSE UINT64_MAX

// What a function answers: WINGBEAT_OK, or why it did nothing. wingbeat_last_error says it in
// words.
typedef enum {
    // It is done.
    WINGBEAT_OK = 0,
    // The number is of no flock, or the flock was freed.
    WINGBEAT_ERROR_HANDLE = 1,
    // A pointer that is needed is NULL, or is not aligned for what it points to.
    WINGBEAT_ERROR_NULL = 2,
    // An array is not as long as it has to be, or the room for an answer is too small; then
    // nothing was written to it.
    WINGBEAT_ERROR_SIZE = 3,
    // An id is of no living boid, or is to be removed twice.
    WINGBEAT_ERROR_ID = 4,
    // A scene, file, key, value, text or checkpoint is not accepted.
    WINGBEAT_ERROR_INVALID = 5,
    // The machine failed: threads that would not start.
    WINGBEAT_ERROR_MACHINE = 6,
    // A fault in Wingbeat; please report it. A flock that was at work is lost: wingbeat_free is
    // all that is left to do with it.
    WINGBEAT_ERROR_PANIC = 7,
} WingbeatStatus;

// Kinds of events.
typedef enum {
    // A boid caught its prey, which has left the flock.
    WINGBEAT_EVENT_CAPTURED = 0,
    // A boid has come to a goal.
    WINGBEAT_EVENT_ARRIVED = 1,
    // A boid has left the flock by an exit.
    WINGBEAT_EVENT_EXITED = 2,
    // A moving obstacle overlaps a body that has no room to give way.
    WINGBEAT_EVENT_SQUEEZED = 3,
    // A boid has left an absorbing domain, and so the flock.
    WINGBEAT_EVENT_LEFT = 4,
    // A boid has come from a source.
    WINGBEAT_EVENT_ENTERED = 5,
} WingbeatEvent;

// What wingbeat_set_trait changes.
typedef enum {
    // Maximum speed.
    WINGBEAT_TRAIT_MAX_SPEED = 0,
    // Mass.
    WINGBEAT_TRAIT_MASS = 1,
    // Radius of the body, in flocks with bodies.
    WINGBEAT_TRAIT_RADIUS = 2,
} WingbeatTrait;

// How a flock is opened. All zeros is the usual: WingbeatOptions options = {0}; set what differs.
typedef struct {
    // Threads that step the flock, 1 to 1024, started for it alone; 1: the calling thread, and
    // none is started. 0: as many as the machine has, which all flocks of the program share. No
    // result depends on it.
    uint32_t threads;
    // Name of a SIMD level of wingbeat_levels; NULL: the best that the machine has. No result
    // depends on it.
    const char *level;
    // Keys of the scene that are changed before the flock is built, each "KEY=VALUE" with a TOML
    // value, for example "flock.boids=500".
    const char *const *overrides;
    // How many there are.
    size_t override_count;
    // Where boids start, in rows: as many numbers for each as the scene has dimensions. They get
    // the ids 0, 1, 2 and so on. NULL: as the scene says.
    const float *start_positions;
    // Their velocities, in rows. NULL with start_positions: all at rest.
    const float *start_velocities;
    // How many numbers start_positions has, and start_velocities: boids times dimensions.
    size_t start_numbers;
    // Their species, as places in the scene's list. NULL: as the scene deals them out.
    const uint32_t *start_species;
    // How many start_species has: as many as there are boids.
    size_t start_species_count;
} WingbeatOptions;

// A flock: a number that the library gives. 0 is never one, and a number is never given twice, so
// that a flock that was freed is answered with WINGBEAT_ERROR_HANDLE wherever it is used.
typedef uint64_t WingbeatFlock;

// How things stand with a flock.
typedef struct {
    // Steps made.
    uint64_t steps;
    // Time passed, in the scene's unit.
    double time;
    // Time of one step, in the scene's unit.
    double dt;
    // Number of boids.
    size_t count;
    // 2 or 3.
    uint32_t dimensions;
    // Threads that step it.
    uint32_t threads;
    // Name of its SIMD level; the text stays for as long as the program runs.
    const char *level;
} WingbeatState;

// Positions or velocities of all boids at one moment, an axis after the other: component a of the
// boid in row i is data[a * stride + i].
typedef struct {
    // The numbers; NULL where there are none. The memory is the flock's.
    const float *data;
    // Numbers from one component of a boid to its next, at least count.
    size_t stride;
    // Number of boids.
    size_t count;
    // 2 or 3.
    uint32_t dimensions;
} WingbeatColumns;

// Who is in which row.
typedef struct {
    // An id for each row; NULL where there is no boid. The memory is the flock's.
    const uint64_t *data;
    // Number of boids.
    size_t count;
} WingbeatIds;

// Of which species the boid in each row is.
typedef struct {
    // Places in the scene's list of species; NULL where the scene has none. The memory is the
    // flock's.
    const uint32_t *data;
    // Number of boids; 0 where the scene has no species.
    size_t count;
} WingbeatSpecies;

// What happened in the steps of the last wingbeat_step, in columns of as many rows, in the order
// in which it happened.
typedef struct {
    // In which step: the first of a flock is 1. All four are NULL where nothing happened; the
    // memory is the flock's.
    const uint64_t *step;
    // What: numbers of WingbeatEvent.
    const uint8_t *kind;
    // To which; of a capture, the captor.
    const uint64_t *boid;
    // Which boids it captured, or the place of the drive, exit or source in the scene;
    // WINGBEAT_NOTHING_ELSE where there is none.
    const uint64_t *other;
    // How many events.
    size_t count;
} WingbeatEvents;

// What can be said of a flock as a whole; NaN where a flock of no boid has no such number.
typedef struct {
    // Length of the mean direction: 1 where all go one way, about 0 where they go anywhere.
    double polarization;
    // How far they go round a common middle: 1 is a mill.
    double milling;
    // Mean speed, in the scene's units.
    double mean_speed;
} WingbeatObserved;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Version of the library, for example "0.1.0". The text stays for as long as the program runs.
const char *wingbeat_version(void);

// Number of the library's interface. If it is not WINGBEAT_INTERFACE of the header that a program
// was compiled with, they do not fit.
uint32_t wingbeat_interface(void);

// Why the last function that failed on this thread did so: one line of UTF-8, empty if none did
// yet. The pointer is the same for as long as the thread lives, and what it points to changes when
// the next function fails; longer texts are cut at 2047 bytes.
const char *wingbeat_last_error(void);

// SIMD levels that this machine has, lowest first, for example "portable, avx2". The text stays
// for as long as the program runs.
const char *wingbeat_levels(void);

// Name of a preset, counted from 0; NULL where there are no more. The text stays for as long as
// the program runs.
const char *wingbeat_preset(size_t place);

// Opens a preset, or a scene in a file; what has an ending or a slash is a path. options may be
// NULL: all as usual. wingbeat_free frees the flock when it is no longer needed.
//
// Errors: WINGBEAT_ERROR_INVALID for a scene, file or option that is not accepted,
// WINGBEAT_ERROR_MACHINE for threads that would not start; *flock is 0 then.
WingbeatStatus wingbeat_open(const char *scene,
                             const WingbeatOptions *options,
                             WingbeatFlock *flock);

// Opens a scene from its TOML text; name is what messages call it, NULL: "scene". Files that it
// names are looked for in the working directory.
//
// Errors: as wingbeat_open.
WingbeatStatus wingbeat_open_toml(const char *name,
                                  const char *toml,
                                  const WingbeatOptions *options,
                                  WingbeatFlock *flock);

// Frees a flock. All pointers to its memory (columns, ids, species, events) end with it. A number
// that was freed, also twice, is answered.
WingbeatStatus wingbeat_free(WingbeatFlock flock);

// Makes so many steps; see wingbeat_events for what happens in them.
WingbeatStatus wingbeat_step(WingbeatFlock flock, uint64_t steps);

// Tells how things stand: steps, time, number of boids, dimensions and the like.
WingbeatStatus wingbeat_state(WingbeatFlock flock, WingbeatState *state);

// Positions of all boids, without copying. The memory stays as it is, also while the flock steps
// on, until this function is called for the flock again or the flock is freed.
//
// Rows are in the order in which the flock keeps its boids, which changes from step to step;
// wingbeat_ids has the id of each slot. What is asked for without a step or a change between
// (positions, velocities, ids, species) has the same rows.
WingbeatStatus wingbeat_positions(WingbeatFlock flock, WingbeatColumns *columns);

// Velocities of all boids, as wingbeat_positions tells positions.
WingbeatStatus wingbeat_velocities(WingbeatFlock flock, WingbeatColumns *columns);

// Who is in which row; the memory stays as that of wingbeat_positions does.
WingbeatStatus wingbeat_ids(WingbeatFlock flock, WingbeatIds *ids);

// Of which species the boid in each row is; the memory stays as that of wingbeat_positions does.
WingbeatStatus wingbeat_species(WingbeatFlock flock, WingbeatSpecies *species);

// What happened in the steps of the last wingbeat_step; the memory stays as that of
// wingbeat_positions does.
WingbeatStatus wingbeat_events(WingbeatFlock flock, WingbeatEvents *events);

// Polarization, milling and mean speed.
WingbeatStatus wingbeat_observe(WingbeatFlock flock, WingbeatObserved *observed);

// Hash of positions, velocities and ids, as "wingbeat run --json" prints it: two flocks with the
// same hash are in the same state, bit for bit.
WingbeatStatus wingbeat_state_hash(WingbeatFlock flock, uint64_t *hash);

// All boids within a radius of a point, at exactly the radius included: their ids, and in
// distances, unless that is NULL, how far each is from the point, through the nearest image in a
// periodic box. point has as many numbers as the scene has dimensions. They come in an order that
// is the same on every machine.
//
// Room for capacity of them is at ids, and at distances as well. *needed is told how many there
// are; with ids NULL and capacity 0 nothing else is done. Either of ids and needed may be NULL,
// not both.
//
// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that, and nothing is written to ids and
// distances then; WINGBEAT_ERROR_INVALID for a point that is not finite, or a radius that is below
// 0 or not finite.
WingbeatStatus wingbeat_within(WingbeatFlock flock,
                               const float *point,
                               float radius,
                               uint64_t *ids,
                               float *distances,
                               size_t capacity,
                               size_t *needed);

// The count boids nearest to a point, the nearest first; all of them where there are fewer. point,
// ids, distances, capacity and needed are as in wingbeat_within.
//
// Errors: WINGBEAT_ERROR_SIZE if capacity is less than how many there are; WINGBEAT_ERROR_INVALID
// for a point that is not finite.
WingbeatStatus wingbeat_nearest(WingbeatFlock flock,
                                const float *point,
                                size_t count,
                                uint64_t *ids,
                                float *distances,
                                size_t capacity,
                                size_t *needed);

// Whether a body of a radius has room at a point: in the domain, off its walls and all obstacles
// by the radius, and overlapping no boid's body; in a flock of points no boid may be nearer than
// the radius. *is_free is told. point is as in wingbeat_within.
//
// Errors: WINGBEAT_ERROR_INVALID as wingbeat_within.
WingbeatStatus wingbeat_is_free(WingbeatFlock flock,
                                const float *point,
                                float radius,
                                bool *is_free);

// Why a boid goes where it goes in the next step, as JSON: the text of "wingbeat explain --json",
// which boids it sees, every term, what they come to. The flock is sorted for it as its next step
// would, which changes rows and nothing else. text, capacity and needed are as in wingbeat_toml.
//
// Errors: WINGBEAT_ERROR_ID for an id of no living boid, WINGBEAT_ERROR_INVALID in scenes whose
// boids move one after the other.
WingbeatStatus wingbeat_explain(WingbeatFlock flock,
                                uint64_t id,
                                char *text,
                                size_t capacity,
                                size_t *needed);

// What is accepted but unlikely to be meant, and what was done to the initial state: one line
// each, empty if there is nothing to tell. text, capacity and needed are as in wingbeat_toml.
WingbeatStatus wingbeat_notes(WingbeatFlock flock, char *text, size_t capacity, size_t *needed);

// Changes a key of the scene from the next step on, for example "cohesion.weight" to "0.5"; the
// value is written as in TOML, and a bare word is a text.
//
// Errors: WINGBEAT_ERROR_INVALID for a key or value that is not accepted, or that takes effect
// only when a flock is opened; nothing is changed then.
WingbeatStatus wingbeat_set(WingbeatFlock flock, const char *key, const char *value);

// Moves many boids, all or none: rows has as many numbers for each id as there are dimensions, one
// boid after the other, in the scene's units. numbers is how many it has. Of an id that is named
// twice the last row counts.
//
// Errors: WINGBEAT_ERROR_SIZE if numbers is not count times dimensions, WINGBEAT_ERROR_ID for an
// id of no living boid, WINGBEAT_ERROR_INVALID for a number that is not accepted; nothing is
// changed then.
WingbeatStatus wingbeat_set_positions(WingbeatFlock flock,
                                      const uint64_t *ids,
                                      size_t count,
                                      const float *rows,
                                      size_t numbers);

// Changes the velocities of many boids, all or none, as wingbeat_set_positions does positions.
WingbeatStatus wingbeat_set_velocities(WingbeatFlock flock,
                                       const uint64_t *ids,
                                       size_t count,
                                       const float *rows,
                                       size_t numbers);

// Gives many boids goals of their own, all or none, as wingbeat_set_positions does positions; the
// scene's drives of the kind goal lead there. With rows NULL and numbers 0 they have none of their
// own any more.
WingbeatStatus wingbeat_set_goals(WingbeatFlock flock,
                                  const uint64_t *ids,
                                  size_t count,
                                  const float *rows,
                                  size_t numbers);

// Moves every boid at once: rows by ascending id, as many numbers in each array as boids times
// dimensions.
//
// Errors: as wingbeat_set_positions.
WingbeatStatus wingbeat_set_state(WingbeatFlock flock,
                                  const float *positions,
                                  const float *velocities,
                                  size_t numbers);

// Changes a number that boids have of their own, all or none: kind is a number of WingbeatTrait,
// and values has one for each id. With values NULL they have that of their species again.
//
// Errors: WINGBEAT_ERROR_ID for an id of no living boid, WINGBEAT_ERROR_INVALID for a kind or
// number that is not accepted; nothing is changed then.
WingbeatStatus wingbeat_set_trait(WingbeatFlock flock,
                                  uint32_t kind,
                                  const uint64_t *ids,
                                  size_t count,
                                  const float *values);

// Changes the species of many boids, all or none: a place in the scene's list of species for each
// id.
//
// Errors: as wingbeat_set_trait.
WingbeatStatus wingbeat_set_species(WingbeatFlock flock,
                                    const uint64_t *ids,
                                    size_t count,
                                    const uint32_t *species);

// Adds many boids, all or none, in rows; numbers is how many each array has. Their ids follow one
// another from *first_id on, which may be NULL.
//
// Errors: WINGBEAT_ERROR_SIZE if numbers is no multiple of the dimensions, WINGBEAT_ERROR_INVALID
// for a number that is not accepted or where there is no room; nothing is changed then.
WingbeatStatus wingbeat_add(WingbeatFlock flock,
                            const float *positions,
                            const float *velocities,
                            size_t numbers,
                            uint64_t *first_id);

// Removes boids, all or none.
//
// Errors: WINGBEAT_ERROR_ID for an id that is of no living boid or named twice; nothing is changed
// then.
WingbeatStatus wingbeat_remove(WingbeatFlock flock, const uint64_t *ids, size_t count);

// Says where an obstacle whose motion is "host" will be after the next step: position is what is
// added to its shape's coordinates, as many numbers as there are dimensions; angle turns the shape
// about its origin, in degrees counterclockwise, -360 to 360, and 0 in space.
//
// Errors: WINGBEAT_ERROR_SIZE if numbers is not the dimensions, WINGBEAT_ERROR_INVALID for an
// obstacle that is not there or that the host does not move.
WingbeatStatus wingbeat_set_obstacle_pose(WingbeatFlock flock,
                                          const char *name,
                                          const float *position,
                                          size_t numbers,
                                          float angle);

// Writes a checkpoint: everything that a later step depends on, as bytes with a checksum, which
// another flock of the same scene goes on from in the same bits, on any machine.
//
// *needed is told how many bytes there are; with bytes NULL and capacity 0 nothing else is done.
// Either of bytes and needed may be NULL, not both.
//
// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that; nothing is written to bytes then.
WingbeatStatus wingbeat_checkpoint(WingbeatFlock flock,
                                   uint8_t *bytes,
                                   size_t capacity,
                                   size_t *needed);

// Goes on from a checkpoint of a flock of the same scene.
//
// Errors: WINGBEAT_ERROR_INVALID if the bytes are no whole checkpoint, or one of a flock of other
// dimensions; nothing is changed then.
WingbeatStatus wingbeat_restore(WingbeatFlock flock, const uint8_t *bytes, size_t size);

// Writes the scene with all changes, as TOML with a final NUL.
//
// *needed is told how many bytes there are, the NUL among them; with text NULL and capacity 0
// nothing else is done. Either of text and needed may be NULL, not both.
//
// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that; nothing is written to text then.
WingbeatStatus wingbeat_toml(WingbeatFlock flock, char *text, size_t capacity, size_t *needed);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WINGBEAT_H */
