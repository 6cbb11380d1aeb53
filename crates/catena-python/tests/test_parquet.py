"""The table as Parquet, read by other programs: its types, and every cell compared with the CSV."""

import csv
import json

import catena
import duckdb
import pyarrow.parquet
import pytest

# More rows than a row group of the file has; some variants are refused, and some diverge.
AXES = {"rope.nodes": [3, 4, 5], "rope.pins": [[0], [4]], "rope.stiffness": "Log(10, 1e6, 8000)"}
MEASURE = "Diverged, Energy, Work, PredictedStep, StateHash"
# Type of each kind of column in Python, in Arrow and in DuckDB.
KINDS = {
    "whole": (int, "int64", "BIGINT"),
    "real": (float, "double", "DOUBLE"),
    "text": (str, "string", "VARCHAR"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    scene = catena.Scene.parse(
        "Scene(base: (rope: (nodes: 3, pins: [0])), panels: ["
        ' (label: "explicit", with: (integrator: ExplicitEuler)),'
        ' (label: "semi-implicit", with: (integrator: SemiImplicitEuler))])'
    )
    catena.sweep(scene, AXES, measure=MEASURE, frames=20, out=folder)
    return folder


@pytest.fixture(scope="module")
def columns(folder):
    """Columns from sweep.json."""
    columns = json.loads((folder / "sweep.json").read_text())["columns"]
    assert {column["kind"] for column in columns} == set(KINDS)
    return columns


@pytest.fixture(scope="module")
def cells(folder, columns):
    """Cells of each column from the CSV."""
    rows = list(csv.DictReader((folder / "table.csv").open()))
    assert {row["status"] for row in rows} == {"fine", "diverged", "refused"}
    kinds = {column["name"]: KINDS[column["kind"]][0] for column in columns}
    assert list(kinds) == list(rows[0])
    return {name: [kind(row[name]) if row[name] else None for row in rows] for name, kind in kinds.items()}


def test_pyarrow_reads_what_the_csv_has(folder, columns, cells):
    file = pyarrow.parquet.ParquetFile(folder / "table.parquet")
    assert file.metadata.num_row_groups > 1 and file.metadata.created_by.startswith("catena ")
    table = file.read()
    assert [str(field.type) for field in table.schema] == [KINDS[it["kind"]][1] for it in columns]
    assert table.to_pydict() == cells


def test_duckdb_reads_what_the_csv_has(folder, columns, cells):
    found = duckdb.sql(f"select * from '{folder / 'table.parquet'}'")
    assert found.columns == list(cells)
    assert [str(kind) for kind in found.types] == [KINDS[it["kind"]][2] for it in columns]
    rows = found.fetchall()
    assert {name: list(column) for name, column in zip(cells, zip(*rows), strict=True)} == cells
