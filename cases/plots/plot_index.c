// SPDX-License-Identifier: MIT

// The page around the pictures, and the files.

#include "plots/plot_draw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char s_style[] =
	"body{font-family:'Helvetica Neue',Arial,'DejaVu Sans',sans-serif;color:#1f2328;margin:24px auto;max-width:1120px;"
	"padding:0 16px}\n"
	"h1{font-size:26px}h2{font-size:20px;margin-top:40px;border-bottom:1px solid #dadce0;padding-bottom:4px}\n"
	"table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:2px 10px;text-align:left;border-bottom:1px solid #eceef0}\n"
	"td.n{text-align:right}td.c{text-align:center}\n"
	".pass{color:#137333}.fail{color:#c5221f;font-weight:700}.info{color:#6a737d}\n"
	"img{max-width:100%;border:1px solid #eceef0;margin:8px 0}a{color:#0969da;text-decoration:none}\n"
	".small{display:flex;flex-wrap:wrap;gap:12px}.small figure{margin:0;width:260px}\n"
	".small figcaption{font-size:13px;font-weight:600}details{margin:8px 0}summary{cursor:pointer}\n";

static const tncPlot* tncFindPlot(const tncPlots* plots, const tncCase* testCase, const tncMethod* method)
{
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		if (plot->testCase == testCase && (method == NULL || plot->method == method))
		{
			return plot;
		}
	}
	return NULL;
}

static int tncCountPlots(const tncPlots* plots, const tncCase* testCase)
{
	int count = 0;
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		count += plot->testCase == testCase ? 1 : 0;
	}
	return count;
}

static bool tncHasMethod(const tncPlots* plots, const tncMethod* method)
{
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		if (plot->method == method)
		{
			return true;
		}
	}
	return false;
}

// Cases down, methods across: how many required rows passed.
static void tncPutMatrix(tncText* text, const tncPlots* plots, const tncReport* report)
{
	tncText_Put(text, "<table>\n<tr><th>case</th><th></th>");
	for (int i = 0; i < tncGetMethodCount(); ++i)
	{
		if (tncHasMethod(plots, tncGetMethod(i)))
		{
			tncText_Put(text, "<th style=\"color:%s\">%s</th>", tncGetMethod(i)->color, tncGetMethod(i)->name);
		}
	}
	tncText_Put(text, "</tr>\n");
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		if (tncFindPlot(plots, testCase, NULL) == NULL)
		{
			continue;
		}
		tncText_Put(text, "<tr><td><a href=\"#%s\">%s</a></td><td>", testCase->name, testCase->name);
		tncText_PutEscaped(text, testCase->title);
		tncText_Put(text, "</td>");
		for (int k = 0; k < tncGetMethodCount(); ++k)
		{
			const tncMethod* method = tncGetMethod(k);
			const tncPlot* plot = tncFindPlot(plots, testCase, method);
			if (plot != NULL)
			{
				tncTally tally = tncCountRows(report, plot->rowBegin, plot->rowEnd);
				tncText_Put(text, "<td class=\"c\"><a class=\"%s\" href=\"%s_%s.svg\">%d/%d</a></td>",
					tally.failCount > 0 ? "fail" : "pass", testCase->name, method->name,
					tally.requiredCount - tally.failCount, tally.requiredCount);
			}
			else if (tncHasMethod(plots, method))
			{
				tncText_Put(text, "<td class=\"c info\">not run</td>");
			}
		}
		tncText_Put(text, "</tr>\n");
	}
	tncText_Put(text, "</table>\n");
}

static void tncPutRows(tncText* text, const tncReport* report, const tncPlot* plot)
{
	tncTally tally = tncCountRows(report, plot->rowBegin, plot->rowEnd);
	tncText_Put(text, "<details><summary>%s: %d rows, %d failed</summary>\n<table>\n", plot->method->name,
		plot->rowEnd - plot->rowBegin, tally.failCount);
	tncText_Put(text, "<tr><th>measure</th><th>value</th><th>limit</th><th>verdict</th></tr>\n");
	for (int i = plot->rowBegin; i < plot->rowEnd; ++i)
	{
		const tncRow* row = report->rows + i;
		char value[32];
		char bound[80];
		tncFormatNumber(row->value, 6, value, sizeof(value));
		tncFormatBound(row, bound, sizeof(bound));
		tncText_Put(text, "<tr><td>");
		tncText_PutEscaped(text, row->measure);
		tncText_Put(text, "</td><td class=\"n\">%s</td><td>%s</td><td class=\"%s\">%s</td></tr>\n", value, bound,
			tncGetVerdict(row), tncGetVerdict(row));
	}
	tncText_Put(text, "</table>\n</details>\n");
}

