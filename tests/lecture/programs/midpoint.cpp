// Midpoint method (RK2) of all masses together. double; six digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 32;
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 32; s++) {
            auto start = rope.masses;
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto a = m.forces / m.mass + rope.gravity;
                m.position += m.velocity * (dt / 2);
                m.velocity += a * (dt / 2);
            }
            rope.clear();
            rope.add_springs();
            for (size_t i = 0; i < rope.masses.size(); i++) {
                auto &m = rope.masses[i];
                if (m.pinned) continue;
                auto a = m.forces / m.mass + rope.gravity;
                m.position = start[i].position + m.velocity * dt;
                m.velocity = start[i].velocity + a * dt;
            }
        }
    }
}
