// SPDX-License-Identifier: MIT

#include "net_peer.h"

// Who says more in one message is not one of ours. Snapshots come in pieces.
#define NET_MAX_PACKET 65536

ENetHost* Net_CreateHost(const ENetAddress* address, int peerCount)
{
	ENetHost* host = enet_host_create(address, (size_t)peerCount, net_channelCount, 0, 0);
	if (host)
	{
		// Packets that the wire has damaged are lost packets.
		host->checksum = enet_crc32;
		// Snapshots shrink by a third, turns not at all; both sides must do it.
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

NetTraffic Net_GetTraffic(const ENetHost* host)
{
	return (NetTraffic){
		.sent = host->totalSentData + (uint64_t)28 * host->totalSentPackets,
		.received = host->totalReceivedData + (uint64_t)28 * host->totalReceivedPackets,
	};
}
