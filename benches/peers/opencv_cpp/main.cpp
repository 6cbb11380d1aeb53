// The rope pair of scenes/compare.ron with OpenCV: lines, circles, text, and one imwrite per frame.
//
// Usage: opencv_cpp OUT [FRAMES]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

struct Rope {
    std::vector<cv::Point2d> x, v, last;
    std::vector<double> rest;

    Rope() : v(16) {
        for (int i = 0; i < 16; i++) x.emplace_back(-400.0 * i / 15, 200.0);
        last = x;
        for (int j = 0; j < 15; j++) rest.push_back(cv::norm(x[j + 1] - x[j]));
    }

    double length() const {
        double sum = 0;
        for (size_t j = 0; j < rest.size(); j++) sum += cv::norm(x[j + 1] - x[j]);
        return sum;
    }

    double strain() const {
        double greatest = -INFINITY;
        for (size_t j = 0; j < rest.size(); j++)
            greatest = std::max(greatest, (cv::norm(x[j + 1] - x[j]) - rest[j]) / rest[j]);
        return greatest;
    }

    double kinetic() const {
        double sum = 0;
        for (const auto& velocity : v) sum += 0.5 * velocity.dot(velocity);
        return sum;
    }
};

static const cv::Point2d GRAVITY(0, -1);

static void semi_implicit_euler(Rope& rope, double dt) {
    std::vector<cv::Point2d> force(rope.x.size());
    for (size_t j = 0; j < rope.rest.size(); j++) {
        cv::Point2d d = rope.x[j + 1] - rope.x[j];
        double length = cv::norm(d);
        cv::Point2d pull = d * (100.0 * (length - rope.rest[j]) / length);
        force[j] += pull;
        force[j + 1] -= pull;
    }
    for (size_t i = 1; i < rope.x.size(); i++) {
        rope.v[i] += (force[i] + GRAVITY - 0.01 * rope.v[i]) * dt;
        rope.x[i] += rope.v[i] * dt;
    }
}

static void constraint_verlet(Rope& rope, double dt) {
    std::vector<cv::Point2d> start = rope.x;
    for (size_t j = 0; j < rope.rest.size(); j++) {
        cv::Point2d d = rope.x[j + 1] - rope.x[j];
        double length = cv::norm(d);
        cv::Point2d shift = d * ((length - rope.rest[j]) / length);
        if (j == 0) {
            rope.x[1] -= shift;
        } else {
            rope.x[j] += shift * 0.5;
            rope.x[j + 1] -= shift * 0.5;
        }
    }
    for (size_t i = 1; i < rope.x.size(); i++) {
        cv::Point2d before = rope.x[i];
        rope.x[i] += (1 - 0.00005) * (before - rope.last[i]) + GRAVITY * dt * dt;
        rope.last[i] = before;
        rope.v[i] = (rope.x[i] - start[i]) / dt;
    }
}

struct Panel {
    const char* label;
    cv::Scalar color;
    int left;
    void (*step)(Rope&, double);
    Rope rope;
};

static void text(cv::Mat& image, const std::string& line, int x, int y, double scale) {
    const cv::Scalar ink(32, 24, 17);
    cv::putText(image, line, {x, y}, cv::FONT_HERSHEY_SIMPLEX, scale, ink, 1, cv::LINE_AA);
}

static void draw(cv::Mat& image, const Panel& panel, int frame) {
    const cv::Rect box(panel.left, 62, 618, 644);
    cv::rectangle(image, box, cv::Scalar(255, 255, 255), cv::FILLED);
    cv::rectangle(image, box, cv::Scalar(206, 200, 196), 1);
    text(image, panel.label, box.x + 40, 82, 0.5);

    std::vector<cv::Point> points;
    for (const auto& x : panel.rope.x)
        points.emplace_back(cvRound(box.x + 309 + 0.6835 * x.x), cvRound(395 - 0.6835 * x.y));
    for (size_t j = 0; j + 1 < points.size(); j++)
        cv::line(image, points[j], points[j + 1], panel.color, 3, cv::LINE_AA);
    for (const auto& point : points)
        cv::circle(image, point, 4, panel.color, cv::FILLED, cv::LINE_AA);
    cv::circle(image, points[0], 6, cv::Scalar(255, 255, 255), cv::FILLED, cv::LINE_AA);
    cv::circle(image, points[0], 6, cv::Scalar(32, 24, 17), 2, cv::LINE_AA);

    char line[160];
    std::snprintf(line, sizeof line, "time %.2f   length %.2f   max strain %.4f%%   E kin %.2f",
                  double(frame), panel.rope.length(), 100 * panel.rope.strain(),
                  panel.rope.kinetic());
    text(image, line, box.x + 11, 692, 0.45);
}

int main(int count, char** words) {
    if (count < 2) {
        std::fprintf(stderr, "usage: opencv_cpp OUT [FRAMES]\n");
        return 2;
    }
    const std::string out = words[1];
    const int frames = count > 2 ? std::atoi(words[2]) : 600;
    std::filesystem::create_directories(out);

    std::vector<Panel> panels = {
        {"Semi-implicit Euler", cv::Scalar(178, 114, 0), 14, semi_implicit_euler, Rope()},
        {"Constraint Verlet", cv::Scalar(115, 158, 0), 647, constraint_verlet, Rope()},
    };
    cv::Mat image(720, 1280, CV_8UC3);
    for (int frame = 0; frame < frames; frame++) {
        image.setTo(cv::Scalar(246, 245, 244));
        text(image, "Semi-implicit Euler and Verlet on one rope", 14, 36, 0.75);
        for (auto& panel : panels) {
            for (int step = 0; frame > 0 && step < 64; step++) panel.step(panel.rope, 1.0 / 64);
            draw(image, panel, frame);
        }
        char name[32];
        std::snprintf(name, sizeof name, "/frame_%05d.png", frame);
        if (!cv::imwrite(out + name, image)) {
            std::fprintf(stderr, "cannot write %s%s\n", out.c_str(), name);
            return 5;
        }
    }
}
