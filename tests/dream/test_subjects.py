"""One subject, one page: names are matched before pages are made (T02, T09)."""

from __future__ import annotations

import pytest

from brain.dream.subjects import Directory, Head, by_length
from brain.types import Subject, SubjectKind


def person(name: str, *aliases: str) -> Subject:
    return Subject(name=name, kind=SubjectKind.PERSON, aliases=aliases)


def enter(*subjects: Subject) -> tuple[Directory, list[str]]:
    directory = Directory()
    for subject in by_length(subjects):
        directory.resolve(subject)
    return directory, [directory.resolve(subject) for subject in subjects]


def test_name_order_script_and_given_name_meet_in_one_person() -> None:
    directory, found = enter(person("Wei Zhang"), person("Zhang Wei (张伟)"), person("Wei from infra"), person("Wei"))
    assert len(set(found)) == 1
    assert directory.heads[found[0]].title in ("Wei Zhang", "Zhang Wei")
    assert {"张伟", "Wei from infra"} <= set(directory.heads[found[0]].aliases)


@pytest.mark.parametrize(
    ("one", "other"), [("Jean-Luc", "Jean"), ("Ann Lee", "Ann Li"), ("Ana", "Anna"), ("O'Brien", "Brien")]
)
def test_names_that_only_look_alike_stay_two_people(one: str, other: str) -> None:
    _, found = enter(person(one), person(other))
    assert len(set(found)) == 2


def test_given_name_of_two_known_people_means_neither() -> None:
    directory, _ = enter(person("Sam Okafor"), person("Sam Levi"))
    assert directory.find(person("Sam")) is None


def test_page_is_found_by_title_alias_and_id_before_a_new_one_is_made() -> None:
    directory = Directory()
    directory.add(
        Head(id="entities/sora-city-laboratory", title="Sora City Laboratory", kind="org", aliases=("Sora City Lab",))
    )
    for name in ("sora city lab", "the Sora City Laboratory", "entities/sora-city-laboratory"):
        assert directory.resolve(Subject(name=name, kind=SubjectKind.ORG)) == "entities/sora-city-laboratory"


def test_person_and_place_of_one_name_are_two_subjects() -> None:
    _, found = enter(person("Florence"), Subject(name="Florence", kind=SubjectKind.PLACE))
    assert len(set(found)) == 2


def test_person_first_met_by_given_name_takes_the_full_name_as_title() -> None:
    directory = Directory()
    directory.resolve(person("Priya"))
    found = directory.resolve(person("Priya Nair"))
    assert directory.heads[found].title == "Priya Nair"
    assert directory.resolve(person("Priya")) == found


def test_renamed_candidate_is_found_under_its_page() -> None:
    directory, found = enter(person("Wei Zhang"))
    directory.rename(found[0], "entities/wei-zhang")
    assert directory.find(person("Zhang Wei")) == "entities/wei-zhang"
