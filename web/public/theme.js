/* Runs before the first paint, so that a chosen theme does not flash. */
try {
  var theme = localStorage.getItem("dragoman.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch (e) {
  /* no storage: the system's preference decides */
}
