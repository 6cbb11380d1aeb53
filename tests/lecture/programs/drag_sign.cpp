// Drag with the wrong sign. double; five decimals, one row per frame.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const int substeps = 32;
    const double dt = 1.0 / substeps, drag = 0.01;
    for (int frame = 0; frame <= 60; frame++) {
        std::printf("%d", frame);
        for (auto &m : rope.masses) std::printf(",%.5f,%.5f", m.position.x, m.position.y);
        std::printf("\n");
        for (int s = 0; s < substeps; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass + m.velocity * drag;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
