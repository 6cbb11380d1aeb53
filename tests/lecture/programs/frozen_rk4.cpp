// Runge-Kutta 4 of one mass after the other, with the neighbours where they were. double; fixed
// with six decimals.
#include "rope.hpp"

using V = Vec<double>;
using R = Rope<double>;

// Acceleration of mass i at another position, with all other masses frozen.
static V acceleration(const R &rope, size_t i, V place) {
    V f = rope.gravity * rope.masses[i].mass;
    for (int side : {-1, 1}) {
        if ((side < 0 && i == 0) || (side > 0 && i + 1 == rope.masses.size())) continue;
        V d = rope.masses[i + side].position - place;
        f += d / d.norm() * (rope.k * (d.norm() - rope.rest));
    }
    return f / rope.masses[i].mass;
}

int main() {
    R rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double h = 1.0 / 64;
    std::cout << "frame,node,x,y\n";
    std::cout.setf(std::ios::fixed);
    std::cout.precision(6);
    for (int frame = 0; frame <= 60; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++) {
            R next = rope;
            for (size_t i = 1; i < rope.masses.size(); i++) {
                V x = rope.masses[i].position, v = rope.masses[i].velocity;
                V v1 = v, a1 = acceleration(rope, i, x);
                V v2 = v + a1 * (h / 2), a2 = acceleration(rope, i, x + v1 * (h / 2));
                V v3 = v + a2 * (h / 2), a3 = acceleration(rope, i, x + v2 * (h / 2));
                V v4 = v + a3 * h, a4 = acceleration(rope, i, x + v3 * h);
                next.masses[i].position += (v1 + v2 * 2 + v3 * 2 + v4) * (h / 6);
                next.masses[i].velocity += (a1 + a2 * 2 + a3 * 2 + a4) * (h / 6);
            }
            rope = next;
        }
    }
}
