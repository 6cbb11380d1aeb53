// Semi-implicit Euler with a stiffness, a drag and a number of steps of its own. double; six digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 110);
    const int substeps = 50;
    const double dt = 1.0 / substeps, drag = 0.02;
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < substeps; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass + m.velocity * -drag;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
