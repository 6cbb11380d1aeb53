// Velocity Verlet as kick, drift, kick. float; nine digits; masses are numbered from 1.
#include "rope.hpp"

int main() {
    Rope<float> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const float dt = 1.0f / 16;
    std::cout.precision(9);
    std::cout << "Frame\tMass\tx [m]\ty [m]\n";
    rope.clear();
    rope.add_springs();
    for (int frame = 0; frame <= 40; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::cout << frame << '\t' << i + 1 << '\t' << rope.masses[i].position.x << '\t' << rope.masses[i].position.y << '\n';
        for (int s = 0; s < 16; s++) {
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.velocity += (m.forces / m.mass + rope.gravity) * (dt / 2);
                m.position += m.velocity * dt;
            }
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses)
                if (!m.pinned) m.velocity += (m.forces / m.mass + rope.gravity) * (dt / 2);
        }
    }
}
