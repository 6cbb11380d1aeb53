// Verlet with spring forces in float: 11 masses, 32 steps per frame, seven digits.
#include "rope.hpp"
#include <iomanip>

int main() {
    Rope<float> rope({0, 200}, {-400, 200}, 11, 1, 100);
    const float dt = 1.0f / 32, damping = 0.01f;
    std::cout << std::setprecision(7) << "frame,node,x,y\n";
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 32; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto a = (m.forces + rope.gravity * m.mass) / m.mass;
                auto now = m.position;
                m.position = now + (now - m.last_position) * (1 - damping) + a * (dt * dt);
                m.last_position = now;
            }
        }
    }
}
