% Fit sparse PCA by a function of Octave:  octave-cli peer.m NAME.m FOLDER n_components=2 n_nonzero=4,3
% The files in FOLDER are those of spcabench.ProgramMethod; the function is  loadings = NAME(X, n_components, n_nonzero).

words = argv();
[~, name] = fileparts(words{1});
folder = words{2};
given = struct();
for word = words(3:end)'
  pair = strsplit(word{1}, "=");
  given.(pair{1}) = str2double(strsplit(pair{2}, ","));
end
if !exist(words{1}, "file")
  file = fopen(fullfile(folder, "lacks"), "w");
  fprintf(file, "there is no file %s; name the file of the function\n", words{1});
  fclose(file);
  exit(0);
end
addpath(fileparts(make_absolute_filename(words{1})));

file = fopen(fullfile(folder, "X"), "r", "ieee-le");
numbers = fread(file, Inf, "double");
fclose(file);
X = reshape(numbers(3:end), numbers(1), numbers(2));
n_nonzero = given.n_nonzero + zeros(1, given.n_components);

used = cputime();
clock = tic();
loadings = feval(name, X, given.n_components, n_nonzero);
seconds = [toc(clock), cputime() - used];

file = fopen(fullfile(folder, "loadings"), "w", "ieee-le");
fwrite(file, [size(loadings)(:); loadings(:)], "double");
fclose(file);
file = fopen(fullfile(folder, "seconds"), "w");
fprintf(file, "%.9f %.9f\n", seconds);
fclose(file);
file = fopen(fullfile(folder, "version"), "w");
fprintf(file, "Octave %s, %s\n", version(), name);
fclose(file);
