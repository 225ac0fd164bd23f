# Fit sparse PCA by a package of R:  Rscript peer.R PACKAGE FOLDER name=value ...
# The files in FOLDER are those of spcabench.ProgramMethod.

words <- commandArgs(TRUE)
package <- words[1]
folder <- words[2]
pairs <- strsplit(words[-(1:2)], "=", fixed = TRUE)
given <- lapply(pairs, function(pair) type.convert(strsplit(pair[2], ",", fixed = TRUE)[[1]], as.is = TRUE))
names(given) <- vapply(pairs, `[`, "", 1)

# Return the mildest penalty that leaves the wanted nonzeros, or fewer if none does; count(penalty) falls as it grows.
# The first penalty found is arbitrary, and shrinks more than it must: its range is halved on, to a thousandth.
bisect <- function(count, wanted, high, most) {
  low <- 0
  if (count(low) <= wanted) return(low)
  while ((left <- count(high)) > wanted && high < most) {
    low <- high
    high <- 2 * high
  }
  reached <- left == wanted
  width <- high - low
  for (step in 1:50) {
    if (reached && high - low <= 1e-3 * width) break
    middle <- (low + high) / 2
    left <- count(middle)
    if (left == wanted && !reached) {
      reached <- TRUE
      width <- middle - low
    }
    if (left == wanted || (left < wanted && !reached)) high <- middle else low <- middle
  }
  high
}

# Return the penalties of components that are found one after another; fit(penalties) has as many, in any order.
penalties_of <- function(fit, wanted, high, most = Inf) {
  n_fits <- 0
  penalties <- numeric(0)
  left <- function(penalties) {
    n_fits <<- n_fits + 1
    sum(fit(penalties) != 0)
  }
  before <- 0
  for (nonzeros in wanted) {
    penalty <- bisect(function(penalty) left(c(penalties, penalty)) - before, nonzeros, high, most)
    penalties <- c(penalties, penalty)
    before <- left(penalties)
  }
  list(n_fits = n_fits, penalty = penalties)
}

# The packages with one penalty a component: how each fits, where the search for one begins, and its largest value.
penalised <- list(
  pcaPP = list(high = 1, most = Inf, fit = function(X, penalties, o)
    pcaPP::sPCAgrid(X, k = length(penalties), method = o$method, lambda = penalties, maxiter = o$max_iter,
                    splitcircle = o$split_circle, scores = FALSE, store.call = FALSE)$loadings),
  PMA = list(high = 1, most = 1, fit = function(X, penalties, o) {
    left <- scale(X, scale = FALSE)
    root <- sqrt(ncol(X))
    loadings <- NULL
    for (penalty in penalties) {
      one <- PMA::SPC(left, sumabsv = root - penalty * (root - 1), K = 1, niter = o$max_iter, center = FALSE,
                      trace = FALSE, compute.pve = FALSE)
      left <- left - one$d * one$u %*% t(one$v)
      loadings <- cbind(loadings, one$v)
    }
    loadings
  })
)

# The packages that take the number of nonzeros, or one penalty for all components.
direct <- list(
  elasticnet = function(X, r, o)
    elasticnet::spca(X, K = r, para = rep_len(o$n_nonzero, r), sparse = "varnum", lambda = o$ridge,
                     max.iter = o$max_iter, eps.conv = o$tol)$loadings,
  sparsepca = function(X, r, o)
    sparsepca::spca(X, k = r, alpha = o$alpha, beta = o$beta, center = TRUE, scale = FALSE, max_iter = o$max_iter,
                    tol = o$tol, verbose = FALSE)$loadings,
  nsprcomp = function(X, r, o)
    nsprcomp::nsprcomp(X, ncomp = r, k = rep_len(o$n_nonzero, r), nrestart = o$n_restart, em_tol = o$tol,
                       em_maxiter = o$max_iter, center = TRUE, scale. = FALSE)$rotation,
  rospca = function(X, r, o)
    rospca::rospca(X, k = r, kmax = max(r, 10), alpha = o$share, grid = FALSE, lambda = o$ridge, sparse = "varnum",
                   para = rep_len(o$n_nonzero, r), stand = FALSE)$loadings
)

if (!requireNamespace(package, quietly = TRUE)) {
  cat("R has no package ", package, "; install it with: Rscript -e 'install.packages(\"", package, "\")'", sep = "",
      file = file.path(folder, "lacks"))
  quit()
}
numbers <- readBin(file.path(folder, "X"), "double", file.size(file.path(folder, "X")) / 8, endian = "little")
X <- matrix(numbers[-(1:2)], numbers[1])
if (!is.null(given$random_state)) set.seed(given$random_state)

r <- given$n_components
fit <- function(o) direct[[package]](X, r, o)
if (package %in% names(penalised)) {
  way <- penalised[[package]]
  fit <- function(o) way$fit(X, rep_len(o$penalty, r), o)
  if (is.null(given$penalty)) {
    found <- penalties_of(function(penalties) way$fit(X, penalties, given), rep_len(given$n_nonzero, r), way$high,
                          way$most)
    given$penalty <- found$penalty
    words <- vapply(found, function(values) paste(format(values, digits = 17, trim = TRUE), collapse = ","), "")
    cat(paste(names(found), words, sep = "="), file = file.path(folder, "found"))
  }
}

clocks <- function() c(as.numeric(Sys.time()), sum(proc.time()[1:2]))
begun <- clocks()
loadings <- fit(given)
seconds <- clocks() - begun
if (seconds[2] < 0.02) seconds[2] <- seconds[1]  # this clock has steps of a millisecond

writeBin(c(dim(loadings), as.double(loadings)), file.path(folder, "loadings"), endian = "little")
cat(format(seconds, digits = 9), file = file.path(folder, "seconds"))
cat("R ", format(getRversion()), ", ", package, " ", format(packageVersion(package)), sep = "",
    file = file.path(folder, "version"))
