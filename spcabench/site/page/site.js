"use strict";

(() => {
  const aside = document.querySelector("#aside");
  if (window.matchMedia("(max-width: 63.99rem)").matches) aside.open = false;
  spca.tables(() => new Set())();
})();
