"""Sweeps: the table of the program, as columns."""

import csv
import math

import catena
import numpy as np
import pandas
import polars
import pytest

AXES = {"integrator": ["ExplicitEuler", "Rk4"], "rope.stiffness": [10, 1e5], "substeps": [8, 64]}
MEASURE = ["Diverged", "Energy", "PredictedStep", "StateHash"]


@pytest.fixture
def scene(scenes):
    return catena.Scene.read(scenes / "compare.ron", {"rope.nodes": 6})


def test_the_table_is_that_of_the_program(scenes, scene, program, tmp_path):
    table = catena.sweep(scene, AXES, measure=MEASURE, frames=40, out=tmp_path / "python")
    program(
        "sweep", scenes / "compare.ron", "--set", "rope.nodes=6",
        "--axis", "integrator=[ExplicitEuler, Rk4]", "--axis", "rope.stiffness=[10, 1e5]",
        "--axis", "substeps=[8, 64]", "--measure", ",".join(MEASURE), "--frames", 40,
        "--out", tmp_path / "cli", "--quiet",
    )  # fmt: skip
    for name in ("table.csv", "table.parquet"):
        expected = (tmp_path / "cli" / name).read_bytes()
        assert (tmp_path / "python" / name).read_bytes() == expected, name
    rows = list(csv.DictReader((tmp_path / "cli" / "table.csv").open()))
    assert len(table) == len(rows) == 16 and table.folder == tmp_path / "python"
    assert list(table) == table.keys() == table.columns == list(rows[0])
    for name in table:
        for found, written in zip(table[name].tolist(), (row[name] for row in rows), strict=True):
            if isinstance(found, str) or found is None:
                assert (found or "") == written
            elif written == "":
                assert math.isnan(found)
            else:
                assert found == float(written)
    parquet = polars.read_parquet(tmp_path / "cli" / "table.parquet")
    assert parquet.columns == table.columns


def test_columns_have_kinds(scene):
    table = catena.sweep(scene, AXES, measure="Diverged, Energy", frames=40)
    assert table.axes == ["integrator", "rope.stiffness", "substeps"] and table.folder is None
    assert table.columns[:3] == ["variant", "panel", "body"]
    assert table["substeps"].dtype == np.int64 and table["rope.stiffness"].dtype == np.float64
    assert table["integrator"].dtype == object
    assert set(table["status"]) == {"fine", "diverged"}
    lost = table["integrator"] == "ExplicitEuler"
    assert (table["status"][lost & (table["rope.stiffness"] == 1e5)] == "diverged").all()
    # The last axis varies fastest, so a grid is a reshaped table.
    assert table["substeps"].reshape(2, 2, 2, 2)[0, 0, :, 0].tolist() == [8, 64]
    assert "status" in table and "none" not in table
    assert repr(table).startswith("<catena.Table 16 rows")
    with pytest.raises(KeyError, match="there are variant, panel"):
        table["none"]


def test_a_refused_variant_is_a_row(scene):
    table = catena.sweep(scene, {"rope.pins": [[9], [0]]}, measure=["Energy"], frames=3)
    assert table["status"].tolist() == ["refused", "fine", "fine"]
    assert "no node 9" in table["message"][0] and table["message"][1] is None
    assert all(np.isnan(table[name][0]) for name in table.measures)


def test_axes_of_all_kinds_are_the_same(scene, scenes):
    tables = [
        catena.sweep(scene, axes, measure="StateHash", frames=3)
        for axes in (
            {"rope.stiffness": np.array([1.0, 10.0, 100.0])},
            {"rope.stiffness": (1, 10, 100)},
            {"rope.stiffness": "[1, 10, 100]"},
            ["rope.stiffness=[1, 10, 100]"],
            "rope.stiffness=[1,10,100]",
        )
    ]
    hashes = [table[table.measures[0]].tolist() for table in tables]
    assert all(each == hashes[0] for each in hashes) and len(set(hashes[0])) > 1
    pairs = catena.sweep(scenes / "compare.ron", {"rope.nodes, substeps": [(4, 8), (5, 16)]}, measure="Energy", frames=3)
    assert pairs.axes == ["rope.nodes", "substeps"] and set(pairs["rope.nodes"]) == {4, 5}


def test_samples_and_sweep_files(scenes, tmp_path):
    (tmp_path / "mine.ron").write_text(
        'Sweep(scene: Scene(base: (rope: (nodes: 4, pins: [0]))), axes: {"drag": Linear(0, 1)},'
        " sample: Sobol(4), frames: 3, measure: [Energy])"
    )
    table = catena.sweep(tmp_path / "mine.ron")
    assert len(table) == 4 and table["drag"].min() >= 0 and table["drag"].max() <= 1
    assert len(catena.sweep(str(tmp_path / "mine.ron"), sample="Sobol(8)")) == 8
    left = catena.sweep(
        scenes / "compare.ron", {"substeps": [8, 16]}, exclude=['{"substeps": 8}'], measure="Energy", frames=2
    )
    assert set(left["substeps"]) == {16}


def test_data_frames(scene):
    table = catena.sweep(scene, {"substeps": [4, 8]}, measure=["Energy"], frames=3)
    of_pandas, of_polars = table.to_pandas(), table.to_polars()
    assert isinstance(of_pandas, pandas.DataFrame) and isinstance(of_polars, polars.DataFrame)
    assert list(of_pandas.columns) == of_polars.columns == table.columns == list(table.to_dict())
    assert of_polars["status"].to_list() == of_pandas["status"].tolist() == table["status"].tolist()
    assert of_polars["status"].dtype == of_polars["message"].dtype == polars.String
    assert of_pandas["substeps"].tolist() == [4, 4, 8, 8]


def test_what_is_wrong_is_named(scene):
    with pytest.raises(catena.SceneError, match="did you mean `Energy`"):
        catena.sweep(scene, {"substeps": [8]}, measure=["energy"])
    with pytest.raises(catena.SceneError, match="substep"):
        catena.sweep(scene, {"substep": [8]}, measure="Energy")
    with pytest.raises(TypeError, match="axes"):
        catena.sweep(scene, {"substeps": 8})
    with pytest.raises(TypeError, match="a catena.Scene or a path"):
        catena.sweep(3, {"substeps": [8]})
