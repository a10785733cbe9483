// SPDX-License-Identifier: MIT

// Videos: what is handed to ffmpeg, and what happens when it is missing or fails.

// setenv and symlink are hidden without this.
#define _POSIX_C_SOURCE 200809L

#include "harness.h"
#include "system/video.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
	// Odd and unequal.
	width = 65,
	height = 37,
};

static uint8_t s_picture[width * height * 3];

static void Paint(int number)
{
	for (int i = 0; i < width * height * 3; ++i)
	{
		s_picture[i] = (uint8_t)(i * 7 + number * 13);
	}
}

static bool HasFfmpeg(void)
{
	return system("ffmpeg -version > /dev/null 2>&1") == 0;
}

static size_t GetFileSize(const char* path)
{
	struct stat info;
	return stat(path, &info) == 0 ? (size_t)info.st_size : 0;
}

static int EachKindIsWritten(void)
{
	if (!HasFfmpeg())
	{
		printf("skipped: ffmpeg is not installed\n");
		return 0;
	}
	static const char* const paths[] = {"test_video.mp4", "test_video.webp", "test_video.gif", "-test_video.gif"};
	// What the first bytes of a file say.
	static const char* const marks[] = {"ftyp", "RIFF", "GIF8", "GIF8"};
	static const size_t places[] = {4, 0, 0, 0};
	for (int i = 0; i < 4; ++i)
	{
		char error[256] = "";
		Video* video = OpenVideo(paths[i], width, height, 25.0, error, sizeof(error));
		ENSURE(video != NULL);
		for (int frame = 0; frame < 6; ++frame)
		{
			Paint(frame);
			ENSURE(Video_AddFrame(video, s_picture));
		}
		const bool closed = CloseVideo(video, error, sizeof(error));
		ENSURE_EQUAL_INT(strlen(error), 0);
		ENSURE(closed);
		char head[8] = "";
		FILE* file = fopen(paths[i], "rb");
		ENSURE(file != NULL);
		ENSURE_EQUAL_INT(fread(head, 1, sizeof(head), file), sizeof(head));
		fclose(file);
		ENSURE(memcmp(head + places[i], marks[i], 4) == 0);
		ENSURE(GetFileSize(paths[i]) > 500);
		remove(paths[i]);
	}
	return 0;
}

static int WrongVideosAreRefused(void)
{
	char error[256] = "";
	ENSURE(OpenVideo("test_video.avi", width, height, 25.0, error, sizeof(error)) == NULL);
	ENSURE_TEXT(error, ".mp4, .webp or .gif");
	ENSURE(OpenVideo(".mp4", width, height, 25.0, error, sizeof(error)) == NULL);
	ENSURE(OpenVideo("test_video.mp4", 0, height, 25.0, error, sizeof(error)) == NULL);
	ENSURE(OpenVideo("test_video.mp4", width, 1000000, 25.0, error, sizeof(error)) == NULL);
	ENSURE(OpenVideo("test_video.mp4", width, height, 0.0, error, sizeof(error)) == NULL);
	ENSURE(OpenVideo("test_video.mp4", width, height, 1.0e9, error, sizeof(error)) == NULL);
	ENSURE_TEXT(error, "no video has");
	ENSURE(IsVideoPath("a/b.mp4") && IsVideoPath("b.gif") && !IsVideoPath("b.png") && !IsVideoPath("mp4"));
	ENSURE(CloseVideo(NULL, error, sizeof(error)));
	return 0;
}

// With a program of our own in the place of ffmpeg, or none.
static int OpenWith(const char* script, Video** video, char* error, size_t size)
{
	char* oldPath = getenv("PATH");
	ENSURE(oldPath != NULL);
	char* copy = malloc(strlen(oldPath) + 1);
	ENSURE(copy != NULL);
	memcpy(copy, oldPath, strlen(oldPath) + 1);
	mkdir("test_video_bin", 0777);
	// Of a run that was stopped.
	remove("test_video_bin/ffmpeg");
	if (script != NULL)
	{
		FILE* file = fopen("test_video_bin/ffmpeg", "w");
		ENSURE(file != NULL);
		fprintf(file, "#!/bin/sh\n%s\n", script);
		fclose(file);
		ENSURE_EQUAL_INT(chmod("test_video_bin/ffmpeg", 0777), 0);
	}
	ENSURE_EQUAL_INT(setenv("PATH", "test_video_bin", 1), 0);
	*video = OpenVideo("test_video.mp4", width, height, 25.0, error, size);
	setenv("PATH", copy, 1);
	free(copy);
	return 0;
}

