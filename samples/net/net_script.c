// SPDX-License-Identifier: MIT

#include "net_script.h"

static int Draw(NetScript* script, int least, int most)
{
	script->state = script->state * 6364136223846793005u + 1442695040888963407u;
	return least + (int)((script->state >> 33) % (uint64_t)(most - least + 1));
}

void NetScript_Begin(NetScript* script, uint32_t seed, NetExtent extent)
{
	*script = (NetScript){.state = seed * 2654435761u + 1, .extent = extent};
	Draw(script, 0, 1);
}

NetInput NetScript_Next(NetScript* script)
{
	if (script->ticks > 0)
	{
		--script->ticks;
		return script->held;
	}
	NetInput input = {.kind = net_noInput};
	const int x = Draw(script, script->extent.x / 8, script->extent.x * 7 / 8);
	const int z = Draw(script, script->extent.z / 8, script->extent.z * 7 / 8);
	script->held = input;
	script->ticks = Draw(script, 3, 12);
	if (!script->hasBox)
	{
		script->hasBox = true;
		return (NetInput){.kind = net_placeInput, .x = x, .z = z};
	}
	switch (Draw(script, 0, 5))
	{
		case 0:
		case 1:
			input = (NetInput){.kind = net_pourInput, .x = x, .z = z, .amount = Draw(script, 2, 20)};
			script->held = input;
			break;
		case 2:
			input = (NetInput){.kind = net_digInput, .x = x, .z = z, .amount = Draw(script, 1, 5)};
			script->held = input;
			break;
		case 3:
			input = (NetInput){.kind = net_pushInput,
				.x = Draw(script, -NET_MAX_PUSH / 5, NET_MAX_PUSH / 5),
				.z = Draw(script, -NET_MAX_PUSH / 5, NET_MAX_PUSH / 5)};
			break;
		case 4:
			if (Draw(script, 0, 3) == 0)
			{
				input = (NetInput){.kind = net_placeInput, .x = x, .z = z};
			}
			break;
		default:
			break;
	}
	return input;
}
