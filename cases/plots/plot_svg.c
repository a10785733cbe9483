// SPDX-License-Identifier: MIT

// SVG of a case: a title with the verdict, a legend, panels side by side, and the numbers with their limits.

#include "plots/plot_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lengths of a picture, in its own units. A picture is as high as what it holds.
#define TNC_PICTURE_WIDTH 1080.0
#define TNC_PICTURE_MARGIN 24.0
#define TNC_HEADER_HEIGHT 64.0
#define TNC_LEGEND_LINE 20.0
#define TNC_PANEL_HEIGHT 262.0
#define TNC_PANEL_GAP 18.0
#define TNC_TABLE_LINE 17.0

// Inside a panel around the axes: room for numbers and labels.
#define TNC_AXES_LEFT 70.0
#define TNC_AXES_RIGHT 12.0
#define TNC_AXES_TOP 26.0
#define TNC_AXES_BOTTOM 42.0

// Width of a letter over the font size, in the mean of a sans-serif font.
#define TNC_LETTER_WIDTH 0.56

// Most lines of a table: the page has all rows.
#define TNC_TABLE_LINES 34

// Dots of a series that are still few.
#define TNC_FEW_DOTS 64

#define TNC_INK "#1f2328"
#define TNC_FAINT "#6a737d"
#define TNC_GREEN "#137333"
#define TNC_AMBER "#9a6700"
#define TNC_RED "#c5221f"
#define TNC_GROUND_FILL "#e4d9c6"
#define TNC_GROUND_LINE "#9c8866"

typedef struct tncRectangle
{
	double x, y, width, height;
} tncRectangle;

// ---------------------------------------------------------------------------------------------------------------------
// Elements

static void tncPutAttribute(tncText* text, const char* name, double value)
{
	tncText_Put(text, " %s=\"", name);
	tncText_PutPlace(text, value);
	tncText_Put(text, "\"");
}

// @param attributes anchor, colour and the like, with a space in front
static void tncPutLabel(tncText* text, double x, double y, int size, const char* attributes, const char* label)
{
	tncText_Put(text, "<text");
	tncPutAttribute(text, "x", x);
	tncPutAttribute(text, "y", y);
	tncText_Put(text, " font-size=\"%d\"%s>", size, attributes);
	tncText_PutEscaped(text, label);
	tncText_Put(text, "</text>\n");
}

static void tncPutLine(tncText* text, double x1, double y1, double x2, double y2, const char* attributes)
{
	tncText_Put(text, "<line");
	tncPutAttribute(text, "x1", x1);
	tncPutAttribute(text, "y1", y1);
	tncPutAttribute(text, "x2", x2);
	tncPutAttribute(text, "y2", y2);
	tncText_Put(text, "%s/>\n", attributes);
}

static void tncPutRectangle(tncText* text, const tncRectangle* area, const char* attributes)
{
	tncText_Put(text, "<rect");
	tncPutAttribute(text, "x", area->x);
	tncPutAttribute(text, "y", area->y);
	tncPutAttribute(text, "width", area->width);
	tncPutAttribute(text, "height", area->height);
	tncText_Put(text, "%s/>\n", attributes);
}

static void tncPutPoint(tncText* text, const char* command, double x, double y)
{
	tncText_Put(text, "%s", command);
	tncText_PutPlace(text, x);
	tncText_Put(text, " ");
	tncText_PutPlace(text, y);
}

// ---------------------------------------------------------------------------------------------------------------------
// Series

// How a series is drawn, as attributes.
static void tncFormatStyle(const tncSeries* series, char* style, size_t size)
{
	bool isDot = series->mark == tnc_dotMark;
	// Few dots may be larger than many.
	const char* dotSize = series->count <= TNC_FEW_DOTS ? "6" : "3.4";
	switch (series->role)
	{
		case tnc_groundRole:
			snprintf(style, size, " fill=\"none\" stroke=\"" TNC_GROUND_LINE "\" stroke-width=\"1.2\"");
			break;
		case tnc_referenceRole:
			snprintf(style, size, " fill=\"none\" stroke=\"#3c4043\" stroke-width=\"%s\" stroke-linecap=\"round\"",
				isDot ? "8" : "3");
			break;
		case tnc_ownRole:
			snprintf(style, size, " fill=\"none\" stroke=\"#5f6368\" stroke-width=\"%s\"%s", isDot ? "5" : "2",
				isDot ? " stroke-linecap=\"round\"" : " stroke-dasharray=\"7 4\"");
			break;
		case tnc_variantRole:
			snprintf(style, size,
				" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-opacity=\"0.6\" stroke-linecap=\"round\"%s",
				series->color, isDot ? dotSize : "1.6", isDot ? "" : " stroke-dasharray=\"5 4\"");
			break;
		case tnc_realisticRole:
			snprintf(style, size, " fill=\"none\" stroke=\"" TNC_RED "\" stroke-width=\"1\" stroke-dasharray=\"6 3\"");
			break;
		case tnc_ambitiousRole:
			snprintf(
				style, size, " fill=\"none\" stroke=\"" TNC_GREEN "\" stroke-width=\"1\" stroke-dasharray=\"2 3\"");
			break;
		default:
			snprintf(style, size, " fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"",
				series->color, isDot ? dotSize : "1.7");
			break;
	}
}

