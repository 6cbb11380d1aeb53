// Drag that grows with the square of the speed, which no candidate has. double; 17 digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64;
    std::cout.precision(17);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass + m.velocity * (-0.01 * m.velocity.norm());
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
