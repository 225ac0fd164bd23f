"""The public names of spcabench, each with its home: the package reads this file to find them."""

from spcabench import plots as plots
from spcabench.api.comparing import compare as compare
from spcabench.api.running import load as load
from spcabench.api.running import run as run
from spcabench.calibrate import Calibration as Calibration
from spcabench.calibrate import search_penalty as search_penalty
from spcabench.dataset import Dataset as Dataset
from spcabench.dataset import Evaluation as Evaluation
from spcabench.dataset import Fitted as Fitted
from spcabench.dataset import Moments as Moments
from spcabench.explore.trying import explore as explore
from spcabench.foreign.reader import read_arrays as read_arrays
from spcabench.foreign.reader import read_table as read_table
from spcabench.hookspecs import hookimpl as hookimpl
from spcabench.originals import fetched as fetched
from spcabench.originals import local_file as local_file
from spcabench.parameters import FLAG as FLAG
from spcabench.parameters import NOTHING as NOTHING
from spcabench.parameters import Anything as Anything
from spcabench.parameters import Either as Either
from spcabench.parameters import ExistingFile as ExistingFile
from spcabench.parameters import Fields as Fields
from spcabench.parameters import ListOf as ListOf
from spcabench.parameters import Number as Number
from spcabench.parameters import OneOf as OneOf
from spcabench.parameters import Parameter as Parameter
from spcabench.parameters import Text as Text
from spcabench.parameters import Whole as Whole
from spcabench.parameters import nearest as nearest
from spcabench.parameters import parameter_faults as parameter_faults
from spcabench.parameters import without_file as without_file
from spcabench.program import FunctionMethod as FunctionMethod
from spcabench.program import ProgramMethod as ProgramMethod
from spcabench.report.figures import Figure as Figure
from spcabench.report.results import Results as Results
from spcabench.specs import CARDINALITY as CARDINALITY
from spcabench.specs import DENSE as DENSE
from spcabench.specs import DatasetSpec as DatasetSpec
from spcabench.specs import DataUnavailable as DataUnavailable
from spcabench.specs import Knob as Knob
from spcabench.specs import MethodSpec as MethodSpec
from spcabench.specs import MethodUnavailable as MethodUnavailable
from spcabench.specs import MetricSpec as MetricSpec
from spcabench.specs import RemoteFile as RemoteFile
from spcabench.suite.making import make as make
from spcabench.wording import InputError as InputError

__version__: str
__all__: list[str]
