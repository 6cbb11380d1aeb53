// Inner damping with a reversed sign and components multiplied. double; six digits; it explodes.
#include "rope.hpp"

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double dt = 1.0 / 64, kd = 0.1;
    std::cout << "t,node,x,y\n";
    for (int frame = 0; frame <= 100; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            rope.clear();
            rope.add_springs();
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position, w = b.velocity - a.velocity;
                auto u = d / d.norm();
                Vec<double> f{-kd * u.x * w.x * u.x, -kd * u.y * w.y * u.y};
                a.forces += f;
                b.forces += f * -1;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                m.velocity += (m.forces + rope.gravity * m.mass) / m.mass * dt;
                m.position += m.velocity * dt;
            }
        }
    }
}
