// SPDX-License-Identifier: MIT

// Pictures to a video file, through a pipe to ffmpeg.

#define _POSIX_C_SOURCE 200809L

#include "system/video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum
{
	// Most arguments of ffmpeg, the NULL at the end included.
	mostArguments = 40,
	maxErrorText = 4096,
};

struct Video
{
	pid_t process;
	// Where pictures go, and the file that ffmpeg writes its complaints to.
	int input;
	FILE* complaints;
	size_t frameSize;
	int frameCount;
	// errno of a write that failed.
	int writeError;
	struct sigaction oldPipeAction;
};

typedef struct VideoKind
{
	const char* ending;
	// Arguments between the input and the path.
	const char* arguments[12];
} VideoKind;

// H.264 with 4:2:0 colours, which every player and browser shows, needs even sides: an odd one gets a black line.
static const VideoKind s_kinds[] = {
	{".mp4",
		{"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt",
			"yuv420p", "-movflags", "+faststart"}},
	{".webp", {"-c:v", "libwebp", "-loop", "0", "-q:v", "70"}},
	{".gif", {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer", "-loop", "0"}},
};

static const VideoKind* FindKind(const char* path)
{
	const size_t length = strlen(path);
	for (size_t i = 0; i < sizeof(s_kinds) / sizeof(s_kinds[0]); ++i)
	{
		const size_t ending = strlen(s_kinds[i].ending);
		if (length > ending && strcmp(path + length - ending, s_kinds[i].ending) == 0)
		{
			return s_kinds + i;
		}
	}
	return NULL;
}

bool IsVideoPath(const char* path)
{
	return FindKind(path) != NULL;
}

// Start ffmpeg with a pipe as its input, or NULL. Returns an errno.
static int Spawn(const char** arguments, const int* ends, FILE* complaints, pid_t* process)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);
	if (error != 0)
	{
		return error;
	}
	if (ends != NULL)
	{
		posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	}
	posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (ends != NULL)
	{
		posix_spawn_file_actions_addclose(&actions, ends[0]);
		posix_spawn_file_actions_addclose(&actions, ends[1]);
	}
	// The signal that a broken pipe sends is ignored here, and children inherit that.
	posix_spawnattr_t attributes;
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &signals);
	// Ctrl-C in the terminal is for this program, which then closes the video properly.
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	error = posix_spawnp(process, "ffmpeg", &actions, &attributes, (char* const*)arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

// @return did it end by itself, and well?
static bool WaitFor(pid_t process, int* status)
{
	pid_t ended;
	do
	{
		ended = waitpid(process, status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended == process && WIFEXITED(*status);
}

// Returns an errno.
static int StartProcess(Video* video, const VideoKind* kind, const char* path, const char* size, const char* rate)
{
	int ends[2];
	if (pipe(ends) != 0)
	{
		return errno;
	}
	// A path that begins with a dash or a protocol is still a file.
	char target[4096];
	const int length = snprintf(target, sizeof(target), "file:%s", path);
	const char* arguments[mostArguments] = {"ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-xerror", "-y", "-f",
		"rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "pipe:0", "-an"};
	int count = 18;
	for (int i = 0; i < 12 && kind->arguments[i] != NULL; ++i, ++count)
	{
		arguments[count] = kind->arguments[i];
	}
	arguments[count] = target;
	const int error =
		length >= (int)sizeof(target) ? ENAMETOOLONG : Spawn(arguments, ends, video->complaints, &video->process);
	close(ends[0]);
	if (error != 0)
	{
		close(ends[1]);
		return error;
	}
	video->input = ends[1];
	(void)fcntl(video->input, F_SETFD, FD_CLOEXEC);
	return 0;
}

Video* OpenVideo(const char* path, int width, int height, double framesPerSecond, char* error, size_t errorSize)
{
	const VideoKind* kind = FindKind(path);
	if (kind == NULL)
	{
		snprintf(error, errorSize, "a video ends with .mp4, .webp or .gif, not like '%s'", path);
		return NULL;
	}
	if (width < 2 || height < 2 || width > 16384 || height > 16384 ||
		!(framesPerSecond > 0.0 && framesPerSecond <= 240.0))
	{
		snprintf(
			error, errorSize, "no video has %d x %d pixels at %g pictures a second", width, height, framesPerSecond);
		return NULL;
	}
	Video* video = calloc(1, sizeof(Video));
	FILE* complaints = tmpfile();
	if (video == NULL || complaints == NULL)
	{
		snprintf(error, errorSize, "no video: %s", strerror(errno));
		if (complaints != NULL)
		{
			fclose(complaints);
		}
		free(video);
		return NULL;
	}
	video->complaints = complaints;
	video->frameSize = (size_t)width * (size_t)height * 3;
	char size[32], rate[32];
	snprintf(size, sizeof(size), "%dx%d", width, height);
	snprintf(rate, sizeof(rate), "%.6g", framesPerSecond);
	const int failure = StartProcess(video, kind, path, size, rate);
	if (failure != 0)
	{
		snprintf(error, errorSize, failure == ENOENT ? "videos need ffmpeg, and it is not installed" : "ffmpeg: %s",
			strerror(failure));
		fclose(complaints);
		free(video);
		return NULL;
	}
	// A write to a dead ffmpeg shall fail, not end this program.
	struct sigaction ignore;
	memset(&ignore, 0, sizeof(ignore));
	ignore.sa_handler = SIG_IGN;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &video->oldPipeAction);
	return video;
}

bool Video_AddFrame(Video* video, const uint8_t* pixels)
{
	size_t done = 0;
	while (done < video->frameSize && video->writeError == 0)
	{
		const ssize_t written = write(video->input, pixels + done, video->frameSize - done);
		if (written > 0)
		{
			done += (size_t)written;
		}
		else if (written < 0 && errno != EINTR)
		{
			video->writeError = errno;
		}
	}
	video->frameCount += video->writeError == 0 ? 1 : 0;
	return video->writeError == 0;
}

// The first complaint is the cause, what follows are its consequences.
static void ReadComplaint(FILE* file, char* text, size_t size)
{
	text[0] = '\0';
	rewind(file);
	char line[maxErrorText];
	while (text[0] == '\0' && fgets(line, sizeof(line), file) != NULL)
	{
		line[strcspn(line, "\r\n")] = '\0';
		snprintf(text, size, "%s", line);
	}
}

bool CloseVideo(Video* video, char* error, size_t errorSize)
{
	if (video == NULL)
	{
		return true;
	}
	close(video->input);
	int status = 0;
	const bool exited = WaitFor(video->process, &status);
	sigaction(SIGPIPE, &video->oldPipeAction, NULL);

	char complaint[maxErrorText];
	ReadComplaint(video->complaints, complaint, sizeof(complaint));
	const bool good = exited && WEXITSTATUS(status) == 0 && video->writeError == 0 && video->frameCount > 0;
	if (good == false && complaint[0] != '\0')
	{
		snprintf(error, errorSize, "ffmpeg: %.400s", complaint);
	}
	else if (good == false && exited == false)
	{
		snprintf(error, errorSize, "ffmpeg was ended by signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	}
	else if (good == false && WEXITSTATUS(status) == 0 && video->writeError == 0)
	{
		snprintf(error, errorSize, "a video without a picture");
	}
	else if (good == false)
	{
		snprintf(error, errorSize, "ffmpeg stopped with code %d", WEXITSTATUS(status));
	}
	fclose(video->complaints);
	free(video);
	return good;
}

bool CanVideoSound(const char* path)
{
	const VideoKind* kind = FindKind(path);
	return kind != NULL && strcmp(kind->ending, ".mp4") == 0;
}

bool AddSoundToVideo(const char* path, const char* wavePath, char* error, size_t errorSize)
{
	char picture[4096], sound[4096], part[4096], target[4096];
	const int length = snprintf(part, sizeof(part), "%s.part", path);
	snprintf(picture, sizeof(picture), "file:%s", path);
	snprintf(sound, sizeof(sound), "file:%s", wavePath);
	snprintf(target, sizeof(target), "file:%s.part", path);
	FILE* complaints = length < 4000 ? tmpfile() : NULL;
	if (complaints == NULL)
	{
		snprintf(error, errorSize, "no sound track: %s", length < 4000 ? strerror(errno) : strerror(ENAMETOOLONG));
		return false;
	}
	const char* arguments[] = {"ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-xerror", "-y", "-i", picture,
		"-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-b:a", "160k", "-movflags",
		"+faststart", "-f", "mp4", target, NULL};
	pid_t process = 0;
	int status = 0;
	const int failure = Spawn(arguments, NULL, complaints, &process);
	const bool good = failure == 0 && WaitFor(process, &status) && WEXITSTATUS(status) == 0 && rename(part, path) == 0;
	if (!good)
	{
		char complaint[maxErrorText];
		ReadComplaint(complaints, complaint, sizeof(complaint));
		snprintf(error, errorSize, "ffmpeg: %.400s",
			complaint[0] != '\0' ? complaint : (failure != 0 ? strerror(failure) : "no sound track"));
		(void)remove(part);
	}
	fclose(complaints);
	return good;
}
