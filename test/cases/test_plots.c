// SPDX-License-Identifier: MIT

// Pictures of the verification cases: well-formed, complete, the same in every locale, and without effect on the rows.

#include "cases.h"
#include "harness.h"
#include "plots/plot.h"
#include "plots/plot_draw.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	deepest = 32,
	mostName = 32,
};

// Every tag is closed, in order, and attributes are quoted. Knows as much of XML as the pictures use.
static bool IsWellFormed(const char* text)
{
	char open[deepest][mostName];
	int depth = 0;
	const char* at = text;
	while ((at = strchr(at, '<')) != NULL)
	{
		bool closes = at[1] == '/';
		const char* begin = at + (closes ? 2 : 1);
		size_t length = strspn(begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		bool isQuoted = false;
		const char* end = begin + length;
		while (*end != 0 && (isQuoted || *end != '>'))
		{
			isQuoted = *end == '"' ? !isQuoted : isQuoted;
			if (*end == '<')
			{
				return false;
			}
			end += 1;
		}
		if (*end == 0 || isQuoted || length == 0 || length >= mostName)
		{
			return false;
		}
		if (closes)
		{
			depth -= 1;
			if (depth < 0 || strlen(open[depth]) != length || strncmp(open[depth], begin, length) != 0)
			{
				return false;
			}
		}
		else if (end[-1] != '/')
		{
			if (depth == deepest)
			{
				return false;
			}
			snprintf(open[depth], mostName, "%.*s", (int)length, begin);
			depth += 1;
		}
		at = end;
	}

	// An ampersand begins an entity.
	for (const char* ampersand = strchr(text, '&'); ampersand != NULL; ampersand = strchr(ampersand + 1, '&'))
	{
		size_t length = strcspn(ampersand, ";");
		if (length > 5 || ampersand[length] != ';')
		{
			return false;
		}
	}
	return depth == 0;
}

static int CountText(const char* text, const char* part)
{
	int count = 0;
	for (const char* at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
	{
		count += 1;
	}
	return count;
}

// "nan" or "inf" as a word of its own, as printf writes what is not finite.
static bool HasBadNumber(const char* text)
{
	for (const char* at = text; *at != 0; ++at)
	{
		char word[4] = {0};
		for (int i = 0; i < 3 && at[i] != 0; ++i)
		{
			word[i] = (char)tolower((unsigned char)at[i]);
		}
		bool begins = at == text || isalpha((unsigned char)at[-1]) == 0;
		bool isBad = strcmp(word, "nan") == 0 || strcmp(word, "inf") == 0;
		if (begins && isBad && isalpha((unsigned char)at[3]) == 0)
		{
			return true;
		}
	}
	return false;
}

static const tncCase* FindCase(const char* name)
{
	for (int i = 0; i < tncGetCaseCount(); ++i)
	{
		if (strcmp(tncGetCase(i)->name, name) == 0)
		{
			return tncGetCase(i);
		}
	}
	return NULL;
}

typedef struct Drawn
{
	tncReport report;
	tncPlots plots;
} Drawn;

static void Run(Drawn* drawn, const char* caseName, const char* method)
{
	tncConfig config = tncDefaultConfig();
	config.plots = &drawn->plots;
	tncRunCase(FindCase(caseName), tncFindMethod(method), &config, &drawn->report);
}

static void Destroy(Drawn* drawn)
{
	tncDestroyReport(&drawn->report);
	tncDestroyPlots(&drawn->plots);
}

static int CheckDrawing(const char* drawing)
{
	ENSURE(drawing != NULL);
	ENSURE(IsWellFormed(drawing));
	ENSURE(HasBadNumber(drawing) == false);
	ENSURE(CountText(drawing, "<script") == 0);
	return 0;
}

// The checks above can tell.
static int ChecksCanFail(void)
{
	ENSURE(IsWellFormed("<a><b c=\"d>e\"/></a>"));
	ENSURE(IsWellFormed("<a><b></a></b>") == false);
	ENSURE(IsWellFormed("<a><b></a>") == false);
	ENSURE(IsWellFormed("<a>b & c</a>") == false);
	ENSURE(IsWellFormed("<a b=\"c></a>") == false);
	ENSURE(HasBadNumber("x=\"nan\""));
	ENSURE(HasBadNumber("L-inf 3"));
	ENSURE(HasBadNumber("infinite information about nanometers") == false);
	return 0;
}

static int OnePictureHasItAll(void)
{
	Drawn drawn = {0};
	Run(&drawn, "F02", "shallow");
	ENSURE(drawn.plots.plots != NULL && drawn.plots.incomplete == false);
	ENSURE_EQUAL_INT(drawn.plots.plots->rowBegin, 0);
	ENSURE_EQUAL_INT(drawn.plots.plots->rowEnd, drawn.report.count);
	char* drawing = tncDrawPlot(drawn.plots.plots, &drawn.report);
	ENSURE_EQUAL_INT(CheckDrawing(drawing), 0);

	ENSURE_TEXT(drawing, "<svg ");
	ENSURE_TEXT(drawing, "viewBox=\"0 0 ");
	ENSURE_TEXT(drawing, "dam break on a dry bed");
	ENSURE_TEXT(drawing, "shallow: full shallow water");
	ENSURE_TEXT(drawing, ">exact</text>");
	ENSURE_TEXT(drawing, ">computed</text>");
	ENSURE_TEXT(drawing, ">x (m)</text>");
	ENSURE_TEXT(drawing, ">depth (m)</text>");
	ENSURE_TEXT(drawing, ">L1(h) at 5 s</text>");
	ENSURE_TEXT(drawing, "\xE2\x89\xA4 0.02<");
	ENSURE_TEXT(drawing, "\xE2\x89\xA4 0.006<");
	ENSURE_TEXT(drawing, "property gates");
	// Four panels: depth and discharge at two times, with a reference and a result in each.
	ENSURE_EQUAL_INT(CountText(drawing, "<clipPath"), 4);
	ENSURE_EQUAL_INT(CountText(drawing, "<path "), 8);

	// The value in the picture is the value of the row.
	char value[32];
	ENSURE_TEXT(drawn.report.rows[0].measure, "L1(h) at 2.5 s");
	tncFormatNumber(drawn.report.rows[0].value, 4, value, sizeof(value));
	ENSURE_TEXT(drawing, value);
	free(drawing);
	Destroy(&drawn);
	return 0;
}

static int VerdictIsShown(void)
{
	Drawn drawn = {0};
	Run(&drawn, "F02", "pipe");
	char* drawing = tncDrawPlot(drawn.plots.plots, &drawn.report);
	ENSURE(drawing != NULL);
	ENSURE_TEXT(drawing, ">PASS: ");
	ENSURE_EQUAL_INT(CountText(drawing, ">FAIL"), 0);
	free(drawing);

	// The same picture when a gate has failed.
	for (int i = 0; i < drawn.report.count; ++i)
	{
		tncRow* row = drawn.report.rows + i;
		row->pass = strstr(row->measure, "not finite") != NULL ? false : row->pass;
	}
	drawing = tncDrawPlot(drawn.plots.plots, &drawn.report);
	ENSURE(drawing != NULL);
	ENSURE_TEXT(drawing, ">FAIL: 1 of ");
	ENSURE_TEXT(drawing, ">dry bed: depths that are not finite<");
	ENSURE_TEXT(drawing, ">fail</text>");
	free(drawing);
	Destroy(&drawn);
	return 0;
}

static int OverviewHasAllMethods(void)
{
	Drawn drawn = {0};
	Run(&drawn, "F02", "pipe");
	Run(&drawn, "F02", "linear");
	Run(&drawn, "F17", "linear");
	char* drawing = tncDrawOverview(&drawn.plots, FindCase("F02"), &drawn.report);
	ENSURE_EQUAL_INT(CheckDrawing(drawing), 0);
	ENSURE_TEXT(drawing, ">pipe</text>");
	ENSURE_TEXT(drawing, ">linear</text>");
	ENSURE_TEXT(drawing, tncFindMethod("pipe")->color);
	ENSURE_TEXT(drawing, tncFindMethod("linear")->color);
	// One reference and two results in each of four panels.
	ENSURE_EQUAL_INT(CountText(drawing, "<path "), 12);
	free(drawing);

	char* page = tncDrawIndex(&drawn.plots, &drawn.report);
	ENSURE(page != NULL);
	ENSURE_TEXT(page, "src=\"F02.svg\"");
	ENSURE_TEXT(page, "src=\"F02_pipe.svg\"");
	ENSURE_TEXT(page, "src=\"F02_linear.svg\"");
	ENSURE_TEXT(page, "src=\"F17_linear.svg\"");
	// One method needs no overview.
	ENSURE_EQUAL_INT(CountText(page, "src=\"F17.svg\""), 0);
	ENSURE_EQUAL_INT(CountText(page, "<tr><td>"), drawn.report.count + 2);
	ENSURE(HasBadNumber(page) == false);
	free(page);
	Destroy(&drawn);
	return 0;
}

// Water that is not finite, points that have no place, and signs that XML keeps for itself.
static int HardDataIsDrawn(void)
{
	static const tncCase testCase = {"F99", "a < b & \"c\" > d", tnc_shortCase, NULL, 0};
	tncPlots plots = {0};
	tncReport report = {0};
	tncPlot* plot = tncAddPlot(&plots, &testCase, tncFindMethod("pipe"));
	const double values[] = {NAN, INFINITY, -INFINITY, 0.0, -3.0, 1.0e30, -1.0e30, 1.0e-30, 5.0};
	for (int kind = 0; kind < 8; ++kind)
	{
		tncPanel* panel = tncPlot_AddPanel(plot, "<panel & \"title\">", "x <m>", "y & z");
		ENSURE(panel != NULL);
		panel->logX = (kind & 1) != 0;
		panel->logY = (kind & 2) != 0;
		panel->isComparison = (kind & 4) != 0;
		for (int mark = tnc_lineMark; mark <= tnc_levelMark; ++mark)
		{
			for (int role = 0; role < tnc_roleCount; ++role)
			{
				tncSeries* series = tncPanel_AddSeries(panel, (tncRole)role, (tncMark)mark, "<series>");
				for (int i = 0; i < 9; ++i)
				{
					tncSeries_AddPoint(series, values[(i + kind) % 9], values[i]);
				}
			}
		}
	}
	// Nothing at all, one point, and a constant.
	tncPlot_AddPanel(plot, "empty", "x", "y");
	tncPanel* panel = tncPlot_AddPanel(plot, "point", "x", "y");
	tncSeries_AddPoint(tncPanel_AddSeries(panel, tnc_resultRole, tnc_dotMark, "one"), 3.0, 7.0);
	tncPanel_AddSeries(panel, tnc_groundRole, tnc_lineMark, "none");
	tncPanel_AddCategory(panel, "<&>");

	char* drawing = tncDrawPlot(plot, &report);
	ENSURE_EQUAL_INT(CheckDrawing(drawing), 0);
	ENSURE_TEXT(drawing, "a &lt; b &amp; &quot;c&quot; &gt; d");
	ENSURE_TEXT(drawing, "&lt;&amp;&gt;");
	free(drawing);
	drawing = tncDrawOverview(&plots, &testCase, &report);
	ENSURE_EQUAL_INT(CheckDrawing(drawing), 0);
	free(drawing);
	ENSURE(plots.incomplete == false);
	tncDestroyPlots(&plots);
	return 0;
}

// Without a sink nothing is recorded, and the calls take it.
static int NothingIsRecordedWithoutASink(void)
{
	ENSURE(tncAddPlot(NULL, FindCase("F02"), tncFindMethod("pipe")) == NULL);
	ENSURE(tncPlot_AddPanel(NULL, "", "", "") == NULL);
	ENSURE(tncPanel_AddSeries(NULL, tnc_resultRole, tnc_lineMark, "") == NULL);
	tncSeries_AddPoint(NULL, 1.0, 2.0);
	tncPanel_AddCategory(NULL, "");
	tncPanel_AddLimits(NULL, 1.0, 2.0);
	return 0;
}

static int CheckSameRows(const char* caseName, const char* method)
{
	Drawn drawn = {0};
	Run(&drawn, caseName, method);
	tncConfig config = tncDefaultConfig();
	tncReport plain = {0};
	tncRunCase(FindCase(caseName), tncFindMethod(method), &config, &plain);
	ENSURE(drawn.plots.plots != NULL && drawn.plots.plots->panels != NULL);
	ENSURE(plain.count > 0);
	ENSURE_EQUAL_INT(drawn.report.count, plain.count);
	ENSURE_EQUAL_INT(drawn.report.failCount, plain.failCount);
	for (int i = 0; i < plain.count; ++i)
	{
		char texts[2][256];
		tncFormatCsv(plain.rows + i, texts[0], sizeof(texts[0]));
		tncFormatCsv(drawn.report.rows + i, texts[1], sizeof(texts[1]));
		ENSURE_TEXT(texts[1], texts[0]);
		ENSURE(memcmp(&plain.rows[i].value, &drawn.report.rows[i].value, sizeof(double)) == 0);
	}
	tncDestroyReport(&plain);
	Destroy(&drawn);
	return 0;
}

static int DrawingChangesNoRow(void)
{
	ENSURE_EQUAL_INT(CheckSameRows("F02", "linear"), 0);
	ENSURE_EQUAL_INT(CheckSameRows("F07", "pipe"), 0);
	ENSURE_EQUAL_INT(CheckSameRows("F09", "shallow"), 0);
	ENSURE_EQUAL_INT(CheckSameRows("F17", "shallow-fine"), 0);
	return 0;
}

// Rows and pictures of several runs that are put together afterwards point at each other.
static int RunsCanBeJoined(void)
{
	Drawn parts[2] = {0};
	Run(parts + 0, "F02", "pipe");
	Run(parts + 1, "F17", "linear");
	int counts[2] = {parts[0].report.count, parts[1].report.count};
	Drawn whole = {0};
	for (int i = 0; i < 2; ++i)
	{
		int rowCount = whole.report.count;
		tncMoveRows(&whole.report, &parts[i].report);
		tncMovePlots(&whole.plots, &parts[i].plots, rowCount);
		ENSURE_EQUAL_INT(parts[i].report.count, 0);
		ENSURE(parts[i].plots.plots == NULL);
	}
	ENSURE_EQUAL_INT(whole.report.count, counts[0] + counts[1]);
	const tncPlot* second = whole.plots.plots->next;
	ENSURE(second != NULL && second->next == NULL && whole.plots.lastPlot == second);
	ENSURE_EQUAL_INT(second->rowBegin, counts[0]);
	ENSURE_EQUAL_INT(second->rowEnd, counts[0] + counts[1]);
	ENSURE_TEXT(whole.report.rows[second->rowBegin].caseName, "F17");
	Destroy(&whole);
	return 0;
}

typedef struct Number
{
	double value;
	int digits;
	const char* text;
} Number;

static const Number s_numbers[] = {
	{0.0, 4, "0"},
	{1.0, 4, "1"},
	{-2.5, 4, "-2.5"},
	{0.0123456, 4, "0.01235"},
	{0.00012, 4, "0.00012"},
	{0.000012, 4, "1.2e-05"},
	{-1.0e-7, 4, "-1e-07"},
	{123456.0, 4, "123500"},
	{1234567.0, 4, "1.235e+06"},
	{400000.0, 6, "400000"},
	{99999.6, 5, "100000"},
	{1.0e100, 4, "1e+100"},
	{NAN, 4, "not a number"},
	{INFINITY, 4, "infinite"},
	{-INFINITY, 4, "-infinite"},
};

static int CheckNumbers(void)
{
	for (size_t i = 0; i < sizeof(s_numbers) / sizeof(s_numbers[0]); ++i)
	{
		char text[32];
		tncFormatNumber(s_numbers[i].value, s_numbers[i].digits, text, sizeof(text));
		ENSURE_TEXT(text, s_numbers[i].text);
		ENSURE_EQUAL_INT(strlen(text), strlen(s_numbers[i].text));
	}
	return 0;
}

static int NumbersAreTheSameInEveryLocale(void)
{
	ENSURE_EQUAL_INT(CheckNumbers(), 0);
	// Those that write a comma, if the machine has one of them.
	const char* names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "German_Germany.1252"};
	int result = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && result == 0; ++i)
	{
		if (setlocale(LC_NUMERIC, names[i]) != NULL)
		{
			result = CheckNumbers();
		}
	}
	setlocale(LC_NUMERIC, "C");
	return result;
}

