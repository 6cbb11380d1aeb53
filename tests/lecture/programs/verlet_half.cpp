// Verlet with the spring as a constraint: half of the correction at each end, even next to the pin,
// where the other half is lost. double; six digits; y downwards.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64, damping = 0.00005;
    std::cout << "frame;node;x;y\n";
    for (int frame = 0; frame <= 100; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::cout << frame << ';' << i << ';' << rope.masses[i].position.x << ';' << -rope.masses[i].position.y << '\n';
        for (int s = 0; s < 64; s++) {
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position;
                auto correction = d / d.norm() * (d.norm() - rope.rest) * 0.5;
                if (!a.pinned) a.position += correction;
                if (!b.pinned) b.position += correction * -1.0;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto now = m.position;
                m.position = now + (now - m.last_position) * (1 - damping) + rope.gravity * (dt * dt);
                m.last_position = now;
            }
        }
    }
}
