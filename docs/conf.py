"""How Sphinx builds the site, offline: ``make -C docs html``."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from charts import use_one_look  # noqa: E402

from spcabench import __version__  # noqa: E402

use_one_look()

project = "spcabench"
author = "The spcabench developers"
version = release = __version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "running",
    "made_pages",
]
exclude_patterns = [
    *("_build", "_ext", "_templates", "gallery", "paper", "made/transcript.md", "made/planted.md"),
    *("**/sg_execution_times.rst", "sg_execution_times.rst"),
]
default_role = "literal"
smartquotes = False
add_module_names = False
autodoc_typehints = "none"
numpydoc_show_class_members = False
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
html_math_renderer = "mathml"
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
suppress_warnings = ["config.cache"]

html_theme = "pydata_sphinx_theme"
html_title = f"spcabench {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["names.js", "versions.js"]
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "trying": [], "made/which": [], "made/choosing": []}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navigation_depth": 2,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copyright = author

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "made/examples",
    "filename_pattern": r"/plot_",
    "image_scrapers": ("charts.scraper",),
    "reset_modules": (),
    "capture_repr": (),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "within_subsection_order": "charts.ReadersOrder",
    "thumbnail_size": (480, 320),
}
