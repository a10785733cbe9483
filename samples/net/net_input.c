// SPDX-License-Identifier: MIT

#include "net_input.h"

bool NetInput_IsValid(const NetInput* input, NetExtent extent)
{
	const bool inside = input->x >= 0 && input->x < extent.x && input->z >= 0 && input->z < extent.z;
	switch (input->kind)
	{
		case net_noInput:
			return input->x == 0 && input->z == 0 && input->amount == 0;
		case net_pourInput:
			return inside && input->amount >= 1 && input->amount <= NET_MAX_POUR;
		case net_digInput:
			return inside && input->amount >= 1 && input->amount <= NET_MAX_DIG;
		case net_placeInput:
			return inside && input->amount == 0;
		case net_pushInput:
			return input->x >= -NET_MAX_PUSH && input->x <= NET_MAX_PUSH && input->z >= -NET_MAX_PUSH &&
				input->z <= NET_MAX_PUSH && input->amount == 0;
		default:
			return false;
	}
}

bool NetInput_IsSame(const NetInput* a, const NetInput* b)
{
	return a->kind == b->kind && a->x == b->x && a->z == b->z && a->amount == b->amount;
}

void NetInput_Write(NetWriter* writer, const NetInput* input)
{
	Net_Put(writer, (uint64_t)input->kind, 1);
	switch (input->kind)
	{
		case net_pourInput:
		case net_digInput:
		case net_placeInput:
			Net_Put(writer, (uint64_t)input->x, 2);
			Net_Put(writer, (uint64_t)input->z, 2);
			break;
		case net_pushInput:
			Net_Put(writer, (uint64_t)(input->x + NET_MAX_PUSH), 1);
			Net_Put(writer, (uint64_t)(input->z + NET_MAX_PUSH), 1);
			break;
		default:
			break;
	}
	if (input->kind == net_pourInput || input->kind == net_digInput)
	{
		Net_Put(writer, (uint64_t)input->amount, 1);
	}
}

NetInput NetInput_Read(NetReader* reader, NetExtent extent)
{
	NetInput input = {.kind = (NetInputKind)Net_Take(reader, 1)};
	switch (input.kind)
	{
		case net_pourInput:
		case net_digInput:
		case net_placeInput:
			input.x = (int)Net_Take(reader, 2);
			input.z = (int)Net_Take(reader, 2);
			break;
		case net_pushInput:
			input.x = (int)Net_Take(reader, 1) - NET_MAX_PUSH;
			input.z = (int)Net_Take(reader, 1) - NET_MAX_PUSH;
			break;
		default:
			break;
	}
	if (input.kind == net_pourInput || input.kind == net_digInput)
	{
		input.amount = (int)Net_Take(reader, 1);
	}
	if (reader->damaged || !NetInput_IsValid(&input, extent))
	{
		reader->damaged = true;
		return (NetInput){.kind = net_noInput};
	}
	return input;
}

bool NetTurn_IsSame(const NetTurn* a, const NetTurn* b)
{
	bool same = a->leftMask == b->leftMask;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		same = same && NetInput_IsSame(&a->inputs[i], &b->inputs[i]);
	}
	return same;
}

void NetTurn_Write(NetWriter* writer, const NetTurn* turn)
{
	uint32_t mask = 0;
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		mask |= turn->inputs[i].kind != net_noInput ? 1u << i : 0;
	}
	Net_Put(writer, turn->leftMask, 1);
	Net_Put(writer, mask, 1);
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		if (mask >> i & 1)
		{
			NetInput_Write(writer, &turn->inputs[i]);
		}
	}
}

NetTurn NetTurn_Read(NetReader* reader, NetExtent extent)
{
	NetTurn turn = {.leftMask = (uint32_t)Net_Take(reader, 1)};
	const uint32_t mask = (uint32_t)Net_Take(reader, 1);
	for (int i = 0; i < NET_MAX_PLAYERS; ++i)
	{
		if (mask >> i & 1)
		{
			turn.inputs[i] = NetInput_Read(reader, extent);
			// A player who does nothing is not in the mask.
			reader->damaged = reader->damaged || turn.inputs[i].kind == net_noInput;
		}
	}
	return turn;
}
