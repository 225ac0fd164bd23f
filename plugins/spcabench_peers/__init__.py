"""The field's own programs as methods: R packages, Python packages and Octave functions, each run as a program.

One file a language; its class of a package has the arguments of the package's function as parameters, and
``programs/peer.*`` calls that function.  Nothing here imports a package: where one is missing, its method is
``unavailable`` and the reason says how to get it.

Conventions, the same for each:

- The program gets the samples as they are.  It centres them; it never scales them, whatever its default: scaling is
  the suite's.
- Loadings keep the zeros and the signs of the program; the host divides each by its length and then fixes its sign.
  ``loadings_`` has them as they were.
- The times are by the program's own clock, around the one call of the package: starting the program, loading the
  package and passing data are not in them.
- A program has one thread, unless the environment says otherwise.
"""
