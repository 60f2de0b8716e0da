"""What can be said of the Spack recipe without Spack: it is Python, the clone is where it looks for it, and CMake has the
options that it gives."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "packaging/spack/spack_repo/busline/packages/busline/package.py"

tree = ast.parse(RECIPE.read_text(), str(RECIPE))
texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
given = {t for t in texts if t.startswith("BUSLINE_")}
cmake = "".join(f.read_text() for f in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
options = set(re.findall(r"option\((BUSLINE_\w+)", cmake))
if not given or given - options:
    sys.exit(f"recipe_test: the recipe gives {sorted(given)}, CMake has {sorted(options)}")
[levels] = re.findall(r"parents\[(\d+)\]", RECIPE.read_text())
if RECIPE.parents[int(levels)] != ROOT:
    sys.exit("recipe_test: the recipe looks for the clone in the wrong folder")
