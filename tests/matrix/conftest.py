"""The sweep over client versions takes hours: it runs where `-m matrix` asks for it, nowhere else."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "matrix" in str(config.getoption("markexpr")):
        return
    left_out = [item for item in items if item.get_closest_marker("matrix")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)
