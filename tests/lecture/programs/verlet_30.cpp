// Verlet by forces on a rope of 30 masses: x + 0.99 (x - x_last) + a dt². double; ten digits; a table between two blank lines.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 30, 1, 100);
    const double dt = 1.0 / 16;
    std::cout.precision(10);
    for (int frame = 0; frame <= 60; frame++) {
        for (auto &m : rope.masses) std::cout << m.position.x << "  " << m.position.y << '\n';
        std::cout << '\n';
        for (int s = 0; s < 16; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto a = m.forces / m.mass + rope.gravity;
                auto now = m.position;
                m.position = now + (now - m.last_position) * 0.99 + a * (dt * dt);
                m.last_position = now;
            }
        }
    }
}
