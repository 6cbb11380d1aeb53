// A spring force along the vector between its ends, not divided by its length. float; nine digits.
#include "rope.hpp"

int main() {
    Rope<float> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const int substeps = 128;
    const float dt = 1.0f / substeps, drag = 0.01f;
    std::cout.precision(9);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 40; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < substeps; s++) {
            rope.clear();
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position;
                auto f = d * (rope.k * (d.norm() - rope.rest));
                a.forces += f;
                b.forces += f * -1.0f;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.forces += rope.gravity * m.mass + m.velocity * -drag;
                m.velocity += m.forces / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
