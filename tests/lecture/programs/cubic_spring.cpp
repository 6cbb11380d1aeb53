// Semi-implicit Euler with a spring whose force grows with the cube of the stretch: no candidate does that. double; nine digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64;
    std::cout.precision(9);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position;
                double stretch = d.norm() - rope.rest;
                auto f = d / d.norm() * (rope.k * (stretch + 0.01 * stretch * stretch * stretch));
                a.forces += f;
                b.forces += f * -1.0;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.velocity += (m.forces / m.mass + rope.gravity) * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
