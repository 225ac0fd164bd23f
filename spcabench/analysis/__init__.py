"""Statistics of a comparison: numbers in, numbers out.

Each file holds one question: how sure a number is (`intervals`), how two methods differ on paired draws (`paired`),
which methods may be the best (`best`), whether a time is to be believed and which is the shorter (`times`), which
method is better over sources (`inference`: all that a leaderboard says), and whether a published number agrees with our
draws (`agreement`, `verdicts`).  Nothing here knows a suite, a record or a report.

Values are oriented: larger is better.  A value that is nan is a failure, which is worse than any number.
"""
