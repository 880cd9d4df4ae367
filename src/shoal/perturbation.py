"""Perturbation: each method as a function of arrays, and as a value for a policy."""

from shoal.methods.perturbation import DataSwap as DataSwap
from shoal.methods.perturbation import DateShift as DateShift
from shoal.methods.perturbation import Imputation as Imputation
from shoal.methods.perturbation import LossyImage as LossyImage
from shoal.methods.perturbation import Mic as Mic
from shoal.methods.perturbation import Noise as Noise
from shoal.methods.perturbation import Pram as Pram
from shoal.methods.perturbation import RankSwap as RankSwap
from shoal.methods.perturbation import RecordSwap as RecordSwap
from shoal.methods.perturbation import Rounding as Rounding
from shoal.methods.perturbation import TopBottomCode as TopBottomCode
from shoal.methods.perturbation.coding import top_bottom_code as top_bottom_code
from shoal.methods.perturbation.data_swap import data_swap as data_swap
from shoal.methods.perturbation.date_shift import date_shift as date_shift
from shoal.methods.perturbation.imputation import impute as impute
from shoal.methods.perturbation.lossy_image import lossy_image as lossy_image
from shoal.methods.perturbation.mic import mic as mic
from shoal.methods.perturbation.noise import noise as noise
from shoal.methods.perturbation.pram import pram as pram
from shoal.methods.perturbation.rank_swap import rank_swap as rank_swap
from shoal.methods.perturbation.record_swap import RecordSwaps as RecordSwaps
from shoal.methods.perturbation.record_swap import record_swap as record_swap
from shoal.methods.perturbation.rounding import round_to as round_to
from shoal.methods.perturbation.transition import invariant_matrix as invariant_matrix
