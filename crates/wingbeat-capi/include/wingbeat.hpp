// Wingbeat's flocks for C++17: a thin layer over wingbeat.h, in which flocks free themselves and
// refusals are thrown.
//
// A wingbeat::Flock moves and does not copy. What wingbeat.h says holds here too; memory behind
// columns() and the like is the flock's, and stays until the same is asked for again or the flock
// ends.

#ifndef WINGBEAT_HPP
#define WINGBEAT_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wingbeat.h"

namespace wingbeat {

// What was not accepted, in words, and of which kind it is.
class Error : public std::runtime_error {
public:
    explicit Error(WingbeatStatus status)
        : std::runtime_error(wingbeat_last_error()), status_(status) {}
    WingbeatStatus status() const noexcept { return status_; }

private:
    WingbeatStatus status_;
};

inline void check(WingbeatStatus status) {
    if (status != WINGBEAT_OK) throw Error(status);
}

class Flock {
public:
    // Presets by name, files by path; overrides are "KEY=VALUE".
    static Flock open(const std::string &scene, const std::vector<std::string> &overrides = {},
                      WingbeatOptions options = {}) {
        Flock flock;
        std::vector<const char *> texts = pointers(overrides, options);
        check(wingbeat_open(scene.c_str(), &options, &flock.flock_));
        return flock;
    }

    // From a scene's TOML.
    static Flock parse(const std::string &toml, const std::vector<std::string> &overrides = {},
                       WingbeatOptions options = {}) {
        Flock flock;
        std::vector<const char *> texts = pointers(overrides, options);
        check(wingbeat_open_toml(nullptr, toml.c_str(), &options, &flock.flock_));
        return flock;
    }

    Flock(Flock &&other) noexcept : flock_(std::exchange(other.flock_, 0)) {}
    Flock &operator=(Flock &&other) noexcept {
        std::swap(flock_, other.flock_);
        return *this;
    }
    Flock(const Flock &) = delete;
    Flock &operator=(const Flock &) = delete;
    ~Flock() {
        if (flock_ != 0) wingbeat_free(flock_);
    }

    // For functions of wingbeat.h.
    WingbeatFlock get() const noexcept { return flock_; }

    void step(std::uint64_t steps = 1) { check(wingbeat_step(flock_, steps)); }
    void set(const std::string &key, const std::string &value) {
        check(wingbeat_set(flock_, key.c_str(), value.c_str()));
    }

    WingbeatState state() const { return ask<WingbeatState>(wingbeat_state); }
    WingbeatObserved observe() const { return ask<WingbeatObserved>(wingbeat_observe); }
    std::uint64_t state_hash() const { return ask<std::uint64_t>(wingbeat_state_hash); }
    WingbeatColumns positions() const { return ask<WingbeatColumns>(wingbeat_positions); }
    WingbeatColumns velocities() const { return ask<WingbeatColumns>(wingbeat_velocities); }
    WingbeatIds ids() const { return ask<WingbeatIds>(wingbeat_ids); }
    WingbeatSpecies species() const { return ask<WingbeatSpecies>(wingbeat_species); }
    WingbeatEvents events() const { return ask<WingbeatEvents>(wingbeat_events); }

    // Boids near a point: ids, and how far each is.
    struct Near {
        std::vector<std::uint64_t> ids;
        std::vector<float> distances;
    };
    // point: as many numbers as the scene has dimensions.
    Near within(const std::vector<float> &point, float radius) const {
        check_point(point);
        return near([&](std::uint64_t *ids, float *distances, std::size_t room,
                        std::size_t *needed) {
            return wingbeat_within(flock_, point.data(), radius, ids, distances, room, needed);
        });
    }
    Near nearest(const std::vector<float> &point, std::size_t count = 1) const {
        check_point(point);
        return near([&](std::uint64_t *ids, float *distances, std::size_t room,
                        std::size_t *needed) {
            return wingbeat_nearest(flock_, point.data(), count, ids, distances, room, needed);
        });
    }
    bool is_free(const std::vector<float> &point, float radius) const {
        check_point(point);
        bool is_free = false;
        check(wingbeat_is_free(flock_, point.data(), radius, &is_free));
        return is_free;
    }

