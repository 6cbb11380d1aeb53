// Position-based dynamics whose stiffness acts in every iteration. double; six digits.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 10, stiffness = 0.3;
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 100; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 10; s++) {
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.last_position = m.position;
                m.velocity += rope.gravity * dt;
                m.position += m.velocity * dt;
            }
            for (int iteration = 0; iteration < 5; iteration++)
                for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                    auto &a = rope.masses[i], &b = rope.masses[i + 1];
                    double wa = a.pinned ? 0 : 1, wb = b.pinned ? 0 : 1;
                    auto d = b.position - a.position;
                    auto c = d / d.norm() * ((d.norm() - rope.rest) / (wa + wb) * stiffness);
                    a.position += c * wa;
                    b.position += c * -wb;
                }
            for (auto &m : rope.masses)
                if (!m.pinned) m.velocity = (m.position - m.last_position) / dt;
        }
    }
}
