// Forces are summed and never set to zero. double; 17 digits; it explodes.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64;
    std::cout.precision(17);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 8; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.add_springs();
            for (auto &m : rope.masses) {
                m.forces += rope.gravity * m.mass;
                if (m.pinned) continue;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