    void set_positions(const std::vector<std::uint64_t> &ids, const std::vector<float> &rows) {
        check(wingbeat_set_positions(flock_, ids.data(), ids.size(), rows.data(), rows.size()));
    }
    void set_velocities(const std::vector<std::uint64_t> &ids, const std::vector<float> &rows) {
        check(wingbeat_set_velocities(flock_, ids.data(), ids.size(), rows.data(), rows.size()));
    }
    void set_goals(const std::vector<std::uint64_t> &ids, const std::vector<float> &rows) {
        check(wingbeat_set_goals(flock_, ids.data(), ids.size(), rows.data(), rows.size()));
    }
    // The id of the first; those of the others follow.
    std::uint64_t add(const std::vector<float> &positions, const std::vector<float> &velocities) {
        if (positions.size() != velocities.size())
            throw std::invalid_argument("add: as many velocities as positions are needed");
        std::uint64_t first = 0;
        check(wingbeat_add(flock_, positions.data(), velocities.data(), positions.size(), &first));
        return first;
    }
    void remove(const std::vector<std::uint64_t> &ids) {
        check(wingbeat_remove(flock_, ids.data(), ids.size()));
    }

    std::vector<std::uint8_t> checkpoint() const {
        std::size_t needed = 0;
        check(wingbeat_checkpoint(flock_, nullptr, 0, &needed));
        std::vector<std::uint8_t> bytes(needed);
        check(wingbeat_checkpoint(flock_, bytes.data(), bytes.size(), &needed));
        return bytes;
    }
    void restore(const std::vector<std::uint8_t> &bytes) {
        check(wingbeat_restore(flock_, bytes.data(), bytes.size()));
    }

    std::string toml() const { return text(wingbeat_toml); }
    std::string notes() const { return text(wingbeat_notes); }
    // Why a boid goes where it goes, as JSON.
    std::string explain(std::uint64_t id) const {
        return text(
            [id](WingbeatFlock flock, char *room, std::size_t capacity, std::size_t *needed) {
                return wingbeat_explain(flock, id, room, capacity, needed);
            });
    }

private:
    Flock() = default;

    void check_point(const std::vector<float> &point) const {
        if (point.size() != state().dimensions)
            throw std::invalid_argument("point: as many numbers as dimensions are needed");
    }
    template <typename Ask> static Near near(Ask ask) {
        Near found;
        std::size_t needed = 0;
        check(ask(nullptr, nullptr, 0, &needed));
        found.ids.resize(needed);
        found.distances.resize(needed);
        if (needed > 0) check(ask(found.ids.data(), found.distances.data(), needed, &needed));
        return found;
    }

    static std::vector<const char *> pointers(const std::vector<std::string> &overrides,
                                              WingbeatOptions &options) {
        std::vector<const char *> texts;
        for (const std::string &text : overrides) texts.push_back(text.c_str());
        if (!texts.empty()) {
            options.overrides = texts.data();
            options.override_count = texts.size();
        }
        return texts;
    }
    template <typename T> T ask(WingbeatStatus (*function)(WingbeatFlock, T *)) const {
        T told{};
        check(function(flock_, &told));
        return told;
    }
    template <typename Function> std::string text(Function function) const {
        std::size_t needed = 0;
        check(function(flock_, nullptr, 0, &needed));
        std::string text(needed, '\0');
        check(function(flock_, text.data(), text.size(), &needed));
        text.pop_back();
        return text;
    }

    WingbeatFlock flock_ = 0;
};

}  // namespace wingbeat

#endif  // WINGBEAT_HPP
