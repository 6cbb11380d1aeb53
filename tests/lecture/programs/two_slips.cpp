// Semi-implicit Euler with two slips: gravity is a force without the mass of 2, and each mass moves before the next force. double; nine digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 2, 100);
    const double dt = 1.0 / 32;
    std::cout.precision(9);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 40; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 32; s++) {
            for (size_t i = 0; i < rope.masses.size(); i++) {
                auto &m = rope.masses[i];
                if (m.pinned) continue;
                auto f = rope.gravity;
                auto pull = [&](size_t j) {
                    auto d = rope.masses[j].position - m.position;
                    f += d / d.norm() * (rope.k * (d.norm() - rope.rest));
                };
                pull(i - 1);
                if (i + 1 < rope.masses.size()) pull(i + 1);
                m.velocity += f / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