typedef struct tncCanvas
{
	tncText* text;
	tncRectangle axes;
	tncAxis x, y;
} tncCanvas;

static double tncMapX(const tncCanvas* canvas, double x)
{
	return canvas->axes.x + canvas->axes.width * tncAxis_Place(&canvas->x, x);
}

// What is far outside is clipped anyway: it is held near, so that numbers stay short.
static double tncMapY(const tncCanvas* canvas, double y)
{
	double place = fmax(-1.0, fmin(2.0, tncAxis_Place(&canvas->y, y)));
	return canvas->axes.y + canvas->axes.height * (1.0 - place);
}

static bool tncIsPlaced(const tncSeries* series, int i)
{
	return isfinite(series->points[2 * i]) && isfinite(series->points[2 * i + 1]);
}

static void tncDrawLine(const tncCanvas* canvas, const tncSeries* series, const char* style)
{
	tncText* text = canvas->text;
	bool isDown = false;
	tncText_Put(text, "<path d=\"");
	for (int i = 0; i < series->count; ++i)
	{
		bool isPlaced = tncIsPlaced(series, i);
		if (isPlaced)
		{
			double x = tncMapX(canvas, series->points[2 * i]);
			tncPutPoint(text, isDown ? "L" : "M", x, tncMapY(canvas, series->points[2 * i + 1]));
		}
		isDown = isPlaced;
	}
	tncText_Put(text, "\"%s/>\n", style);
}

static void tncDrawGround(const tncCanvas* canvas, const tncSeries* series)
{
	tncText* text = canvas->text;
	double bottom = canvas->axes.y + canvas->axes.height;
	double first = NAN;
	double last = NAN;
	tncText_Put(text, "<path d=\"");
	for (int i = 0; i < series->count; ++i)
	{
		if (tncIsPlaced(series, i))
		{
			double x = tncMapX(canvas, series->points[2 * i]);
			bool isFirst = isnan(first);
			first = isFirst ? x : first;
			last = x;
			tncPutPoint(text, isFirst ? "M" : "L", x, tncMapY(canvas, series->points[2 * i + 1]));
		}
	}
	if (isnan(first) == false)
	{
		tncPutPoint(text, "L", last, bottom);
		tncPutPoint(text, "L", first, bottom);
		tncText_Put(text, "Z");
	}
	tncText_Put(text, "\" fill=\"" TNC_GROUND_FILL "\" stroke=\"none\"/>\n");
}

// Dots are lines without length and with round ends.
static void tncDrawDots(const tncCanvas* canvas, const tncSeries* series, const char* style)
{
	tncText* text = canvas->text;
	tncText_Put(text, "<path d=\"");
	for (int i = 0; i < series->count; ++i)
	{
		if (tncIsPlaced(series, i))
		{
			double x = tncMapX(canvas, series->points[2 * i]);
			tncPutPoint(text, "M", x, tncMapY(canvas, series->points[2 * i + 1]));
			tncText_Put(text, "h0");
		}
	}
	tncText_Put(text, "\"%s/>\n", style);
}

static void tncDrawBars(const tncCanvas* canvas, const tncSeries* series, int index, int count)
{
	tncText* text = canvas->text;
	double slot = 0.8 / count;
	double zero = tncMapY(canvas, canvas->y.isLog ? canvas->y.low : 0.0);
	for (int i = 0; i < series->count; ++i)
	{
		if (tncIsPlaced(series, i))
		{
			double begin = series->points[2 * i] - 0.4 + slot * index;
			double left = tncMapX(canvas, begin);
			double right = tncMapX(canvas, begin + 0.92 * slot);
			double top = tncMapY(canvas, series->points[2 * i + 1]);
			tncRectangle bar = {left, fmin(top, zero), right - left, fabs(top - zero)};
			char fill[96];
			snprintf(fill, sizeof(fill), " fill=\"%s\" fill-opacity=\"%s\"",
				series->role == tnc_referenceRole ? "#3c4043" : series->color,
				series->role == tnc_variantRole ? "0.45" : "0.85");
			tncPutRectangle(text, &bar, fill);
		}
	}
}

static void tncDrawLevels(const tncCanvas* canvas, const tncSeries* series, const char* style)
{
	for (int i = 0; i < series->count; ++i)
	{
		if (tncIsPlaced(series, i))
		{
			double y = tncMapY(canvas, series->points[2 * i + 1]);
			tncPutLine(canvas->text, canvas->axes.x, y, canvas->axes.x + canvas->axes.width, y, style);
		}
	}
}

