// Semi-implicit Euler whose drag shrinks the velocity after the forces.
#include "rope.hpp"
#include <iomanip>

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    rope.gravity = {0, -1};
    const double dt = 1.0 / 64, drag = 0.01;
    std::cout << std::setprecision(9) << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass;
                m.velocity += m.forces / m.mass * dt;
                m.velocity = m.velocity * (1 - drag * dt);
                m.position += m.velocity * dt;
            }
        }
    }
}
