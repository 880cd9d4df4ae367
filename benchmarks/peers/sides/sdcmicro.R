# The sides of sdcMicro: Rscript sdcmicro.R TASK FILE. Prints what side.py prints.
suppressMessages(library(sdcMicro))
arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[2], check.names = FALSE)

mdav <- function() {
  X <- as.data.frame(scale(table))
  list(
    work = function() microaggregation(X, method = "mdav", aggr = 3)$mx,
    figures = function(mx) list("information loss, %" = 100 * sum((X - mx)^2) / sum(X^2))
  )
}
rank_swap <- function() {
  list(
    work = function() rankSwap(table, TopPercent = 0, BottomPercent = 0, P = 10, seed = 1),
    figures = function(swapped) {
      changes <- mapply(function(x, y) mean(abs(rank(x, ties.method = "first") - rank(y, ties.method = "first"))), table, swapped)
      list("mean change of a rank, %" = 100 * mean(changes) / nrow(table))
    }
  )
}
suda <- function() {
  keys <- as.data.frame(lapply(table[names(table) != "salary-class"], function(x) as.integer(factor(x))))
  list(
    work = function() suda2(keys)$score,
    figures = function(score) list("records at risk" = sum(score > 0), "sum of scores" = sum(score))
  )
}
suppression <- function() {
  names <- c("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
  list(
    work = function() kAnon(createSdcObj(table, keyVars = names), k = 3),
    figures = function(sdc) list("blanked cells" = sum(is.na(extractManipData(sdc)[names])))
  )
}

side <- list(mdav = mdav, rank_swap = rank_swap, suda = suda, suppression = suppression)[[arguments[1]]]()
cost <- system.time(result <- side$work())
figures <- side$figures(result)
pairs <- paste0('"', names(figures), '": ', format(unlist(figures), digits = 12, scientific = FALSE, trim = TRUE), collapse = ", ")
cat(sprintf('{"cpu": %.4f, "wall": %.4f, "figures": {%s}}\n', cost[["user.self"]] + cost[["sys.self"]], cost[["elapsed"]], pairs))
