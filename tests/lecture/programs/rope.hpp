// A rope of point masses and springs, as in a homework. `Real` is float or double.
#pragma once
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

template <class Real>
struct Vec {
    Real x = 0, y = 0;
    Vec operator+(Vec o) const { return {x + o.x, y + o.y}; }
    Vec operator-(Vec o) const { return {x - o.x, y - o.y}; }
    Vec operator*(Real s) const { return {x * s, y * s}; }
    Vec operator/(Real s) const { return {x / s, y / s}; }
    Vec &operator+=(Vec o) { x += o.x; y += o.y; return *this; }
    Real norm() const { return std::sqrt(x * x + y * y); }
};

template <class Real>
struct Mass {
    Vec<Real> position, start_position, last_position, velocity, forces;
    Real mass = 1;
    bool pinned = false;
};

template <class Real>
struct Rope {
    std::vector<Mass<Real>> masses;
    Real k = 100, rest = 0;
    Vec<Real> gravity{0, -1};

    Rope(Vec<Real> start, Vec<Real> end, int nodes, Real mass, Real k) : k(k) {
        for (int i = 0; i < nodes; i++) {
            Mass<Real> m;
            m.position = start + (end - start) * (Real(i) / (nodes - 1));
            m.start_position = m.last_position = m.position;
            m.mass = mass;
            m.pinned = i == 0;
            masses.push_back(m);
        }
        rest = (masses[1].position - masses[0].position).norm();
    }

    // Adds the force of each spring to its two masses.
    void add_springs() {
        for (size_t i = 0; i + 1 < masses.size(); i++) {
            Mass<Real> &a = masses[i], &b = masses[i + 1];
            Vec<Real> d = b.position - a.position;
            Vec<Real> f = d / d.norm() * (k * (d.norm() - rest));
            a.forces += f;
            b.forces += f * Real(-1);
        }
    }

    void clear() {
        for (auto &m : masses) m.forces = {};
    }
};

// Prints a row per mass.
template <class Real>
void print_rows(int frame, const Rope<Real> &rope) {
    for (size_t i = 0; i < rope.masses.size(); i++)
        std::cout << frame << ',' << i << ',' << rope.masses[i].position.x << ',' << rope.masses[i].position.y << '\n';
}
