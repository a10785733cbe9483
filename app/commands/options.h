// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// @file Arguments of a command: `--name value` or `--name=value`, flags, and words.

/// What `tarn` returns to the shell. The same numbers stand in the help.
typedef enum ExitCode
{
	exitOk = 0,
	exitUsage = 1,
	/// A scene or another file is missing or wrong, or could not be written.
	exitFile = 2,
	/// The world refused something, or there is no memory for it.
	exitWorld = 3,
	/// `tarn check`: a case failed.
	exitFailed = 4,
	exitInterrupted = 130,
} ExitCode;

typedef enum OptionKind
{
	/// bool: set to true
	optionFlag,
	/// int, double: a number in [least, most]
	optionInt,
	optionDouble,
	/// const char*
	optionText,
	/// int: index of one of the choices
	optionChoice,
	/// unsigned: a bit per choice, names separated by commas
	optionChoices,
	/// IntList: numbers in [least, most], separated by commas
	optionInts,
} OptionKind;

typedef struct IntList
{
	int values[16];
	int count;
} IntList;

typedef struct Option
{
	/// Without the dashes.
	const char* name;
	OptionKind kind;
	/// Receives the value; its type goes with the kind. Not touched if the option is not given.
	void* target;
	double least, most;
	/// Ends with NULL.
	const char* const* choices;
} Option;

/// A command as seen from main.
typedef struct Command
{
	const char* name;
	/// One line for `tarn --help`.
	const char* summary;
	/// The whole page.
	const char* help;
	/// @param argc, argv what follows the name of the command
	int (*runFcn)(int argc, char** argv);
} Command;

extern const Command g_viewCommand;
extern const Command g_runCommand;
extern const Command g_replayCommand;
extern const Command g_studyCommand;
extern const Command g_benchCommand;
extern const Command g_checkCommand;
extern const Command g_voxelsCommand;

typedef struct Words
{
	const char* words[64];
	int count;
} Words;

/// Read the arguments of a command. Errors and help are printed.
/// @param words receives what is no option, at most mostWords
/// @param exitCode receives what the program shall return if the result is false
/// @return false if there is nothing more to do: help was asked for, or an argument is wrong
bool ReadOptions(const Command* command, const Option* options, int optionCount, int argc, char** argv, Words* words,
	int mostWords, int* exitCode);

/// Of --memory, MiB.
enum
{
	defaultMemory = 1024,
	mostMemory = 1 << 20,
};
/// In bytes, as much of it as an address can say.
size_t GetMemoryLimit(int mebibytes);

/// "1280x720", each side from 16 to 8192. @return false if it is something else
bool ReadPictureSize(const char* text, int* width, int* height);

/// The name that looks most like a word, or NULL if none comes near.
const char* FindNearest(const char* word, const char* const* names, int count);

/// Print "tarn NAME: text" to standard error, with a hint at the help.
int ReportUsage(const Command* command, const char* format, ...)
#if defined(__GNUC__)
	__attribute__((format(printf, 2, 3)))
#endif
	;
