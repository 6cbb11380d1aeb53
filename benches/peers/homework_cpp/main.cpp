// The loops of GAMES101, assignment 8, as the assignment hands them out: masses and springs
// allocated with new, vectors of pointers to them, and one force per mass that is accumulated and
// cleared.
//
// Usage: homework_cpp euler|verlet NODES STEPS
//
// Prints one JSON object: seconds for all steps, and nanoseconds per spring and step. The rope is
// made before the clock starts.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Vector2D {
    double x = 0, y = 0;
    Vector2D() = default;
    Vector2D(double x, double y) : x(x), y(y) {}
    Vector2D operator+(const Vector2D& v) const { return Vector2D(x + v.x, y + v.y); }
    Vector2D operator-(const Vector2D& v) const { return Vector2D(x - v.x, y - v.y); }
    Vector2D operator*(double c) const { return Vector2D(x * c, y * c); }
    Vector2D operator/(double c) const { return Vector2D(x / c, y / c); }
    void operator+=(const Vector2D& v) { x += v.x; y += v.y; }
    void operator-=(const Vector2D& v) { x -= v.x; y -= v.y; }
    double norm() const { return std::sqrt(x * x + y * y); }
};

struct Mass {
    Mass(Vector2D position, double mass, bool pinned)
        : start_position(position), position(position), last_position(position), mass(mass),
          pinned(pinned) {}

    Vector2D start_position, position;
    // For explicit and semi-implicit Euler.
    Vector2D velocity, forces;
    // For Verlet.
    Vector2D last_position;
    double mass;
    bool pinned;
};

struct Spring {
    Spring(Mass* a, Mass* b, double k)
        : k(k), rest_length((a->position - b->position).norm()), m1(a), m2(b) {}

    double k, rest_length;
    Mass *m1, *m2;
};

struct Rope {
    std::vector<Mass*> masses;
    std::vector<Spring*> springs;

    // The spacing of the default rope, 400 / 15, for every number of nodes.
    Rope(int nodes, double node_mass, double k) {
        for (int i = 0; i < nodes; i++)
            masses.push_back(new Mass(Vector2D(-400.0 / 15 * i, 200), node_mass, i == 0));
        for (int i = 0; i + 1 < nodes; i++)
            springs.push_back(new Spring(masses[i], masses[i + 1], k));
    }

    ~Rope() {
        for (Mass* m : masses) delete m;
        for (Spring* s : springs) delete s;
    }

    void simulate_euler(double dt, Vector2D gravity) {
        const double drag = 0.01;
        for (Spring* s : springs) {
            Vector2D d = s->m2->position - s->m1->position;
            double length = d.norm();
            Vector2D force = d / length * (s->k * (length - s->rest_length));
            s->m1->forces += force;
            s->m2->forces -= force;
        }
        for (Mass* m : masses) {
            if (!m->pinned) {
                m->forces += gravity * m->mass - m->velocity * drag;
                m->velocity += m->forces / m->mass * dt;
                m->position += m->velocity * dt;
            }
            m->forces = Vector2D(0, 0);
        }
    }

    void simulate_verlet(double dt, Vector2D gravity) {
        const double damping = 0.00005;
        for (Spring* s : springs) {
            Vector2D d = s->m2->position - s->m1->position;
            double length = d.norm();
            Vector2D shift = d / length * (length - s->rest_length);
            if (s->m1->pinned && s->m2->pinned) continue;
            if (s->m1->pinned) {
                s->m2->position -= shift;
            } else if (s->m2->pinned) {
                s->m1->position += shift;
            } else {
                s->m1->position += shift * 0.5;
                s->m2->position -= shift * 0.5;
            }
        }
        for (Mass* m : masses) {
            if (!m->pinned) {
                Vector2D before = m->position;
                m->position = before + (before - m->last_position) * (1 - damping) + gravity * dt * dt;
                m->last_position = before;
            }
        }
    }
};

int main(int count, char** words) {
    const bool euler = count == 4 && !std::strcmp(words[1], "euler");
    const bool verlet = count == 4 && !std::strcmp(words[1], "verlet");
    const int nodes = count == 4 ? std::atoi(words[2]) : 0;
    const int steps = count == 4 ? std::atoi(words[3]) : 0;
    if (!(euler || verlet) || nodes < 2 || steps < 1) {
        std::fprintf(stderr, "usage: homework_cpp euler|verlet NODES STEPS\n");
        return 2;
    }
    Rope rope(nodes, 1, 100);
    const double dt = 1.0 / 64;
    const Vector2D gravity(0, -1);

    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    for (int step = 0; step < steps; step++) {
        if (euler) rope.simulate_euler(dt, gravity);
        else rope.simulate_verlet(dt, gravity);
    }
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();

    const Vector2D tip = rope.masses.back()->position;
    std::printf("{\"method\": \"%s\", \"nodes\": %d, \"steps\": %d, \"seconds\": %.6f, "
                "\"nanoseconds\": %.4f, \"tip\": [%.17g, %.17g]}\n",
                words[1], nodes, steps, seconds, 1e9 * seconds / steps / (nodes - 1), tip.x, tip.y);
}
