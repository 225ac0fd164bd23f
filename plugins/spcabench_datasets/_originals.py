"""How the table of each data set of the collection is cut from its original files."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Cut = tuple[pd.DataFrame, Any]
"""A table of numbers, and the labels of its rows or None."""

EEG = ["AF3", "F7", "F3", "FC5", "T7", "P7", "O1", "O2", "P8", "T8", "FC6", "F4", "F8", "AF4"]
"""The electrodes, in the order of UCI's page."""
NO_SERIES = ["GmWt_1", "GmWt_Desc1", "GmWt_2", "GmWt_Desc2", "Refuse_Pct"]
YEARLY = r"(pop20\d\d|((un)?employed|civilian_labor_force)_20(0\d|1[0-6]))$"
"""Of the counties: counts of one year, when another is kept."""
PLAY = (
    *("W", "R", "AB", "H", "X2B", "X3B", "HR", "BB", "SO", "SB", "CS", "HBP", "SF", "RA"),
    *("ER", "ERA", "CG", "SHO", "SV", "IPouts", "HA", "HRA", "BBA", "SOA", "E", "DP", "FP"),
)
"""Of the seasons of baseball: what a team did."""

_log = np.vectorize(math.log)  # the C library's, whatever the processor: numpy's differs in the last bit


def cut(name: str, files: Sequence[Path]) -> Cut:
    """Return the table of a data set and the labels of its rows; columns that do not vary are left out."""
    held: Any = _objects(files) if files and files[0].suffix.lower() in (".rda", ".rdata") else files
    table, labels = CUTS[name](held)
    values = table.to_numpy()
    return table.loc[:, np.fmax.reduce(values) > np.fmin.reduce(values)], labels


def _objects(files: Iterable[Path]) -> dict[str, Any]:
    """Return the objects of R's files by their names; a frame that has a matrix as a column is a mapping."""
    from rdata.conversion import DEFAULT_CLASS_MAP, convert
    from rdata.parser import parse_file

    def frame(columns: Any, attributes: Any) -> Any:
        wide = isinstance(columns, Mapping) and any(np.ndim(column) > 1 for column in columns.values())
        return columns if wide else DEFAULT_CLASS_MAP["data.frame"](columns, attributes)

    found: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes and encodings that no table here needs
        for file in files:
            if file.suffix == ".csv":
                found[file.name.partition("-")[2]] = _text([file])
            else:
                found |= convert(parse_file(file), {**DEFAULT_CLASS_MAP, "data.frame": frame})
    return found


def _text(files: Sequence[Path], **how: Any) -> pd.DataFrame:
    """Return a table of text: its numbers are rounded correctly when they are made, in any version of pandas."""
    found: pd.DataFrame = pd.read_csv(files[0], dtype=str, **how)
    return found


def _table(matrix: Any, names: Iterable[object] | None = None, labels: Any = None) -> Cut:
    """Return a table; names that occur again are numbered."""
    if names is None:
        known = matrix.columns if isinstance(matrix, pd.DataFrame) else getattr(matrix, "coords", {}).get("dim_1")
        names = [f"V{j + 1}" for j in range(matrix.shape[1])] if known is None else np.asarray(known)
    seen: Counter[str] = Counter()
    own = []
    for name in ("NA" if name is pd.NA else str(name) for name in names):
        own.append(f"{name}.{seen[name]}" if seen[name] else name)
        seen[name] += 1
    values = matrix.to_numpy(dtype=object, na_value=np.nan) if isinstance(matrix, pd.DataFrame) else matrix
    return pd.DataFrame(np.asarray(values, dtype=np.float64), columns=own), labels


def _labelled(frame: pd.DataFrame, label: str, *drop: str) -> Cut:
    """Return all columns but the labels and others."""
    return _table(frame.drop(columns=[label, *drop]), labels=frame[label])


def _numbered(stem: str, count: int, first: int = 1) -> list[str]:
    return [f"{stem}{j}" for j in range(first, first + count)]


def _liver(held: Any) -> Cut:
    found = held["liver.toxicity"]
    given = zip(found["treatment"]["Dose.Group"], found["treatment"]["Time.Group"], strict=True)
    return _table(found["gene"], labels=[f"{dose:.0f} {hours}" for dose, hours in given])


def _tumours(part: str) -> Callable[[Any], Cut]:
    def read(held: Any) -> Cut:
        found = held["breast.TCGA"]["data.train"]
        return _table(found[part], labels=found["subtype"])

    return read


def _foods(held: Any) -> Cut:
    return _table(_text(held).loc[:, "Water_(g)":].drop(columns=NO_SERIES).dropna())


