// The page's own style and scripts, page.css, page.js and volume.js, as texts: written by CMake
// (cmake/embed.cmake).
#ifndef FATHOM_REPORT_PAGE_FILES_H
#define FATHOM_REPORT_PAGE_FILES_H

extern const char web_page_css[], web_page_js[], web_volume_js[];

#endif
