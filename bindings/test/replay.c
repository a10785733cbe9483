// SPDX-License-Identifier: MIT

// Plays a recording that was made in another language, and says which bits the world has at the end, as that has to say it. What was done
// to the world is in the recording; its steps are done here, by the library in C.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tarn/tarn.h>

static unsigned char* ReadFile(const char* path, size_t* size)
{
	FILE* file = fopen(path, "rb");
	unsigned char* bytes = NULL;
	size_t capacity = 0;
	*size = 0;
	while (file != NULL)
	{
		if (*size == capacity)
		{
			capacity = capacity == 0 ? 1 << 20 : 2 * capacity;
			bytes = realloc(bytes, capacity);
		}
		const size_t count = bytes != NULL ? fread(bytes + *size, 1, capacity - *size, file) : 0;
		if (count == 0)
		{
			fclose(file);
			break;
		}
		*size += count;
	}
	return bytes;
}

int main(int argumentCount, char** arguments)
{
	for (int i = 1; i < argumentCount; ++i)
	{
		size_t size;
		unsigned char* bytes = ReadFile(arguments[i], &size);
		tnReplay* replay;
		tnResult result = tnCreateReplay(bytes, size, NULL, &replay);
		tnReplayState state = {0};
		while (result.status == tn_ok && state.atEnd == false)
		{
			result = tnReplay_Step(replay, &state);
		}
		if (result.status != tn_ok || state.parted)
		{
			printf("%s: %s, parted in step %" PRId64 "\n", arguments[i], result.text, state.partedStep);
			return 1;
		}
		printf("world %016" PRIx64 " after %" PRId64 " steps\n", tnWorld_GetHash(tnReplay_GetWorld(replay)),
			state.stepCount);
		tnDestroyReplay(replay);
		free(bytes);
	}
	return 0;
}