static void tncDrawSeries(const tncCanvas* canvas, const tncPanel* panel)
{
	int barCount = 0;
	for (const tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		barCount += series->mark == tnc_barMark ? 1 : 0;
	}

	// Role by role, so that results lie on top.
	for (int role = 0; role < tnc_roleCount; ++role)
	{
		int bar = -1;
		for (const tncSeries* series = panel->series; series != NULL; series = series->next)
		{
			bar += series->mark == tnc_barMark ? 1 : 0;
			if ((int)series->role != role)
			{
				continue;
			}
			char style[192];
			tncFormatStyle(series, style, sizeof(style));
			if (series->role == tnc_groundRole)
			{
				tncDrawGround(canvas, series);
			}
			switch (series->mark)
			{
				case tnc_lineMark:
					tncDrawLine(canvas, series, style);
					break;
				case tnc_dotMark:
					tncDrawDots(canvas, series, style);
					break;
				case tnc_barMark:
					tncDrawBars(canvas, series, bar, barCount);
					break;
				case tnc_levelMark:
					tncDrawLevels(canvas, series, style);
					break;
			}
		}
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Panels

static void tncDrawGrid(const tncCanvas* canvas, const tncPanel* panel)
{
	tncText* text = canvas->text;
	const tncRectangle* axes = &canvas->axes;
	double bottom = axes->y + axes->height;
	char label[32];
	for (int i = 0; i < canvas->x.tickCount; ++i)
	{
		double x = tncMapX(canvas, canvas->x.ticks[i]);
		if (panel->categoryCount == 0)
		{
			tncPutLine(text, x, axes->y, x, bottom, " stroke=\"#e8eaed\"");
		}
		tncPutLine(text, x, bottom, x, bottom + 4.0, " stroke=\"" TNC_FAINT "\"");
		tncFormatNumber(canvas->x.ticks[i], 6, label, sizeof(label));
		tncPutLabel(text, x, bottom + 16.0, panel->categoryCount > 6 ? 9 : 11,
			" text-anchor=\"middle\" fill=\"" TNC_FAINT "\"", panel->categoryCount > 0 ? panel->categories[i] : label);
	}
	for (int i = 0; i < canvas->y.tickCount; ++i)
	{
		double y = tncMapY(canvas, canvas->y.ticks[i]);
		tncPutLine(text, axes->x, y, axes->x + axes->width, y, " stroke=\"#e8eaed\"");
		tncFormatNumber(canvas->y.ticks[i], 6, label, sizeof(label));
		tncPutLabel(text, axes->x - 6.0, y + 4.0, 11, " text-anchor=\"end\" fill=\"" TNC_FAINT "\"", label);
	}
}

static void tncDrawPanel(tncText* text, const tncPanel* panel, const tncRectangle* area, int number)
{
	tncCanvas canvas = {0};
	canvas.text = text;
	canvas.axes.x = area->x + TNC_AXES_LEFT;
	canvas.axes.y = area->y + TNC_AXES_TOP;
	canvas.axes.width = area->width - TNC_AXES_LEFT - TNC_AXES_RIGHT;
	canvas.axes.height = area->height - TNC_AXES_TOP - TNC_AXES_BOTTOM;
	int tickHint = (int)(canvas.axes.width / 60.0);
	tncMakeAxes(panel, tickHint < 8 ? tickHint : 8, &canvas.x, &canvas.y);

	tncText_Put(text, "<g>\n<clipPath id=\"panel%d\">", number);
	tncPutRectangle(text, &canvas.axes, "");
	tncText_Put(text, "</clipPath>\n");
	tncPutRectangle(text, &canvas.axes, " fill=\"#fcfcfd\" stroke=\"none\"");
	double middle = canvas.axes.x + 0.5 * canvas.axes.width;
	tncPutLabel(text, canvas.axes.x, area->y + 17.0, 13, " font-weight=\"600\" fill=\"" TNC_INK "\"", panel->title);
	tncDrawGrid(&canvas, panel);
	tncText_Put(text, "<g clip-path=\"url(#panel%d)\">\n", number);
	if (panel->isComparison)
	{
		tncPutLine(text, tncMapX(&canvas, canvas.x.low), tncMapY(&canvas, canvas.y.low),
			tncMapX(&canvas, canvas.x.high), tncMapY(&canvas, canvas.y.high),
			" stroke=\"#3c4043\" stroke-width=\"1.5\"");
	}
	tncDrawSeries(&canvas, panel);
	tncText_Put(text, "</g>\n");
	tncPutRectangle(text, &canvas.axes, " fill=\"none\" stroke=\"" TNC_FAINT "\"");
	tncPutLabel(text, middle, canvas.axes.y + canvas.axes.height + 34.0, 12,
		" text-anchor=\"middle\" fill=\"" TNC_INK "\"", panel->xLabel);

	tncText_Put(text, "<text font-size=\"12\" text-anchor=\"middle\" fill=\"" TNC_INK "\" transform=\"translate(");
	tncText_PutPlace(text, area->x + 12.0);
	tncText_Put(text, " ");
	tncText_PutPlace(text, canvas.axes.y + 0.5 * canvas.axes.height);
	tncText_Put(text, ") rotate(-90)\">");
	tncText_PutEscaped(text, panel->yLabel);
	tncText_Put(text, "</text>\n</g>\n");
}

static double tncDrawPanels(tncText* text, const tncPlot* plot, double top)
{
	int columnCount = plot->columnCount;
	int count = 0;
	for (const tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
	{
		count += 1;
	}
	columnCount = count < columnCount ? count : columnCount;
	if (count == 0)
	{
		return top;
	}

	double room = TNC_PICTURE_WIDTH - 2.0 * TNC_PICTURE_MARGIN - (columnCount - 1) * TNC_PANEL_GAP;
	tncRectangle area = {0.0, 0.0, room / columnCount, TNC_PANEL_HEIGHT};
	int index = 0;
	for (const tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
	{
		area.x = TNC_PICTURE_MARGIN + index % columnCount * (area.width + TNC_PANEL_GAP);
		area.y = top + index / columnCount * (TNC_PANEL_HEIGHT + TNC_PANEL_GAP);
		tncDrawPanel(text, panel, &area, index);
		index += 1;
	}
	return top + (count + columnCount - 1) / columnCount * (TNC_PANEL_HEIGHT + TNC_PANEL_GAP);
}

// ---------------------------------------------------------------------------------------------------------------------
// Legend

static bool tncIsNamedBefore(const tncPlot* plot, const tncPanel* endPanel, const tncSeries* end)
{
	for (const tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
	{
		for (const tncSeries* series = panel->series; series != NULL; series = series->next)
		{
			if (panel == endPanel && series == end)
			{
				return false;
			}
			if (series->role == end->role && strcmp(series->name, end->name) == 0)
			{
				return true;
			}
		}
	}
	return false;
}

static void tncDrawSample(tncText* text, const tncSeries* series, double x, double y)
{
	char style[192];
	tncFormatStyle(series, style, sizeof(style));
	tncRectangle box = {x, y - 5.0, 24.0, 10.0};
	if (series->role == tnc_groundRole)
	{
		tncPutRectangle(text, &box, " fill=\"" TNC_GROUND_FILL "\" stroke=\"" TNC_GROUND_LINE "\"");
	}
	else if (series->mark == tnc_barMark)
	{
		char fill[64];
		snprintf(fill, sizeof(fill), " fill=\"%s\" fill-opacity=\"%s\"", series->color,
			series->role == tnc_variantRole ? "0.45" : "0.85");
		tncPutRectangle(text, &box, fill);
	}
	else if (series->mark == tnc_dotMark)
	{
		tncText_Put(text, "<path d=\"");
		tncPutPoint(text, "M", x + 6.0, y);
		tncText_Put(text, "h0m12 0h0\"%s/>\n", style);
	}
	else
	{
		tncPutLine(text, x, y, x + 24.0, y, style);
	}
}

// Each name once, role by role.
static double tncDrawLegend(tncText* text, const tncPlot* plot, double top)
{
	double x = TNC_PICTURE_MARGIN;
	double y = top + 0.5 * TNC_LEGEND_LINE;
	int count = 0;
	for (int role = 0; role < tnc_roleCount; ++role)
	{
		for (const tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
		{
			for (const tncSeries* series = panel->series; series != NULL; series = series->next)
			{
				if ((int)series->role != role || tncIsNamedBefore(plot, panel, series))
				{
					continue;
				}
				double width = 24.0 + 6.0 + 12.0 * TNC_LETTER_WIDTH * (double)strlen(series->name) + 18.0;
				if (x + width > TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN && x > TNC_PICTURE_MARGIN)
				{
					x = TNC_PICTURE_MARGIN;
					y += TNC_LEGEND_LINE;
				}
				tncDrawSample(text, series, x, y);
				tncPutLabel(text, x + 30.0, y + 4.0, 12, " fill=\"" TNC_INK "\"", series->name);
				x += width;
				count += 1;
			}
		}
	}
	return count > 0 ? y + 0.5 * TNC_LEGEND_LINE + 8.0 : top;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables

static const char* tncGetRowColor(const tncRow* row)
{
	if (isfinite(row->lower) == false && isfinite(row->upper) == false)
	{
		return TNC_FAINT;
	}
	return row->pass ? TNC_GREEN : (row->informational ? TNC_FAINT : TNC_RED);
}

static const char* tncGetRowWord(const tncRow* row)
{
	return row->pass ? "pass" : (row->informational ? "not met" : "fail");
}

static void tncPutBound(tncText* text, const tncRow* row, double x, double y)
{
	char bound[80];
	char attributes[96];
	tncFormatBound(row, bound, sizeof(bound));
	tncPutLabel(text, x, y, 12, " fill=\"" TNC_INK "\"", bound);
	snprintf(attributes, sizeof(attributes), " font-weight=\"600\" fill=\"%s\"", tncGetRowColor(row));
	tncPutLabel(text, x + 118.0, y, 12, attributes, tncGetRowWord(row));
}

static void tncPutRow(tncText* text, const tncReport* report, int index, bool hasPartner, double y)
{
	const tncRow* row = report->rows + index;
	char value[32];
	tncFormatNumber(row->value, 4, value, sizeof(value));
	char measure[sizeof(row->measure)];
	snprintf(measure, sizeof(measure), "%s", row->measure);
	// The column says that it is ambitious.
	char* mark = strstr(measure, " (A)");
	if (row->kind == tnc_ambitiousRow && mark != NULL)
	{
		*mark = 0;
	}
	tncPutLabel(text, TNC_PICTURE_MARGIN, y, 12, " fill=\"" TNC_INK "\"", measure);
	tncPutLabel(text, 610.0, y, 12, " text-anchor=\"end\" font-weight=\"600\" fill=\"" TNC_INK "\"", value);
	if (row->kind == tnc_realisticRow || row->kind == tnc_gateRow)
	{
		tncPutBound(text, row, 640.0, y);
	}
	const tncRow* ambitious = row->kind == tnc_ambitiousRow ? row : (hasPartner ? row + 1 : NULL);
	if (ambitious != NULL)
	{
		tncPutBound(text, ambitious, 860.0, y);
	}
}

// Limits of accuracy always, failed gates always, told numbers while there is room, gates if there is nothing else.
static bool tncIsListed(const tncRow* row, bool withTold, bool withGates)
{
	bool hasLimit = isfinite(row->lower) || isfinite(row->upper);
	bool failed = row->informational == false && row->pass == false;
	switch (row->kind)
	{
		case tnc_toldRow:
			return withTold && hasLimit == false;
		case tnc_gateRow:
			return failed || withGates;
		default:
			return true;
	}
}

static int tncCountListed(const tncReport* report, int begin, int end, bool withTold, bool withGates)
{
	int count = 0;
	for (int i = begin; i < end; ++i)
	{
		count += tncIsListed(report->rows + i, withTold, withGates) && tncIsPartner(report, begin, i) == false ? 1 : 0;
	}
	return count;
}

static int tncCountJudged(const tncReport* report, int begin, int end)
{
	int count = 0;
	for (int i = begin; i < end; ++i)
	{
		tncRowKind kind = report->rows[i].kind;
		count += kind == tnc_realisticRow || kind == tnc_ambitiousRow ? 1 : 0;
	}
	return count;
}

static double tncDrawTable(tncText* text, const tncPlot* plot, const tncReport* report, double top)
{
	int begin = plot->rowBegin;
	int end = plot->rowEnd;
	bool withGates = tncCountJudged(report, begin, end) == 0;
	bool withTold = tncCountListed(report, begin, end, true, withGates) <= TNC_TABLE_LINES;
	int listedCount = tncCountListed(report, begin, end, withTold, withGates);
	double y = top + TNC_TABLE_LINE;
	const char* faint = " fill=\"" TNC_FAINT "\"";
	tncPutLabel(text, TNC_PICTURE_MARGIN, y, 12, faint, "measure");
	tncPutLabel(text, 610.0, y, 12, " text-anchor=\"end\" fill=\"" TNC_FAINT "\"", "value");
	tncPutLabel(text, 640.0, y, 12, faint, withGates ? "limit" : "realistic limit");
	tncPutLabel(text, 860.0, y, 12, faint, withGates ? "" : "ambitious limit");
	tncPutLine(
		text, TNC_PICTURE_MARGIN, y + 5.0, TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN, y + 5.0, " stroke=\"#dadce0\"");
	int lineCount = 0;
	for (int i = begin; i < end && lineCount < TNC_TABLE_LINES; ++i)
	{
		if (tncIsListed(report->rows + i, withTold, withGates) && tncIsPartner(report, begin, i) == false)
		{
			y += TNC_TABLE_LINE;
			lineCount += 1;
			tncPutRow(text, report, i, i + 1 < end && tncIsPartner(report, begin, i + 1), y);
		}
	}
	char line[160];
	if (lineCount < listedCount)
	{
		y += TNC_TABLE_LINE;
		snprintf(line, sizeof(line), "and %d more, see index.html", listedCount - lineCount);
		tncPutLabel(text, TNC_PICTURE_MARGIN, y, 12, faint, line);
	}
	tncTally tally = tncCountRows(report, begin, end);
	y += TNC_TABLE_LINE;
	snprintf(line, sizeof(line), "property gates (finite, not negative, volume, symmetry and more): %d of %d passed",
		tally.gateCount - tally.gateFailCount, tally.gateCount);
	tncPutLabel(text, TNC_PICTURE_MARGIN, y, 12,
		tally.gateFailCount > 0 ? " font-weight=\"600\" fill=\"" TNC_RED "\"" : " fill=\"" TNC_GREEN "\"", line);
	return y + TNC_TABLE_LINE;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pictures

static void tncDrawHeader(tncText* text, const char* title, const char* subtitle, const tncTally* tally)
{
	tncPutLabel(text, TNC_PICTURE_MARGIN, 32.0, 20, " font-weight=\"700\" fill=\"" TNC_INK "\"", title);
	tncPutLabel(text, TNC_PICTURE_MARGIN, 53.0, 14, " fill=\"" TNC_FAINT "\"", subtitle);

	char verdict[80];
	bool failed = tally->failCount > 0;
	if (failed)
	{
		snprintf(verdict, sizeof(verdict), "FAIL: %d of %d", tally->failCount, tally->requiredCount);
	}
	else
	{
		snprintf(verdict, sizeof(verdict), "PASS: %d of %d", tally->requiredCount, tally->requiredCount);
	}
	double width = 26.0 + 14.0 * 0.62 * (double)strlen(verdict);
	tncRectangle badge = {TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN - width, 14.0, width, 28.0};
	tncPutRectangle(text, &badge, failed ? " rx=\"14\" fill=\"" TNC_RED "\"" : " rx=\"14\" fill=\"" TNC_GREEN "\"");
	tncPutLabel(
		text, badge.x + 0.5 * width, 33.0, 14, " text-anchor=\"middle\" font-weight=\"700\" fill=\"#ffffff\"", verdict);
}

// The whole file around a body of a known height.
static char* tncWrapPicture(tncText* body, double height, const char* title)
{
	tncText text = {0};
	char* inside = tncText_Take(body);
	text.failed = inside == NULL;
	tncText_Put(&text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"",
		(int)TNC_PICTURE_WIDTH, (int)height, (int)TNC_PICTURE_WIDTH, (int)height);
	tncText_Put(&text, " font-family=\"'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n<title>");
	tncText_PutEscaped(&text, title);
	tncText_Put(&text, "</title>\n");
	tncRectangle all = {0.0, 0.0, TNC_PICTURE_WIDTH, height};
	tncPutRectangle(&text, &all, " fill=\"#ffffff\"");
	if (inside != NULL)
	{
		tncText_Put(&text, "%s", inside);
	}
	tncText_Put(&text, "</svg>\n");
	free(inside);
	return tncText_Take(&text);
}

char* tncDrawPlot(const tncPlot* plot, const tncReport* report)
{
	tncText text = {0};
	char title[160];
	char subtitle[160];
	snprintf(title, sizeof(title), "%s  %s", plot->testCase->name, plot->testCase->title);
	snprintf(subtitle, sizeof(subtitle), "%s: %s", plot->method->name, plot->method->title);
	tncTally tally = tncCountRows(report, plot->rowBegin, plot->rowEnd);
	tncDrawHeader(&text, title, subtitle, &tally);
	double y = tncDrawLegend(&text, plot, TNC_HEADER_HEIGHT);
	y = tncDrawPanels(&text, plot, y);
	y = tncDrawTable(&text, plot, report, y);
	return tncWrapPicture(&text, y + TNC_PICTURE_MARGIN - TNC_TABLE_LINE, title);
}

static tncPanel* tncFindPanel(const tncPlot* plot, const char* title)
{
	for (tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
	{
		if (strcmp(panel->title, title) == 0)
		{
			return panel;
		}
	}
	return NULL;
}

static bool tncHasSeries(const tncPanel* panel, const tncSeries* other)
{
	for (const tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		if (series->role == other->role && strcmp(series->name, other->name) == 0)
		{
			return true;
		}
	}
	return false;
}

// Results of each method under its name; what is the same for all of them once.
static void tncMergePanel(tncPlot* target, const tncPanel* panel, const tncMethod* method)
{
	tncPanel* merged = tncFindPanel(target, panel->title);
	if (merged == NULL)
	{
		merged = tncPlot_AddPanel(target, panel->title, panel->xLabel, panel->yLabel);
		if (merged == NULL)
		{
			return;
		}
		merged->logX = panel->logX;
		merged->logY = panel->logY;
		merged->isComparison = panel->isComparison;
		merged->xMin = panel->xMin;
		merged->xMax = panel->xMax;
		merged->yMin = panel->yMin;
		merged->yMax = panel->yMax;
		memcpy(merged->categories, panel->categories, sizeof(merged->categories));
		merged->categoryCount = panel->categoryCount;
	}
	for (const tncSeries* series = panel->series; series != NULL; series = series->next)
	{
		bool isResult = series->role == tnc_resultRole;
		bool isOwn = series->role == tnc_ownRole || series->role == tnc_variantRole;
		if (isOwn || (isResult == false && tncHasSeries(merged, series)))
		{
			continue;
		}
		tncSeries* copy =
			tncPanel_AddSeries(merged, series->role, series->mark, isResult ? method->name : series->name);
		for (int i = 0; i < series->count; ++i)
		{
			tncSeries_AddPoint(copy, series->points[2 * i], series->points[2 * i + 1]);
		}
		if (copy != NULL)
		{
			copy->color = method->color;
		}
	}
}

// Most methods of a table.
#define TNC_OVERVIEW_METHODS 12

// Where the columns of the table of methods begin.
#define TNC_OVERVIEW_BEGIN 420.0

typedef struct tncOverview
{
	const tncPlot* plots[TNC_OVERVIEW_METHODS];
	int count;
} tncOverview;

// The row of a method that has a measure, -1 if there is none.
static int tncFindRow(const tncReport* report, const tncPlot* plot, const char* measure)
{
	for (int i = plot->rowBegin; i < plot->rowEnd; ++i)
	{
		if (strcmp(report->rows[i].measure, measure) == 0 && tncIsPartner(report, plot->rowBegin, i) == false)
		{
			return i;
		}
	}
	return -1;
}

// Limits may differ between equations: those of the last method that has some are shown.
static int tncFindLimits(const tncOverview* overview, const tncReport* report, int row)
{
	for (int i = overview->count - 1; i >= 0; --i)
	{
		int other = tncFindRow(report, overview->plots[i], report->rows[row].measure);
		if (other >= 0 && report->rows[other].kind == tnc_realisticRow)
		{
			return other;
		}
	}
	return row;
}

// Judged for a method, and not seen with an earlier one.
static bool tncOpensLine(const tncOverview* overview, const tncReport* report, int method, int row)
{
	const tncRow* own = report->rows + row;
	if (own->kind != tnc_realisticRow)
	{
		return false;
	}
	for (int i = 0; i < method; ++i)
	{
		int other = tncFindRow(report, overview->plots[i], own->measure);
		if (other >= 0 && report->rows[other].kind == tnc_realisticRow)
		{
			return false;
		}
	}
	return true;
}

static void tncPutCell(tncText* text, const tncReport* report, const tncPlot* plot, int index, double x, double y)
{
	const tncRow* row = report->rows + index;
	bool hasPartner = index + 1 < plot->rowEnd && tncIsPartner(report, plot->rowBegin, index + 1);
	const tncRow* partner = hasPartner ? row + 1 : row;
	bool failed = (row->informational == false && row->pass == false) ||
		(partner->informational == false && partner->pass == false);
	const char* color = TNC_FAINT;
	if (row->kind != tnc_toldRow)
	{
		color = failed ? TNC_RED : (partner->pass ? TNC_GREEN : (row->pass ? TNC_AMBER : TNC_FAINT));
	}
	char value[32];
	char attributes[96];
	tncFormatNumber(row->value, 3, value, sizeof(value));
	snprintf(attributes, sizeof(attributes), " text-anchor=\"end\"%s fill=\"%s\"", failed ? " font-weight=\"700\"" : "",
		color);
	tncPutLabel(text, x, y, 11, attributes, isnan(row->value) ? "none" : value);
}

// A line of the table: a measure, its limits, and the value of each method.
static void tncPutMeasure(tncText* text, const tncOverview* overview, const tncReport* report, int row, double y)
{
	const tncRow* own = report->rows + tncFindLimits(overview, report, row);
	double step = (TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN - TNC_OVERVIEW_BEGIN) / overview->count;
	char bound[80];
	tncText_Put(text, "<text");
	tncPutAttribute(text, "x", TNC_PICTURE_MARGIN);
	tncPutAttribute(text, "y", y);
	tncText_Put(text, " font-size=\"11\" fill=\"" TNC_INK "\">");
	tncText_PutEscaped(text, own->measure);
	tncFormatBound(own, bound, sizeof(bound));
	tncText_Put(text, "<tspan dx=\"8\" font-size=\"10\" fill=\"" TNC_FAINT "\">R %s", bound);
	bool hasPartner = own + 1 < report->rows + report->count && own[1].kind == tnc_ambitiousRow;
	if (hasPartner)
	{
		tncFormatBound(own + 1, bound, sizeof(bound));
		tncText_Put(text, "  A %s", bound);
	}
	tncText_Put(text, "</tspan></text>\n");
	for (int i = 0; i < overview->count; ++i)
	{
		int other = tncFindRow(report, overview->plots[i], own->measure);
		if (other >= 0)
		{
			tncPutCell(text, report, overview->plots[i], other, TNC_OVERVIEW_BEGIN + (i + 1) * step, y);
		}
	}
}

static double tncDrawOverviewTable(tncText* text, const tncOverview* overview, const tncReport* report, double top)
{
	double step = (TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN - TNC_OVERVIEW_BEGIN) / overview->count;
	double y = top + TNC_TABLE_LINE;
	tncPutLabel(
		text, TNC_PICTURE_MARGIN, y, 11, " fill=\"" TNC_FAINT "\"", "measure   R: realistic limit  A: ambitious limit");
	for (int i = 0; i < overview->count; ++i)
	{
		char attributes[96];
		snprintf(attributes, sizeof(attributes), " text-anchor=\"end\" font-weight=\"700\" fill=\"%s\"",
			overview->plots[i]->method->color);
		tncPutLabel(text, TNC_OVERVIEW_BEGIN + (i + 1) * step, y, 10, attributes, overview->plots[i]->method->name);
	}
	tncPutLine(
		text, TNC_PICTURE_MARGIN, y + 5.0, TNC_PICTURE_WIDTH - TNC_PICTURE_MARGIN, y + 5.0, " stroke=\"#dadce0\"");

	int lineCount = 0;
	int hiddenCount = 0;
	for (int method = 0; method < overview->count; ++method)
	{
		for (int i = overview->plots[method]->rowBegin; i < overview->plots[method]->rowEnd; ++i)
		{
			bool opens = tncOpensLine(overview, report, method, i);
			hiddenCount += opens && lineCount >= TNC_TABLE_LINES ? 1 : 0;
			if (opens && lineCount < TNC_TABLE_LINES)
			{
				lineCount += 1;
				y += TNC_TABLE_LINE;
				tncPutMeasure(text, overview, report, i, y);
			}
		}
	}
	y += TNC_TABLE_LINE;
	tncPutLabel(
		text, TNC_PICTURE_MARGIN, y, 11, " font-weight=\"600\" fill=\"" TNC_INK "\"", "required rows that failed");
	for (int i = 0; i < overview->count; ++i)
	{
		tncTally tally = tncCountRows(report, overview->plots[i]->rowBegin, overview->plots[i]->rowEnd);
		char count[32];
		snprintf(count, sizeof(count), "%d of %d", tally.failCount, tally.requiredCount);
		tncPutLabel(text, TNC_OVERVIEW_BEGIN + (i + 1) * step, y, 11,
			tally.failCount > 0 ? " text-anchor=\"end\" font-weight=\"700\" fill=\"" TNC_RED "\""
								: " text-anchor=\"end\" fill=\"" TNC_GREEN "\"",
			count);
	}
	y += TNC_TABLE_LINE + 4.0;
	tncPutLabel(text, TNC_PICTURE_MARGIN, y, 11, " fill=\"" TNC_GREEN "\"", "meets all limits");
	tncPutLabel(text, TNC_PICTURE_MARGIN + 110.0, y, 11, " fill=\"" TNC_AMBER "\"", "meets the realistic one");
	tncPutLabel(text, TNC_PICTURE_MARGIN + 250.0, y, 11, " font-weight=\"700\" fill=\"" TNC_RED "\"",
		"misses a limit it is held to");
	tncPutLabel(text, TNC_PICTURE_MARGIN + 440.0, y, 11, " fill=\"" TNC_FAINT "\"", "told for comparison only");
	if (hiddenCount > 0)
	{
		char line[64];
		snprintf(line, sizeof(line), "and %d more measures, see index.html", hiddenCount);
		tncPutLabel(text, TNC_PICTURE_MARGIN + 620.0, y, 11, " fill=\"" TNC_FAINT "\"", line);
	}
	return y + TNC_TABLE_LINE;
}

char* tncDrawOverview(const tncPlots* plots, const tncCase* testCase, const tncReport* report)
{
	tncPlots scratch = {0};
	tncOverview overview = {0};
	tncTally tally = {0};
	tncPlot* merged = tncAddPlot(&scratch, testCase, NULL);
	for (const tncPlot* plot = plots->plots; plot != NULL && merged != NULL; plot = plot->next)
	{
		if (plot->testCase != testCase || overview.count == TNC_OVERVIEW_METHODS)
		{
			continue;
		}
		overview.plots[overview.count] = plot;
		overview.count += 1;
		merged->columnCount = plot->columnCount > merged->columnCount ? plot->columnCount : merged->columnCount;
		for (const tncPanel* panel = plot->panels; panel != NULL; panel = panel->next)
		{
			tncMergePanel(merged, panel, plot->method);
		}
		tncTally own = tncCountRows(report, plot->rowBegin, plot->rowEnd);
		tally.requiredCount += own.requiredCount;
		tally.failCount += own.failCount;
	}
	if (merged == NULL || scratch.incomplete || overview.count == 0)
	{
		tncDestroyPlots(&scratch);
		return NULL;
	}

	tncText text = {0};
	char title[160];
	snprintf(title, sizeof(title), "%s  %s", testCase->name, testCase->title);
	tncDrawHeader(&text, title, "all methods on one reference", &tally);
	double y = tncDrawLegend(&text, merged, TNC_HEADER_HEIGHT);
	y = tncDrawPanels(&text, merged, y);
	y = tncDrawOverviewTable(&text, &overview, report, y);
	tncDestroyPlots(&scratch);
	return tncWrapPicture(&text, y + TNC_PICTURE_MARGIN - TNC_TABLE_LINE, title);
}
