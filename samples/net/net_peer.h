// SPDX-License-Identifier: MIT

#pragma once

#include "net_message.h"

#include <enet/enet.h>
#include <stddef.h>

// What server and clients do alike with ENet.

// A client connects to `address`, a server is connected to at it (port 0: any that is free). NULL if that is not possible.
ENetHost* Net_CreateHost(const ENetAddress* address, int peerCount);
// For every peer when it has connected.
void Net_SetUpPeer(ENetPeer* peer);
void Net_SendReliable(ENetPeer* peer, const NetWriter* writer);
void Net_SendHurried(ENetPeer* peer, const NetWriter* writer);
// May be longer than a packet, and is lost if a part of it is.
void Net_SendFrame(ENetPeer* peer, const NetWriter* writer);

// Snapshots get smaller before they are cut into pieces: five times, with the range coder that ENet has (zstd would do better, and is
// one library more). Returns new bytes, NULL if there is no memory; as they are, if they do not get smaller.
uint8_t* Net_Pack(const uint8_t* bytes, size_t size, size_t* packedSize);
// NULL if the bytes are not what Net_Pack makes of so many.
uint8_t* Net_Unpack(const uint8_t* bytes, size_t packedSize, size_t size);

// Bytes on the wire since the host was created, with the 28 bytes of IPv4 and UDP before each packet.
typedef struct NetTraffic
{
	uint64_t sent, received;
} NetTraffic;

NetTraffic Net_GetTraffic(const ENetHost* host);
