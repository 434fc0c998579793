from dataclasses import dataclass

import pytest

from core.studies.study import Step, run_to_end


@dataclass(frozen=True)
class Squares:
    n: int
    finish: bool = True

    def run(self):
        for i in range(self.n):
            yield Step(i, self.n, partial=i * i)
        if self.finish:
            yield Step(self.n, self.n, result=self.n**2)


def test_the_result_is_that_of_the_last_step():
    assert run_to_end(Squares(3)) == 9


def test_a_study_without_a_result_is_a_fault():
    with pytest.raises(RuntimeError, match="Squares"):
        run_to_end(Squares(3, finish=False))
    with pytest.raises(RuntimeError, match="Squares"):
        run_to_end(Squares(0, finish=False))


def test_a_fraction_is_a_share_where_there_is_one():
    assert Step(1, 4).fraction == 0.25
    assert Step(9, 4).fraction == 1
    assert Step(0, 0).fraction == 1
    assert Step(7).fraction is None
