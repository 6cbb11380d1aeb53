// Gravity added to the forces without the mass, which is 2 here. double; 17 digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 2, 100);
    const double dt = 1.0 / 16;
    std::cout.precision(17);
    std::cout << "frame, id, pos_x, pos_y\n";
    for (int frame = 0; frame <= 100; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::cout << frame << ", " << i << ", " << rope.masses[i].position.x << ", " << rope.masses[i].position.y << '\n';
        for (int s = 0; s < 16; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                m.forces += rope.gravity;
                if (m.pinned) continue;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
