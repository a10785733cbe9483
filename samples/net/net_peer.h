// SPDX-License-Identifier: MIT

#pragma once

#include "net_message.h"

#include <enet/enet.h>

// What server and clients do alike with ENet.

// A client connects to `address`, a server is connected to at it (port 0: any that is free). NULL if that is not possible.
ENetHost* Net_CreateHost(const ENetAddress* address, int peerCount);
// For every peer when it has connected.
void Net_SetUpPeer(ENetPeer* peer);
void Net_SendReliable(ENetPeer* peer, const NetWriter* writer);
void Net_SendHurried(ENetPeer* peer, const NetWriter* writer);

// Bytes on the wire since the host was created, with the 28 bytes of IPv4 and UDP before each packet.
typedef struct NetTraffic
{
	uint64_t sent, received;
} NetTraffic;

NetTraffic Net_GetTraffic(const ENetHost* host);
