/* The forms of report/export/, one per file, which has the form's name; export.c lists them. */
#ifndef READPERF_REPORT_EXPORT_FORMS_H
#define READPERF_REPORT_EXPORT_FORMS_H

struct export_view;

void markdown_write(const struct export_view *view);
void junit_write(const struct export_view *view);
void rowsjson_write(const struct export_view *view);
void sarif_write(const struct export_view *view);
void codequality_write(const struct export_view *view);
void benchmark_write(const struct export_view *view);
void github_write(const struct export_view *view);
void diffhtml_write(const struct export_view *view);

#endif