def _answers(held: Any) -> Cut:
    items = held["bfi"].columns[:25]
    complete = held["bfi"].dropna(subset=items)
    return _table(complete[items], labels=complete["gender"])


def _senators(held: Any) -> Cut:
    votes = held["Senate"].filter(regex="^rc")
    present = votes[votes.isna().mean(axis=1) < 0.04]
    party = held["Senate"].loc[present.index, "party"]
    return _table(present.loc[:, present.notna().all()], labels=party.map({1: "R", 0: "D"}))


def _counties(held: Any) -> Cut:
    known = held["county_complete"]
    known = known.loc[:, known.isna().sum() <= 30].filter(regex=f"^(?!{YEARLY})")
    known = known.drop(columns=["fips", "name", "smoking_ban_2010", "uninsured_age_under_6_2017"])
    return _labelled(known.dropna(), "state")


def _seasons(held: Any) -> Cut:
    teams = _text(held)
    year, games = teams["yearID"].astype(int), teams["G"].astype(int)
    teams = teams[(year >= 1970) & (year != 2020) & (games >= 158)]
    return _table(teams[list(PLAY)], labels=teams["lgID"])


def _returns(held: Any) -> Cut:
    found = held["stockdata"]
    return _table(np.diff(_log(found["data"].to_numpy()[::5]), axis=0), found["info"].reshape(3, -1)[0])


def _months(held: Any) -> Cut:
    """Make each series stationary, as the second file says."""
    kinds = held["fred_trans.csv"].dropna(subset="fred_md").set_index("variable")["fred_md"]
    steps: Mapping[str, Callable[[Any], Any]] = {
        "none": lambda x: x,
        "log": np.log,
        "1st-diff": lambda x: x.diff(),
        "log-diff": lambda x: np.log(x).diff(),
        "log-2nd-diff": lambda x: np.log(x).diff().diff(),
        "pct-ch-diff": lambda x: x.pct_change(fill_method=None).diff(),
    }
    series = held["fred_md"].reset_index(drop=True)
    with np.errstate(invalid="ignore"):
        made = pd.DataFrame({name: steps[kinds[name]](series[name]) for name in series.columns})
    month = pd.period_range("1959-01", periods=len(made), freq="M").astype(str)
    return _table(made[(month >= "1992-03") & (month <= "2023-08")].dropna(axis=1))


def _ocean(files: Sequence[Path]) -> Cut:
    from scipy.io import netcdf_file

    with netcdf_file(files[0], mmap=False) as held:
        sst, north, east = (np.array(held.variables[name].data) for name in ("sst", "latitude", "longitude"))
    winters = sst.reshape(len(sst), -1).astype(np.float64)
    sea = (np.abs(winters) < 1e10).all(axis=0)
    places = np.array([f"{one}N {other}E" for one in north for other in east])
    return _table(winters[:, sea], places[sea])


def _phonemes(held: Any) -> Cut:
    kinds = ("aa", "ao", "dcl", "iy", "sh")
    spectra = [held[kind]["y"].to_numpy()[:, :100].T for kind in kinds]
    return _table(np.vstack(spectra), _numbered("f", 150), np.repeat(kinds, 100))


def _sonar(files: Any) -> Cut:
    bands = _text(files, header=None)
    return _table(bands.iloc[:, :60], _numbered("band", 60), bands[60])


def _oil(files: Any) -> Cut:
    found = _text(files, header=None)
    return _table(found.iloc[:, 1:-1], _numbered("f", 48, 2), found[49])


def _leaves(files: Any) -> Cut:
    found = _text(files)
    return _table(found.loc[:, "outlying_polar":], labels=found["species"])


def _brain(files: Any) -> Cut:
    found = _text(files)
    return _table(found.iloc[:, :14], EEG, found["Class"])


def _weather(held: Any) -> Cut:
    found = held["CanadianWeather"]
    return _table(found["dailyAv"].to_numpy()[:, :, 0].T, _numbered("day", 365), found["region"])


def _leukemia(held: Any) -> Cut:
    parts = [held["golub_train"], held["golub_test"]]
    samples = np.concatenate([part["x"].coords["dim_0"].to_numpy().astype(int) for part in parts])
    order = np.argsort(samples)
    labels = np.concatenate([np.asarray(part["y"], dtype=str) for part in parts])[order]
    return _table(np.vstack([part["x"].to_numpy() for part in parts])[order], parts[0]["x"].coords["dim_1"], labels)


