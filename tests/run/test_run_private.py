"""What a run keeps of the user's configuration while it lasts: nobody else reads it, nothing stays."""

import json
from pathlib import Path

from tests.run.test_run_hosts import packaged, start

SECRET = "Zq7-vault-3kFz-99xW"
SHOWING = """
import json, os, sys
from pathlib import Path
file = Path(sys.argv[sys.argv.index("--settings") + 1])
modes = [oct(path.stat().st_mode & 0o777) for path in (file, file.parent)]
line = Path("/proc/self/cmdline").read_text()
print(json.dumps([str(file), modes, json.loads(file.read_text())["env"], line]))
"""


def test_a_settings_file_that_we_add_to_is_on_no_command_line_and_gone_afterwards(
    tmp_path: Path,
) -> None:
    given = {"env": {"MY_TOKEN": SECRET, "HTTPS_PROXY": "http://127.0.0.1:9"}}
    (tmp_path / "mine.json").write_text(json.dumps(given))
    more = ["--settings", str(tmp_path / "mine.json")]
    ended = start(tmp_path, packaged(tmp_path, SHOWING), more)
    name, modes, env, line = json.loads(ended.stdout)
    assert modes == ["0o600", "0o700"]
    assert (env["MY_TOKEN"], env["HTTPS_PROXY"] != given["env"]["HTTPS_PROXY"]) == (SECRET, True)
    assert SECRET not in line
    assert Path(name).parent.parent == tmp_path / "data"
    assert not Path(name).parent.exists()


def test_a_settings_file_that_we_need_not_add_to_is_named_as_the_user_named_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.json").write_text(json.dumps({"env": {"MY_TOKEN": SECRET}}))
    more = ["--settings", str(tmp_path / "mine.json")]
    ended = start(tmp_path, packaged(tmp_path, SHOWING), more)
    assert json.loads(ended.stdout)[0] == str(tmp_path / "mine.json")