static void tncPutCase(tncText* text, const tncPlots* plots, const tncCase* testCase, const tncReport* report)
{
	tncText_Put(text, "<h2 id=\"%s\">%s ", testCase->name, testCase->name);
	tncText_PutEscaped(text, testCase->title);
	tncText_Put(text, "</h2>\n");
	bool hasOverview = tncCountPlots(plots, testCase) > 1;
	if (hasOverview)
	{
		tncText_Put(text, "<a href=\"%s.svg\"><img src=\"%s.svg\" alt=\"%s with all methods\"></a>\n", testCase->name,
			testCase->name, testCase->name);
	}
	tncText_Put(text, hasOverview ? "<div class=\"small\">\n" : "<div>\n");
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		if (plot->testCase == testCase)
		{
			const char* method = plot->method->name;
			tncText_Put(text, "<figure><figcaption style=\"color:%s\">%s</figcaption>", plot->method->color, method);
			tncText_Put(text, "<a href=\"%s_%s.svg\"><img loading=\"lazy\" src=\"%s_%s.svg\" alt=\"%s with %s\"></a>",
				testCase->name, method, testCase->name, method, testCase->name, method);
			tncText_Put(text, "</figure>\n");
		}
	}
	tncText_Put(text, "</div>\n");
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		if (plot->testCase == testCase)
		{
			tncPutRows(text, report, plot);
		}
	}
}

char* tncDrawIndex(const tncPlots* plots, const tncReport* report)
{
	tncText text = {0};
	tncTally tally = tncCountRows(report, 0, report->count);
	tncText_Put(&text,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<title>tarn check</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>tarn check</h1>\n",
		s_style);
	tncText_Put(&text, "<p>%d numbers, %d of them required: <b class=\"%s\">%d passed, %d failed</b>.</p>\n",
		report->count, tally.requiredCount, tally.failCount > 0 ? "fail" : "pass",
		tally.requiredCount - tally.failCount, tally.failCount);
	tncPutMatrix(&text, plots, report);
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		if (tncFindPlot(plots, tncGetCase(i), NULL) != NULL)
		{
			tncPutCase(&text, plots, tncGetCase(i), report);
		}
	}
	tncText_Put(&text, "</body>\n</html>\n");
	return tncText_Take(&text);
}

// Write a text that was drawn, and free it.
static bool tncWriteDrawing(char* drawing, const char* folder, const char* name, char* error, size_t size)
{
	char path[1024];
	int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (drawing == NULL)
	{
		snprintf(error, size, "no memory to draw %s", name);
		return false;
	}
	if (length < 0 || length >= (int)sizeof(path))
	{
		snprintf(error, size, "the path of %s is too long", name);
		free(drawing);
		return false;
	}

	errno = 0;
	FILE* file = fopen(path, "wb");
	size_t count = strlen(drawing);
	bool good = file != NULL && fwrite(drawing, 1, count, file) == count;
	int reason = errno;
	// What is still in the buffer may fail too.
	if (file != NULL && fclose(file) != 0)
	{
		reason = good ? errno : reason;
		good = false;
	}
	if (good == false)
	{
		snprintf(error, size, "cannot write %s: %s", path, reason != 0 ? strerror(reason) : "unknown reason");
	}
	free(drawing);
	return good;
}

bool tncWritePlots(const tncPlots* plots, const tncReport* report, const char* folder, char* error, size_t size)
{
	char name[64];
	if (plots->incomplete)
	{
		snprintf(error, size, "no memory for all pictures");
		return false;
	}
	for (const tncPlot* plot = plots->plots; plot != NULL; plot = plot->next)
	{
		snprintf(name, sizeof(name), "%s_%s.svg", plot->testCase->name, plot->method->name);
		if (tncWriteDrawing(tncDrawPlot(plot, report), folder, name, error, size) == false)
		{
			return false;
		}
	}
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		const tncCase* testCase = tncGetCase(i);
		if (tncCountPlots(plots, testCase) > 1)
		{
			snprintf(name, sizeof(name), "%s.svg", testCase->name);
			if (tncWriteDrawing(tncDrawOverview(plots, testCase, report), folder, name, error, size) == false)
			{
				return false;
			}
		}
	}
	return tncWriteDrawing(tncDrawIndex(plots, report), folder, "index.html", error, size);
}
