// Adams-Bashforth 2 for the velocity whose previous acceleration is one variable for all masses.
// float; nine digits.
#include "rope.hpp"

int main() {
    Rope<float> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const float dt = 1.0f / 128;
    std::cout.precision(9);
    std::cout << "frame node x y\n";
    Vec<float> last;
    bool first = true;
    for (int frame = 0; frame <= 30; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::cout << frame << ' ' << i << ' ' << rope.masses[i].position.x << ' ' << rope.masses[i].position.y << '\n';
        for (int s = 0; s < 128; s++) {
            rope.clear();
            rope.add_springs();
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto a = (m.forces + rope.gravity * m.mass) / m.mass;
                m.velocity += (first ? a : a * 1.5f + last * -0.5f) * dt;
                m.position += m.velocity * dt;
                last = a;
                first = false;
            }
        }
    }
}
