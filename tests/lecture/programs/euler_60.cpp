// Explicit Euler with damping in springs and drag, 60 steps per frame. double; six digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 20);
    const double dt = 1.0 / 60, kd = 2;
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 40; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 60; s++) {
            rope.clear();
            rope.add_springs();
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position;
                d = d / d.norm();
                auto v = b.velocity - a.velocity;
                auto f = d * (kd * (d.x * v.x + d.y * v.y));
                a.forces += f;
                b.forces += f * -1.0;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto a = m.forces + rope.gravity - m.velocity * 0.3;
                m.position += m.velocity * dt;
                m.velocity += a * dt;
            }
        }
    }
}
