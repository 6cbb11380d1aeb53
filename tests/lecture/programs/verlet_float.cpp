// The Verlet of verlet_half.cpp with the whole correction next to the pin, in float, with few steps
// per frame. Six digits.
#include "rope.hpp"

int main() {
    Rope<float> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const float dt = 1.0f / 4, damping = 0.00005f;
    std::cout << "frame;node;x;y\n";
    for (int frame = 0; frame <= 100; frame++) {
        for (size_t i = 0; i < rope.masses.size(); i++)
            std::cout << frame << ';' << i << ';' << rope.masses[i].position.x << ';' << -rope.masses[i].position.y << '\n';
        for (int s = 0; s < 4; s++) {
            for (size_t i = 0; i + 1 < rope.masses.size(); i++) {
                auto &a = rope.masses[i], &b = rope.masses[i + 1];
                auto d = b.position - a.position;
                auto correction = d / d.norm() * (d.norm() - rope.rest) * (a.pinned ? 1.0f : 0.5f);
                if (!a.pinned) a.position += correction;
                if (!b.pinned) b.position += correction * -1.0f;
            }
            for (auto &m : rope.masses) {
                if (m.pinned) continue;
                auto now = m.position;
                m.position = now + (now - m.last_position) * (1 - damping) + rope.gravity * (dt * dt);
                m.last_position = now;
            }
        }
    }
}
