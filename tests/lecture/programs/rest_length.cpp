// Semi-implicit Euler of a rope whose springs are shorter than at the start. double; nine digits.
#include "rope.hpp"
#include <iomanip>

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    rope.rest = 76;
    const double dt = 1.0 / 64;
    std::cout << std::setprecision(9) << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.velocity += (m.forces + rope.gravity - m.velocity * 0.01) * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
