// Explicit Euler without drag, in double; it explodes. 17 digits, frames from 1, tabs.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64;
    for (int frame = 1; frame <= 60; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::printf("%d\t%zu\t%.17g\t%.17g\n", frame, i, rope.masses[i].position.x, rope.masses[i].position.y);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass;
                m.position += m.velocity * dt;
                m.velocity += m.forces / m.mass * dt;
            }
        }
    }
}