def _of_scikit_learn(name: str) -> Callable[[Any], Cut]:
    def read(held: Any) -> Cut:
        import sklearn.datasets

        found = getattr(sklearn.datasets, f"load_{name}")()
        return _table(found.data, found.feature_names, found.target)

    return read


CUTS: Mapping[str, Callable[[Any], Cut]] = {
    "srbct": lambda held: _table(
        held["srbct"]["gene"], held["srbct"]["gene.name"]["Image.Id."], held["srbct"]["class"]
    ),
    "nci60": lambda held: _table(held["NCI60"]["data"], labels=held["NCI60"]["labs"]),
    "prostate": lambda held: _table(held["prostate"]["x"], labels=held["prostate"]["y"].astype(int)),
    "liver_toxicity": _liver,
    "tcga_protein": _tumours("protein"),
    "tcga_mirna": _tumours("mirna"),
    "multidrug_compounds": lambda held: _table(
        held["multidrug"]["compound"], held["multidrug"]["comp.name"], held["multidrug"]["cell.line"]["Class"]
    ),
    "yeast_metabolites": lambda held: _table(
        held["yeast"]["data"].T, held["yeast"]["data"].coords["dim_0"].to_numpy(), held["yeast"]["strain.cond"]
    ),
    "hmp_16s": lambda held: _table(held["diverse.16S"]["data.raw"], labels=held["diverse.16S"]["bodysite"]),
    "wheat_markers": lambda held: _table(held["wheat.X"]),
    "mice_protein": lambda files: _labelled(_text(files), "class", "MouseID", "Genotype", "Treatment", "Behavior"),
    "gasoline_nir": lambda held: _table(held["gasoline"]["NIR"]),
    "fermentation_nir": lambda held: _table(held["NIR"]["xNIR"]),
    "meat_tecator": lambda files: _table(_text(files).filter(regex="^x_")),
    "mass_spectra_phenyl": lambda held: _table(
        held["Phenyl"].drop(columns="grp"), labels=held["Phenyl"]["grp"].astype(int)
    ),
    "drug_descriptors": lambda held: _table(held["mdrrDescr"], labels=held["mdrrClass"]),
    "musk": lambda held: _labelled(held["musk"], "Class"),
    "olive_oil": lambda files: _labelled(_text(files), "area", "rownames", "region"),
    "usda_foods": _foods,
    "bfi": _answers,
    "holzinger_swineford": lambda held: _table(
        held["holzinger.swineford"].filter(regex=r"^t([01]\d|2[0-4])_"), labels=held["holzinger.swineford"]["school"]
    ),
    "body_dimensions": lambda files: _labelled(_text(files), "sex", "rownames", "age", "wgt", "hgt"),
    "judge_ratings": lambda files: _table(_text(files).drop(columns="rownames")),
    "senate_votes": _senators,
    "county_census": _counties,
    "colleges": lambda held: _labelled(held["College"], "Private"),
    "baseball_teams": _seasons,
    "decathlon": lambda held: _labelled(held["decathlon"], "Competition", "Rank", "Points"),
    "stock_returns": _returns,
    "fred_md": _months,
    "pacific_sst": _ocean,
    "canadian_weather": _weather,
    "bci_trees": lambda held: _table(held["BCI"]),
    "olivetti": lambda held: _table(
        held["faces"].T.to_numpy(), _numbered("p", 4096), [str(person) for person in np.arange(400) // 10 + 1]
    ),
    "cell_images": lambda held: _labelled(held["segmentationData"], "Class", "Cell", "Case"),
    "flavia_leaves": _leaves,
    "phonemes": _phonemes,
    "electricity_mondays": lambda held: _table(held["mondaydemand"]["y"].T, _numbered("halfhour", 48)),
    "water_treatment": lambda files: _table(_text(files, na_values="?").rename(columns=str.strip).dropna()),
    "sonar": _sonar,
    "oil_spill": _oil,
    "globular_clusters": lambda files: _table(
        _text(files, sep=r"\s+").apply(pd.to_numeric, errors="coerce").dropna(axis=1, how="all").dropna()
    ),
    "dry_beans": lambda files: _labelled(_text(files), "Class"),
    "eeg_eye": _brain,
    "colon": lambda held: _table(held["Colon"]["X"], [f"g{j:04d}" for j in range(1, 2001)], held["Colon"]["Y"] == 2),
    "golub": lambda held: _table(held["leukemia"]["X"], labels=held["leukemia"]["Y"] == 2),
    "golub_raw": _leukemia,
    "wine": _of_scikit_learn("wine"),
    "breast_cancer": _of_scikit_learn("breast_cancer"),
}
"""What cuts the table out of what its original files have: objects of R by name, or the files."""
