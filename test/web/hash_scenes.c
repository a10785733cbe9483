// SPDX-License-Identifier: MIT

// hash_scenes STEPS WORKERS SCENE...
//
// Runs scene files and prints for each a line "name hash milliseconds-per-step". Exit code 1 if one of them fails.

#include "scene_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void PrintName(const char* path)
{
	const char* slash = strrchr(path, '/');
	const char* name = slash != NULL ? slash + 1 : path;
	const char* dot = strrchr(name, '.');
	printf("%.*s", (int)(dot != NULL ? dot - name : (ptrdiff_t)strlen(name)), name);
}

int main(int argc, char** argv)
{
	const int stepCount = argc > 3 ? atoi(argv[1]) : 0;
	const int workerCount = argc > 3 ? atoi(argv[2]) : 0;
	if (stepCount < 1 || workerCount < 0)
	{
		fprintf(stderr, "usage: hash_scenes STEPS WORKERS SCENE...   (WORKERS 0: as the library chooses)\n");
		return 2;
	}
	for (int i = 3; i < argc; ++i)
	{
		tnwSceneHash hash;
		const tnsResult result = tnwHashScene(argv[i], stepCount, workerCount, &hash);
		if (result.status != tns_ok)
		{
			fprintf(stderr, "%s\n", result.text);
			return 1;
		}
		PrintName(argv[i]);
		printf(" %016llx %.3f\n", (unsigned long long)hash.hash, 1000.0 * hash.seconds / stepCount);
		fflush(stdout);
	}
	return 0;
}
