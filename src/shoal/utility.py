"""Information loss and data utility of a release compared with its original."""

from shoal.assessment.score import Score as Score
from shoal.assessment.utility.analyses.analysis_result import interval_overlap as interval_overlap
from shoal.assessment.utility.correlation_change import CorrelationChange as CorrelationChange
from shoal.assessment.utility.correlation_change import correlation_change as correlation_change
from shoal.assessment.utility.moments import MeanVariation as MeanVariation
from shoal.assessment.utility.moments import il1s as il1s
from shoal.assessment.utility.moments import mean_variation as mean_variation
from shoal.assessment.utility.probabilistic import ProbabilisticLoss as ProbabilisticLoss
from shoal.assessment.utility.probabilistic import probabilistic_loss as probabilistic_loss
from shoal.assessment.utility.propensity import PropensityScore as PropensityScore
from shoal.assessment.utility.propensity import propensity_score as propensity_score
from shoal.assessment.utility.queries import Answer as Answer
from shoal.assessment.utility.queries import CountQuery as CountQuery
from shoal.assessment.utility.queries import count_queries as count_queries
