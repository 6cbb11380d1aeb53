// Runge-Kutta 4 of all masses together. float; nine digits; one row per frame.
#include "rope.hpp"

typedef Rope<float> R;

static void slopes(R &rope, std::vector<Vec<float>> &dx, std::vector<Vec<float>> &dv) {
    rope.clear();
    rope.add_springs();
    for (size_t i = 0; i < rope.masses.size(); i++) {
        auto &m = rope.masses[i];
        dx[i] = m.pinned ? Vec<float>{} : m.velocity;
        dv[i] = m.pinned ? Vec<float>{} : m.forces / m.mass + rope.gravity;
    }
}

int main() {
    R rope({0, 200}, {-400, 200}, 6, 1, 100);
    const float dt = 1.0f / 8;
    const size_t n = rope.masses.size();
    std::cout.precision(9);
    for (int frame = 0; frame <= 50; frame++) {
        std::cout << frame;
        for (auto &m : rope.masses) std::cout << ' ' << m.position.x << ' ' << m.position.y;
        std::cout << '\n';
        for (int s = 0; s < 8; s++) {
            auto start = rope.masses;
            std::vector<std::vector<Vec<float>>> dx(4, std::vector<Vec<float>>(n)), dv = dx;
            const float parts[4] = {0, 0.5f, 0.5f, 1};
            for (int k = 0; k < 4; k++) {
                for (size_t i = 0; k > 0 && i < n; i++) {
                    rope.masses[i].position = start[i].position + dx[k - 1][i] * (dt * parts[k]);
                    rope.masses[i].velocity = start[i].velocity + dv[k - 1][i] * (dt * parts[k]);
                }
                slopes(rope, dx[k], dv[k]);
            }
            for (size_t i = 0; i < n; i++) {
                rope.masses[i].position = start[i].position + (dx[0][i] + dx[1][i] * 2 + dx[2][i] * 2 + dx[3][i]) * (dt / 6);
                rope.masses[i].velocity = start[i].velocity + (dv[0][i] + dv[1][i] * 2 + dv[2][i] * 2 + dv[3][i]) * (dt / 6);
            }
        }
    }
}
