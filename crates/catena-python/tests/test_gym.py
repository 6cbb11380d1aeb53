"""Environments of Gymnasium."""

import catena.gym
import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env


def test_the_environment_passes_the_checker(recwarn):
    check_env(gymnasium.make("catena/Reach-v0", render_mode="rgb_array").unwrapped)
    told = [str(warning.message) for warning in recwarn if "WARN" in str(warning.message)]
    assert not told, told


def test_the_vector_environment_has_the_bits_of_single_ones():
    vector = gymnasium.make_vec("catena/Reach-v0", 6, "vector_entry_point")
    single = [gymnasium.make("catena/Reach-v0") for _ in range(6)]
    seen, _ = vector.reset(seed=11)
    random = np.random.default_rng(0)
    for run, env in enumerate(single):
        np.testing.assert_array_equal(env.reset(seed=11 + run)[0], seen[run])
    over = np.zeros(6, bool)
    for _ in range(30):
        actions = random.uniform(-1, 1, (6, 2)).astype(np.float32)
        seen, rewards, ended, cut, _ = vector.step(actions)
        assert vector.observation_space.contains(seen)
        for run, env in enumerate(single):
            if over[run]:
                expected = (env.reset()[0], 0.0, False, False)
            else:
                expected = env.step(actions[run])[:4]
            np.testing.assert_array_equal(seen[run], expected[0])
            assert (rewards[run], ended[run], cut[run]) == expected[1:]
        over = ended | cut


def test_a_simple_rule_reaches_the_target():
    """Moving the pin by the offset of the end from the target reaches targets below the pin."""
    env = catena.gym.ReachEnv(steps=400, tolerance=0.1)
    seen, info = env.reset(seed=1, options={"target": (0.3, -0.9)})
    for _ in range(400):
        end, target = seen[30:32], seen[-2:]
        seen, reward, over, cut, info = env.step(2.0 * (target - end))
        if over:
            break
    assert over and info["distance"] < 0.1 and reward == -info["distance"]
