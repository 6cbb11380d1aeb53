"""Jobs of MuJoCo: ropes as cables of its plugin, a cloth as a flex of springs. Runs in a venv with MuJoCo below 4, whose cables are gone."""

import math

import mujoco
import numpy as np
from serve import serve


def cable(vertices, radius, modulus, damping, density, timestep, integrator, gravity, initial):
    """A model of a cable through these points, without contact."""
    flat = " ".join(repr(float(number)) for vertex in vertices for number in vertex)
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
        <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
        <option timestep="{timestep!r}" gravity="0 0 {-gravity!r}" integrator="{integrator}"><flag contact="disable"/></option>
        <worldbody>
          <composite prefix="C" type="cable" vertex="{flat}" initial="{initial}">
            <plugin plugin="mujoco.elasticity.cable">
              <config key="twist" value="{modulus!r}"/><config key="bend" value="{modulus!r}"/>
            </plugin>
            <joint kind="main" damping="{damping!r}"/>
            <geom type="capsule" size="{radius!r}" density="{density!r}"/>
          </composite>
        </worldbody>
    </mujoco>""")


def is_bad(data):
    return any(warning.number for warning in data.warning)


def hanging_rope(shape, integrator, frames, frame, steps, gravity=9.81, radius=0.001):
    """x of the tip in each frame. The cable has hardly any bending stiffness, and a mass of 1 kg."""
    vertices = [(x, 0.0, z) for x, z in shape]
    density = 1.0 / (math.pi * radius**2)
    model = cable(vertices, radius, 1e3, 0.0, density, frame / steps, integrator, gravity, "ball")
    data, tips = mujoco.MjData(model), []
    yield None
    for _ in range(frames):
        for _ in range(steps):
            mujoco.mj_step(model, data)
        if is_bad(data):
            break
        mujoco.mj_kinematics(model, data)
        tips.append(float(data.site("CS_last").xpos[0]))
    yield tips


def cantilever(segments, seconds, damping, steps, radius, integrator):
    """Fall of the tip. The first body is rigid and clamped, so the cable is half a segment longer on the side of the clamp.

    Damping is that of the rod's curvature in units of its bending stiffness.
    """
    length = 1.0 / (segments - 0.5)
    vertices = [(index * length - 0.5 * length, 0.0, 0.0) for index in range(segments + 1)]
    density = 1.0 / (math.pi * radius**2)
    modulus = 1.0 / (0.25 * math.pi * radius**4)
    model = cable(vertices, radius, modulus, damping / length, density, seconds / steps, integrator, 0.0, "none")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    last, site = model.body("CB_last").id, data.site("CS_last")
    force = np.array([0.0, 0.0, -1.0])
    yield None
    for _ in range(steps):
        # The force acts on the end, and MuJoCo expects it at the centre of mass.
        data.xfrc_applied[last, :3] = force
        data.xfrc_applied[last, 3:] = np.cross(site.xpos - data.xipos[last], force)
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    yield math.nan if is_bad(data) else float(-site.xpos[2])


def cloth(nodes, springs, pins, mass, stiffness, damping, frames, frame, steps, integrator, gravity=9.81):
    """Positions of all nodes in each frame. Two-dimensional flexes have no springs, so the cloth is a flex of edges."""
    points = " ".join(repr(number) for place in nodes for number in place)
    edges = " ".join(f"{a} {b}" for a, b in springs)
    held = " ".join(map(str, pins))
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
        <option timestep="{frame / steps!r}" gravity="0 0 {-gravity!r}" integrator="{integrator}"><flag contact="disable"/></option>
        <worldbody>
          <flexcomp name="C" type="direct" dim="1" point="{points}" element="{edges}" mass="{mass!r}" radius="0.001">
            <edge stiffness="{stiffness!r}" damping="{damping!r}"/><pin id="{held}"/><contact selfcollide="none"/>
          </flexcomp>
        </worldbody>
    </mujoco>""")
    data, found = mujoco.MjData(model), []
    yield None
    for _ in range(frames):
        for _ in range(steps):
            mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_flex(model, data)
        bad = math.nan if is_bad(data) else 0.0
        found.append((data.flexvert_xpos + bad).tolist())
    yield found


serve({"hanging_rope": hanging_rope, "cantilever": cantilever, "cloth": cloth}, mujoco.__version__)
