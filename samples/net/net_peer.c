// SPDX-License-Identifier: MIT

#include "net_peer.h"

#include <stdlib.h>
#include <string.h>

// Who says more in one message is not one of ours. Snapshots come in pieces.
#define NET_MAX_PACKET 65536

ENetHost* Net_CreateHost(const ENetAddress* address, int peerCount)
{
	ENetHost* host = enet_host_create(address, (size_t)peerCount, net_channelCount, 0, 0);
	if (host)
	{
		// Packets that the wire has damaged are lost packets.
		host->checksum = enet_crc32;
		// Frames get a third smaller. Both sides must do it.
		enet_host_compress_with_range_coder(host);
		host->maximumPacketSize = NET_MAX_PACKET;
		host->maximumWaitingData = 16 * NET_MAX_PACKET;
		// Which port it is, if any was good.
		enet_socket_get_address(host->socket, &host->address);
	}
	return host;
}

void Net_SetUpPeer(ENetPeer* peer)
{
	// ENet would leave out unreliable packets when the round trip time swings. Ours are few, and each repairs the one before.
	enet_peer_throttle_configure(peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
	// Gone is who says nothing for so long, milliseconds.
	enet_peer_timeout(peer, 32, 5000, 8000);
}

static void Send(ENetPeer* peer, const NetWriter* writer, int channel, enet_uint32 flags)
{
	ENetPacket* packet = writer->full ? NULL : enet_packet_create(writer->bytes, (size_t)writer->size, flags);
	if (packet && enet_peer_send(peer, (enet_uint8)channel, packet) != 0)
	{
		enet_packet_destroy(packet);
	}
}

void Net_SendReliable(ENetPeer* peer, const NetWriter* writer)
{
	Send(peer, writer, net_reliableChannel, ENET_PACKET_FLAG_RELIABLE);
}

void Net_SendHurried(ENetPeer* peer, const NetWriter* writer)
{
	Send(peer, writer, net_hurryChannel, ENET_PACKET_FLAG_UNSEQUENCED);
}

void Net_SendFrame(ENetPeer* peer, const NetWriter* writer)
{
	Send(peer, writer, net_streamChannel, ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT);
}

uint8_t* Net_Pack(const uint8_t* bytes, size_t size, size_t* packedSize)
{
	uint8_t* packed = malloc(size);
	void* coder = enet_range_coder_create();
	if (packed && coder)
	{
		const ENetBuffer buffer = {.data = (void*)(uintptr_t)bytes, .dataLength = size};
		*packedSize = enet_range_coder_compress(coder, &buffer, 1, size, packed, size - 1);
		if (*packedSize == 0)
		{
			memcpy(packed, bytes, size);
			*packedSize = size;
		}
	}
	else
	{
		free(packed);
		packed = NULL;
	}
	enet_range_coder_destroy(coder);
	return packed;
}

uint8_t* Net_Unpack(const uint8_t* bytes, size_t packedSize, size_t size)
{
	uint8_t* unpacked = malloc(size);
	void* coder = enet_range_coder_create();
	bool good = unpacked && coder;
	if (good && packedSize == size)
	{
		memcpy(unpacked, bytes, size);
	}
	else if (good)
	{
		good = enet_range_coder_decompress(coder, bytes, packedSize, unpacked, size) == size;
	}
	if (!good)
	{
		free(unpacked);
		unpacked = NULL;
	}
	enet_range_coder_destroy(coder);
	return unpacked;
}

NetTraffic Net_GetTraffic(const ENetHost* host)
{
	return (NetTraffic){
		.sent = host->totalSentData + (uint64_t)28 * host->totalSentPackets,
		.received = host->totalReceivedData + (uint64_t)28 * host->totalReceivedPackets,
	};
}
