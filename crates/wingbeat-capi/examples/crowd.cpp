// A crowd in C++17: people leave a room, newcomers are added and others taken out, and two rooms
// are emptied at once by two threads.

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <wingbeat.hpp>

namespace {

using wingbeat::Flock;

// Steps until every boid has left, and tells how many did.
std::size_t empty(Flock &flock) {
    std::size_t left = 0;
    for (int round = 0; round < 100 && flock.state().count > 0; round++) {
        flock.step(200);
        const WingbeatEvents events = flock.events();
        for (std::size_t i = 0; i < events.count; i++)
            left += events.kind[i] == WINGBEAT_EVENT_EXITED ||
                    events.kind[i] == WINGBEAT_EVENT_ARRIVED;
    }
    return left;
}

void expect(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "crowd: %s\n", what);
        std::exit(1);
    }
}

}  // namespace

int main() {
    try {
        WingbeatOptions alone = {};
        alone.threads = 1;
        Flock one = Flock::open("evacuation", {"flock.boids=40"}, alone);
        Flock two = Flock::open("evacuation", {"flock.boids=40", "flock.seed=9"}, alone);

        // One goes, and comes again at the place where another boid was.
        const WingbeatColumns columns = one.positions();
        const std::uint64_t last = one.ids().data[columns.count - 1];
        const std::vector<float> there = {columns.data[columns.count - 1],
                                          columns.data[columns.stride + columns.count - 1]};
        one.remove({last});
        const std::uint64_t newcomer = one.add(there, {0.0f, 0.0f});
        expect(newcomer != last && one.state().count == 40, "ids are never given again");
        expect(one.explain(newcomer).find("\"boid\"") != std::string::npos, "an explanation");

        std::size_t gone[2] = {0, 0};
        std::thread other([&] { gone[1] = empty(two); });
        gone[0] = empty(one);
        other.join();
        std::printf("%zu and %zu have left\n", gone[0], gone[1]);
        expect(gone[0] > 0 && gone[1] > 0, "no boid found the door");

        // What is not accepted is thrown, in the words of the command.
        try {
            one.set("agent.max_spede", "3");
            expect(false, "a key that is not");
        } catch (const wingbeat::Error &error) {
            expect(error.status() == WINGBEAT_ERROR_INVALID, error.what());
            std::printf("refused: %s\n", error.what());
        }

        // A checkpoint, and a flock that is moved.
        const std::vector<std::uint8_t> bytes = two.checkpoint();
        Flock moved = std::move(two);
        moved.step(10);
        moved.restore(bytes);
        expect(moved.checkpoint() == bytes, "a checkpoint comes back as it was");
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "crowd: %s\n", error.what());
        return 1;
    }
}
