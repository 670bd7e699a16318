"""Split: training and truth, rankings without training items, and sampled candidates."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankgauge.checks import whole_number
from rankgauge.grading.audited import Audit, Audited
from rankgauge.grading.candidates import SAMPLED, draw_candidates
from rankgauge.grading.unseen_items import unseen_rows
from rankgauge.inputs.reading_options import ColumnsInput
from rankgauge.inputs.types import RankingInput


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Split:
    """The training set of a recommender, `train`, and the truth that it is judged by, `truth`.

    >>> import polars as pl
    >>> from rankgauge.grading.holdout import holdout
    >>> watched = pl.DataFrame({"user": [1, 1, 2, 2], "movie": [7, 8, 9, 7], "timestamp": [1, 2, 3, 4]})
    >>> train, truth = holdout(watched)
    >>> train.rows(), truth.frame.rows()
    ([(1, 7, 1), (2, 9, 3)], [(1, 8, 1.0), (2, 7, 1.0)])
    """

    # A table of the same library as the interactions.
    train: Any
    truth: Audited
    audit: Audit
    # Role → column of `train`.
    roles: Mapping[str, str]

    def unseen(self, ranking: RankingInput, columns: ColumnsInput = None) -> Audited:
        """Return a ranking without the items that the user has in training: the truth has none of them.

        Ids are compared as texts. Ranks are not renumbered, because only their order counts. Where the ranking is of
        another library than the interactions, the training pairs are copied through Python; to Spark they cannot be.

        Parameters:
            ranking: a table of any library, a file, or a mapping of user to ordered items or to {item: score}. The
                result is of the same kind; a file becomes a DuckDB relation, or a mapping if it is no table, such as a
                TREC run.
            columns: role → column for query, item and score or rank, where names are unusual.

        >>> import polars as pl
        >>> from rankgauge.grading.holdout import holdout
        >>> watched = pl.DataFrame({"user": [1, 1, 1], "movie": [7, 8, 9], "timestamp": [10, 20, 30]})
        >>> split = holdout(watched)
        >>> rest = split.unseen({1: [7, 9, 5]})
        >>> rest.frame
        {1: [9, 5]}
        >>> rest.audit
        unseen                     rows
        rows in                       3
        dropped: seen in training     1
        left                          2
        <BLANKLINE>
        seen: 1 of 1 ranked user lost items, 0 of them all
        truth: every user of the truth is in the ranking

        """
        return unseen_rows(self.train, self.truth, self.roles, ranking, columns)

    def candidates(self, count: int = 100, *, seed: int = 0) -> Audited:
        """Return the items of each user's truth and `count` random others, for recommenders too slow to rank all items.

        The others are drawn uniformly from all items that the user has not had, the same in every library. The column
        `held_out` is 1 for an item of the truth and 0 for another.

        This warns: measures of sampled candidates differ from those of all items, and may order systems differently
        (Krichene & Rendle 2020, On Sampled Metrics for Item Recommendation, KDD).

        Parameters:
            count: how many other items to draw for each user.
            seed: the seed of the draw.

        >>> import warnings
        >>> import polars as pl
        >>> from rankgauge.grading.holdout import holdout
        >>> watched = pl.DataFrame({"user": [1, 1, 2, 2, 2], "movie": [7, 8, 7, 5, 6], "timestamp": [1, 2, 3, 4, 5]})
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     candidates = holdout(watched).candidates(1)
        >>> candidates.frame.sort("user", "held_out").rows()
        [(1, 6, 0), (1, 8, 1), (2, 8, 0), (2, 6, 1)]

        """
        count, seed = whole_number("count", count, 1, most=2**30), whole_number("seed", seed, 0)
        warnings.warn(SAMPLED, UserWarning, stacklevel=2)
        return draw_candidates(self.train, self.truth, self.roles, count, seed)

    def __iter__(self) -> Iterator[Any]:
        """Give training and truth: `train, truth = rg.grading.holdout(interactions)`."""
        return iter((self.train, self.truth))

    def __repr__(self) -> str:
        return str(self.audit)

    def _repr_html_(self) -> str:
        return self.audit._repr_html_()