static bool FileHas(const char* path, const char* part)
{
	static char text[1 << 20];
	FILE* file = fopen(path, "rb");
	if (file == NULL)
	{
		return false;
	}
	size_t size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = 0;
	fclose(file);
	return strstr(text, part) != NULL;
}

static int FilesAreWritten(void)
{
	Drawn drawn = {0};
	Run(&drawn, "F17", "pipe");
	Run(&drawn, "F17", "linear");
	char error[256] = "";
	ENSURE(tncWritePlots(&drawn.plots, &drawn.report, ".", error, sizeof(error)));
	const char* names[] = {"F17_pipe.svg", "F17_linear.svg", "F17.svg", "index.html"};
	const char* parts[] = {"</svg>", "</svg>", "</svg>", "</html>"};
	for (int i = 0; i < 4; ++i)
	{
		ENSURE(FileHas(names[i], parts[i]));
		ENSURE_EQUAL_INT(remove(names[i]), 0);
	}
	Destroy(&drawn);
	return 0;
}

static int BadFolderIsSaid(void)
{
	Drawn drawn = {0};
	Run(&drawn, "F17", "pipe");
	char error[256] = "";
	ENSURE(tncWritePlots(&drawn.plots, &drawn.report, "no such folder", error, sizeof(error)) == false);
	ENSURE_TEXT(error, "cannot write no such folder/F17_pipe.svg: ");
	// Where pictures are missing, saying nothing would be worse.
	drawn.plots.incomplete = true;
	ENSURE(tncWritePlots(&drawn.plots, &drawn.report, ".", error, sizeof(error)) == false);
	ENSURE_TEXT(error, "no memory");
	Destroy(&drawn);
	return 0;
}

