// Semi-implicit Euler with the gravity of textbooks and without drag.
#include "rope.hpp"
#include <iomanip>

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    rope.gravity = {0, -9.81};
    const double dt = 1.0 / 64;
    std::cout << std::setprecision(9) << "frame,node,x,y\n";
    for (int frame = 0; frame <= 30; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
