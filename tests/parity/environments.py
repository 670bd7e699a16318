"""Where the tools run that cannot live beside the tests: exact versions of what is asked, and of what it imports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Packages for some tools, apart from those of the tests."""

    name: str
    # Modules of `tests/parity/tools`.
    tools: tuple[str, ...]
    requires: tuple[str, ...] = ()
    # Packages whose own requirements are not installed: they exclude each other, or the part asked needs none of them.
    alone: tuple[str, ...] = ()
    # Variables that say where a tool is that PyPI does not have.
    needs: tuple[str, ...] = ()
    python: str = "3.11"


# One for all that need torch and can share it, since torch is large.
TORCH: Final = Environment(
    name="torch",
    tools=("torchmetrics", "allrank", "recbole", "lenskit", "transformers4rec"),
    requires=(
        "torch==2.2.2",
        "torchmetrics==1.9.0",
        "numpy==1.26.4",
        "pandas==2.3.3",
        "pyarrow==23.0.1",
        "scikit-learn==1.9.1",
        "setuptools==65.5.0",
        # What RecBole imports.
        "colorama==0.4.4",
        "colorlog==4.7.2",
        "pyyaml==6.0.3",
        "tensorboard==2.21.0",
        "texttable==1.7.2",
        "tqdm==4.70.1",
        # What LensKit imports.
        "deepmerge==4.0.0",
        "humanize==4.16.0",
        "lazy-loader==0.6",
        "more-itertools==11.2.1",
        "prettytable==3.18.0",
        "psutil==7.2.2",
        "py-cpuinfo==9.0.0",
        "pydantic-settings==2.16.2",
        "pydantic==2.14.3",
        "pyzmq==27.3.0",
        "requests==2.34.2",
        "rich==15.0.0",
        "structlog==26.1.0",
        "threadpoolctl==3.8.0",
        "xopen==2.1.0",
        # What Transformers4Rec imports.
        "accelerate==1.15.0",
        "betterproto==1.2.5",
        "dask==2023.7.1",
        "distributed==2023.7.1",
        "npy-append-array==0.9.19",
        "numba==0.61.2",
        "pynvml==11.4.1",
        "tensorflow-metadata==1.21.0",
        "transformers==4.30.2",
        # What allRank imports; its own pins are of 2021.
        "torchvision==0.17.2",
        "attrs==26.1.0",
        "gcsfs==2026.10.1",
        "tensorboardX==2.6.5",
    ),
    alone=(
        "allRank==1.4.3",
        "recbole==1.2.1",
        "lenskit==2025.8.1",
        "transformers4rec==23.12.0",
        "merlin-core==23.8.0",
        "merlin-dataloader==23.8.0",
        "merlin-models==23.12.0",
    ),
)

ALL: Final = (
    Environment(
        name="beir",
        tools=("beir",),
        requires=("pytrec_eval-terrier==0.5.11", "tqdm==4.70.1", "numpy==1.26.4"),
        alone=("beir==2.2.0",),
    ),
    Environment(name="cornac", tools=("cornac",), requires=("cornac==3.0.1",)),
    # RecTools, which the tests have, brings a fork of implicit that installs the same modules.
    Environment(name="implicit", tools=("implicit",), requires=("implicit==0.7.3",)),
    Environment(
        name="recommenders",
        tools=("recommenders",),
        requires=("numpy==1.26.4", "pandas==2.3.3", "scikit-learn==1.9.1"),
        alone=("recommenders==1.2.1",),
    ),
    Environment(name="recometrics", tools=("recometrics",), requires=("recometrics==0.1.6.post13",)),
    # rexmex imports six, which it does not require.
    Environment(name="rexmex", tools=("rexmex",), requires=("rexmex==0.1.3", "scikit-learn==1.9.1", "six==1.17.0")),
    Environment(name="evidently", tools=("evidently",), requires=("evidently==0.7.23", "pandas==2.3.3")),
    Environment(
        name="keras",
        tools=("keras_rs",),
        requires=("keras-rs==0.4.0", "keras==3.15.1", "jax[cpu]==0.4.38", "numpy==1.26.4"),
    ),
    Environment(
        name="tensorflow",
        tools=("tensorflow_ranking",),
        requires=("tensorflow-cpu==2.15.1", "numpy==1.26.4"),
        alone=("tensorflow-ranking==0.5.5", "tensorflow-serving-api==2.15.1"),
    ),
    Environment(
        name="replay",
        tools=("replay",),
        requires=("replay-rec==0.22.0", "numpy==2.4.6", "pandas==2.3.3", "polars==1.44.2"),
    ),
    Environment(name="spark", tools=("spark",), requires=("pyspark==4.3.0", "numpy==1.26.4")),  # and Java 17
    TORCH,
    # mteb imports torch; the other pins are those that go with NumPy 1.
    Environment(
        name="mteb",
        tools=("mteb",),
        requires=(
            "mteb==2.26.24",
            "pytrec_eval-terrier==0.5.11",
            "torch==2.2.2",
            "transformers==4.46.3",
            "sentence-transformers==3.3.1",
            "pyarrow==21.0.0",
            "numpy==1.26.4",
        ),
    ),
    # What is not on PyPI: the program trec_eval 10, the classes of RankLib 2.10.1, the folders of two repositories.
    Environment(name="trec_eval", tools=("trec_eval",), needs=("TREC_EVAL",)),
    Environment(name="ranklib", tools=("ranklib",), needs=("RANKLIB",)),
    Environment(
        name="elliot",
        tools=("elliot",),
        requires=("numpy==1.26.4", "pandas==2.3.3", "pyyaml==6.0.3"),
        needs=("ELLIOT",),
    ),
    Environment(name="neumf", tools=("neumf",), requires=("numpy==1.26.4",), needs=("NEUMF",)),
)
TOOLS: Final = frozenset(tool for environment in ALL for tool in environment.tools)