// A limit is required of a method or not, as its grade says.
static int GradesDecideWhatIsRequired(void)
{
	const char* methods[] = {"shallow-sl", "shallow", "shallow-fine"};
	// Realistic and ambitious limits, of accuracy and of properties.
	const bool required[3][4] = {{false, false, true, false}, {true, false, true, false}, {true, true, true, true}};
	for (int i = 0; i < 3; ++i)
	{
		ENSURE_EQUAL_INT(tncFindMethod(methods[i])->grade, i);
		Drawn drawn = {0};
		Run(&drawn, "F02", methods[i]);
		int seen = 0;
		for (int k = 0; k < drawn.report.count; ++k)
		{
			const tncRow* row = drawn.report.rows + k;
			bool isAccuracy = strstr(row->measure, "L1(h) at 5 s") != NULL;
			bool isProperty = strstr(row->measure, "volume drift") != NULL;
			if (isAccuracy || isProperty)
			{
				int which = (strstr(row->measure, " (A)") != NULL ? 1 : 0) + (isProperty ? 2 : 0);
				ENSURE_EQUAL_INT(row->informational, required[i][which] == false);
				seen |= 1 << which;
			}
		}
		ENSURE_EQUAL_INT(seen, 15);
		Destroy(&drawn);
	}
	return 0;
}

static const Test s_tests[] = {
	{"ChecksCanFail", ChecksCanFail},
	{"OnePictureHasItAll", OnePictureHasItAll},
	{"VerdictIsShown", VerdictIsShown},
	{"OverviewHasAllMethods", OverviewHasAllMethods},
	{"HardDataIsDrawn", HardDataIsDrawn},
	{"NothingIsRecordedWithoutASink", NothingIsRecordedWithoutASink},
	{"DrawingChangesNoRow", DrawingChangesNoRow},
	{"RunsCanBeJoined", RunsCanBeJoined},
	{"NumbersAreTheSameInEveryLocale", NumbersAreTheSameInEveryLocale},
	{"FilesAreWritten", FilesAreWritten},
	{"BadFolderIsSaid", BadFolderIsSaid},
	{"GradesDecideWhatIsRequired", GradesDecideWhatIsRequired},
};
const TestSuite plotsSuite = TEST_SUITE("plots", s_tests);
