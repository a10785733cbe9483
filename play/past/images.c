// SPDX-License-Identifier: MIT

#include "past/images.h"

#include <stdlib.h>
#include <string.h>

void tnpImages_Remove(tnpImages* images, int index)
{
	images->size -= images->items[index].size;
	free(images->items[index].bytes);
	memmove(images->items + index, images->items + index + 1, (size_t)(images->count - index - 1) * sizeof(tnpImage));
	images->count -= 1;
}

bool tnpImages_Push(tnpImages* images, tnpImage image)
{
	if (image.bytes == NULL || image.size > images->limit)
	{
		free(image.bytes);
		return false;
	}
	while (images->count > 0 && (images->count == TNP_MAX_IMAGES || images->limit - images->size < image.size))
	{
		tnpImages_Remove(images, 0);
	}
	images->items[images->count++] = image;
	images->size += image.size;
	return true;
}

void tnpImages_Cut(tnpImages* images, int count)
{
	while (images->count > count)
	{
		tnpImages_Remove(images, images->count - 1);
	}
}

tnpImage tnpImages_Pop(tnpImages* images)
{
	images->count -= 1;
	images->size -= images->items[images->count].size;
	return images->items[images->count];
}

void tnpImages_Thin(tnpImages* images)
{
	for (int i = images->count - 2; i > 0; i -= 2)
	{
		tnpImages_Remove(images, i);
	}
}
