// Verlet with spring forces whose damping mixes the new position with the old one:
// 0.99 x_new + 0.01 x. double; nine digits; one row per frame.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 16;
    std::printf("frame");
    for (int i = 0; i < 6; i++) std::printf(",x%d,y%d", i, i);
    std::printf("\n");
    for (int frame = 0; frame <= 100; frame++) {
        std::printf("%d", frame);
        for (auto &m : rope.masses) std::printf(",%.9g,%.9g", m.position.x, m.position.y);
        std::printf("\n");
        for (int s = 0; s < 16; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto now = m.position;
                auto a = (m.forces + rope.gravity * m.mass) / m.mass;
                auto next = now * 2.0 - m.last_position + a * dt * dt;
                m.position = next * 0.99 + now * 0.01;
                m.last_position = now;
            }
        }
    }
}
