# Fits pcaPP::sPCAgrid: Rscript pcapp.R SAMPLES LOADINGS COMPONENTS LAMBDA METHOD.
#
# Each line of the input asks for a number of fits; the answer is the seconds of processor time of one of them.  At the
# end of the input the loadings are written, a row for each component.

suppressMessages(library(pcaPP))
given <- commandArgs(trailingOnly = TRUE)
X <- as.matrix(read.csv(given[1], header = FALSE))
fit <- function() sPCAgrid(X, k = as.integer(given[3]), method = given[5], lambda = as.numeric(given[4]),
                           scores = FALSE, store.call = FALSE)
found <- fit()
lines <- file("stdin", open = "r")
while (length(line <- readLines(lines, n = 1)) > 0) {
  n <- as.integer(line)
  before <- proc.time()
  for (i in seq_len(n)) found <- fit()
  cat(sprintf("%.9f\n", sum((proc.time() - before)[1:2]) / n))
  flush(stdout())
}
write.table(format(t(unclass(found$loadings)), digits = 17), given[2], sep = ",", quote = FALSE, row.names = FALSE,
            col.names = FALSE)