static int MissingFfmpegIsSaid(void)
{
	char error[256] = "";
	Video* video;
	ENSURE_EQUAL_INT(OpenWith(NULL, &video, error, sizeof(error)), 0);
	ENSURE(video == NULL);
	ENSURE_TEXT(error, "ffmpeg");
	ENSURE_TEXT(error, "not installed");
	rmdir("test_video_bin");
	return 0;
}

// A program that ends early, with and without words: writes fail, this program lives, and the reason is told.
static int DyingFfmpegIsSaid(void)
{
	static const char* const scripts[] = {"echo 'disk is full' >&2; exit 3", "exit 4", "kill -9 $$"};
	static const char* const texts[] = {"disk is full", "code 4", "signal 9"};
	for (int i = 0; i < 3; ++i)
	{
		char error[256] = "";
		Video* video;
		ENSURE_EQUAL_INT(OpenWith(scripts[i], &video, error, sizeof(error)), 0);
		ENSURE(video != NULL);
		// More than a pipe holds.
		bool good = true;
		for (int frame = 0; frame < 100000 && good; ++frame)
		{
			good = Video_AddFrame(video, s_picture);
		}
		ENSURE(good == false);
		ENSURE(Video_AddFrame(video, s_picture) == false);
		ENSURE(CloseVideo(video, error, sizeof(error)) == false);
		ENSURE_TEXT(error, texts[i]);
		struct sigaction action;
		ENSURE_EQUAL_INT(sigaction(SIGPIPE, NULL, &action), 0);
		ENSURE(action.sa_handler == SIG_DFL);
		remove("test_video_bin/ffmpeg");
	}
	rmdir("test_video_bin");
	return 0;
}

static int FullDiskIsSaid(void)
{
	if (!HasFfmpeg() || access("/dev/full", W_OK) != 0)
	{
		printf("skipped: needs ffmpeg and /dev/full\n");
		return 0;
	}
	remove("test_video_full.gif");
	ENSURE_EQUAL_INT(symlink("/dev/full", "test_video_full.gif"), 0);
	char error[256] = "";
	Video* video = OpenVideo("test_video_full.gif", width, height, 25.0, error, sizeof(error));
	ENSURE(video != NULL);
	for (int frame = 0; frame < 50; ++frame)
	{
		Paint(frame);
		Video_AddFrame(video, s_picture);
	}
	ENSURE(CloseVideo(video, error, sizeof(error)) == false);
	ENSURE_TEXT(error, "No space left");
	remove("test_video_full.gif");

	video = OpenVideo("no_such_folder/test_video.gif", width, height, 25.0, error, sizeof(error));
	ENSURE(video != NULL);
	Video_AddFrame(video, s_picture);
	ENSURE(CloseVideo(video, error, sizeof(error)) == false);
	ENSURE_TEXT(error, "No such file");

	// A video without a picture is no video.
	video = OpenVideo("test_video_empty.gif", width, height, 25.0, error, sizeof(error));
	ENSURE(video != NULL);
	ENSURE(CloseVideo(video, error, sizeof(error)) == false);
	remove("test_video_empty.gif");
	return 0;
}

static const Test s_tests[] = {
	{"EachKindIsWritten", EachKindIsWritten},
	{"WrongVideosAreRefused", WrongVideosAreRefused},
	{"MissingFfmpegIsSaid", MissingFfmpegIsSaid},
	{"DyingFfmpegIsSaid", DyingFfmpegIsSaid},
	{"FullDiskIsSaid", FullDiskIsSaid},
};

const TestSuite videoSuite = TEST_SUITE("video", s_tests);
