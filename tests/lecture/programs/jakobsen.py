"""Verlet after Jakobsen: positions from the last two, then 10 passes over the sticks. A rope of 3 masses, printed with decimal commas."""
from math import hypot

nodes, passes, h = 3, 10, 1 / 10
x = [[-200.0 * i, 200.0] for i in range(nodes)]
last = [list(p) for p in x]
print("Bild;Knoten;x;y")
for frame in range(51):
    for i, (a, b) in enumerate(x):
        print(f"{frame};{i};{a:.8f};{b:.8f}".replace(".", ","))
    for _ in range(10):
        for i in range(1, nodes):
            now = x[i]
            x[i] = [2 * now[0] - last[i][0], 2 * now[1] - last[i][1] - h * h]
            last[i] = now
        for _ in range(passes):
            for i in range(nodes - 1):
                d = [x[i + 1][0] - x[i][0], x[i + 1][1] - x[i][1]]
                length = hypot(*d)
                share = (length - 200.0) / length
                if i == 0:
                    x[1] = [x[1][0] - share * d[0], x[1][1] - share * d[1]]
                else:
                    x[i] = [x[i][0] + share * d[0] / 2, x[i][1] + share * d[1] / 2]
                    x[i + 1] = [x[i + 1][0] - share * d[0] / 2, x[i + 1][1] - share * d[1] / 2]
