// Runge-Kutta 4 of one mass after the other, each in place: later masses see the new positions of
// earlier ones. No candidate has both faults. double; 17 digits.
#include "rope.hpp"

using V = Vec<double>;

int main() {
    Rope<double> rope({0, 200}, {-400, 200}, 6, 1, 100);
    const double h = 1.0 / 64;
    auto acceleration = [&](size_t i, V place) {
        V f = rope.gravity;
        for (int side : {-1, 1}) {
            if (side > 0 && i + 1 == rope.masses.size()) continue;
            V d = rope.masses[i + side].position - place;
            f += d / d.norm() * (rope.k * (d.norm() - rope.rest));
        }
        return f;
    };
    std::cout.precision(17);
    std::cout << "frame,node,x,y\n";
    for (int frame = 0; frame <= 30; frame++) {
        print_rows(frame, rope);
        for (int s = 0; s < 64; s++)
            for (size_t i = 1; i < rope.masses.size(); i++) {
                V &x = rope.masses[i].position, &v = rope.masses[i].velocity;
                V v1 = v, a1 = acceleration(i, x);
                V v2 = v + a1 * (h / 2), a2 = acceleration(i, x + v1 * (h / 2));
                V v3 = v + a2 * (h / 2), a3 = acceleration(i, x + v2 * (h / 2));
                V v4 = v + a3 * h, a4 = acceleration(i, x + v3 * h);
                x += (v1 + v2 * 2 + v3 * 2 + v4) * (h / 6);
                v += (a1 + a2 * 2 + a3 * 2 + a4) * (h / 6);
            }
    }
}
