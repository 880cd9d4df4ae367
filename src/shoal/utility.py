"""Information loss and data utility of a release compared with its original."""

from shoal.assessment.score import Score as Score
from shoal.assessment.utility.moments import MeanVariation as MeanVariation
from shoal.assessment.utility.moments import il1s as il1s
from shoal.assessment.utility.moments import mean_variation as mean_variation
from shoal.assessment.utility.probabilistic import ProbabilisticLoss as ProbabilisticLoss
from shoal.assessment.utility.probabilistic import probabilistic_loss as probabilistic_loss
from shoal.assessment.utility.queries import Answer as Answer
from shoal.assessment.utility.queries import CountQuery as CountQuery
from shoal.assessment.utility.queries import count_queries as count_queries
