// SPDX-License-Identifier: MIT

// A bad wire: stands between clients and a server on this machine, and loses, delays, doubles and damages UDP packets. Delays are drawn
// for each packet alone, so packets overtake each other. What happens to the n-th packet of a client follows from the seed.
//
//   lossy_proxy --server PORT [--loss 10] [--delay 30] [--delay-most 80] [--double 2] [--damage 1] [--seed 1]
//
// Shares are in percent, delays in milliseconds, per direction. Prints the port that clients connect to.

#include "net_options.h"

#include <enet/enet.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum
{
	max_clients = 16,
	max_packets = 2048,
	// ENet's own packets are shorter.
	max_size = 4096,
};

// One client: packets for the server leave from a socket of its own, at which answers arrive.
typedef struct Link
{
	ENetAddress client;
	ENetSocket socket;
	uint32_t packetCounts[2];
} Link;

// A packet on its way. Direction 0 is to the server.
typedef struct Packet
{
	bool used;
	uint32_t due;
	int link, direction;
	size_t size;
	uint8_t bytes[max_size];
} Packet;

static int s_server, s_loss = 10, s_delay = 30, s_delayMost = 80, s_double = 2, s_damage = 1, s_seed = 1, s_limit = 60;
static Link s_links[max_clients];
static int s_linkCount;
static Packet s_packets[max_packets];
static int s_passed, s_lost, s_doubled, s_damaged, s_overtaken;
static uint32_t s_lastSent[max_clients][2];
static volatile sig_atomic_t s_stop;

static void Stop(int number)
{
	(void)number;
	s_stop = 1;
}

static uint32_t Mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	return x ^ (x >> 16);
}

static uint32_t Draw(uint32_t* state)
{
	*state += 0x9e3779b9u;
	return Mix(*state);
}

static void Queue(int link, int direction, const uint8_t* bytes, size_t size, uint32_t due)
{
	for (int i = 0; i < max_packets; ++i)
	{
		Packet* packet = &s_packets[i];
		if (!packet->used)
		{
			*packet = (Packet){.used = true, .due = due, .link = link, .direction = direction, .size = size};
			memcpy(packet->bytes, bytes, size);
			return;
		}
	}
	++s_lost;
}

// Decide what becomes of a packet.
static void Judge(int link, int direction, uint8_t* bytes, size_t size)
{
	const uint32_t number = s_links[link].packetCounts[direction]++;
	uint32_t state = Mix((uint32_t)s_seed * 0x85ebca6bu + (uint32_t)(2 * link + direction)) + number * 0xc2b2ae35u;
	if ((int)(Draw(&state) % 100) < s_loss)
	{
		++s_lost;
		return;
	}
	const int copies = (int)(Draw(&state) % 100) < s_double ? 2 : 1;
	s_doubled += copies - 1;
	if ((int)(Draw(&state) % 100) < s_damage && size > 0)
	{
		++s_damaged;
		bytes[Draw(&state) % size] ^= (uint8_t)(1u << (Draw(&state) % 8));
	}
	for (int i = 0; i < copies; ++i)
	{
		const uint32_t delay = (uint32_t)s_delay + Draw(&state) % (uint32_t)(s_delayMost - s_delay + 1);
		Queue(link, direction, bytes, size, enet_time_get() + delay);
	}
}

static int FindLink(const ENetAddress* client)
{
	for (int i = 0; i < s_linkCount; ++i)
	{
		if (s_links[i].client.host == client->host && s_links[i].client.port == client->port)
		{
			return i;
		}
	}
	if (s_linkCount == max_clients)
	{
		return -1;
	}
	Link* link = &s_links[s_linkCount];
	*link = (Link){.client = *client, .socket = enet_socket_create(ENET_SOCKET_TYPE_DATAGRAM)};
	enet_socket_set_option(link->socket, ENET_SOCKOPT_NONBLOCK, 1);
	return link->socket == ENET_SOCKET_NULL ? -1 : s_linkCount++;
}

static void Receive(ENetSocket front)
{
	uint8_t bytes[max_size];
	ENetBuffer buffer = {.data = bytes, .dataLength = sizeof(bytes)};
	ENetAddress from;
	int size;
	while ((size = enet_socket_receive(front, &from, &buffer, 1)) > 0)
	{
		const int link = FindLink(&from);
		if (link >= 0)
		{
			Judge(link, 0, bytes, (size_t)size);
		}
	}
	for (int i = 0; i < s_linkCount; ++i)
	{
		while ((size = enet_socket_receive(s_links[i].socket, &from, &buffer, 1)) > 0)
		{
			Judge(i, 1, bytes, (size_t)size);
		}
	}
}

static void Send(ENetSocket front, const ENetAddress* server)
{
	const uint32_t now = enet_time_get();
	for (int i = 0; i < max_packets; ++i)
	{
		Packet* packet = &s_packets[i];
		if (packet->used && (int32_t)(packet->due - now) <= 0)
		{
			const Link* link = &s_links[packet->link];
			ENetBuffer buffer = {.data = packet->bytes, .dataLength = packet->size};
			enet_socket_send(packet->direction == 0 ? link->socket : front,
				packet->direction == 0 ? server : &link->client, &buffer, 1);
			uint32_t* last = &s_lastSent[packet->link][packet->direction];
			s_overtaken += packet->due < *last;
			*last = packet->due;
			packet->used = false;
			++s_passed;
		}
	}
}

int main(int argumentCount, char** arguments)
{
	const NetOption options[] = {
		{.name = "server", .number = &s_server, .least = 1, .most = 65535, .help = "port"},
		{.name = "loss", .number = &s_loss, .most = 100, .help = "percent"},
		{.name = "delay", .number = &s_delay, .most = 10000, .help = "milliseconds, least"},
		{.name = "delay-most", .number = &s_delayMost, .most = 10000, .help = "milliseconds"},
		{.name = "double", .number = &s_double, .most = 100, .help = "percent"},
		{.name = "damage", .number = &s_damage, .most = 100, .help = "percent: one bit is turned"},
		{.name = "seed", .number = &s_seed, .most = INT32_MAX, .help = ""},
		{.name = "limit", .number = &s_limit, .most = 100000, .help = "seconds after which it ends"},
	};
	if (!Net_ReadOptions(argumentCount, arguments, options, (int)(sizeof(options) / sizeof(options[0]))) ||
		s_delayMost < s_delay || enet_initialize() != 0)
	{
		return 2;
	}
	ENetAddress server = {.port = (enet_uint16)s_server}, here = {0};
	enet_address_set_host(&server, "127.0.0.1");
	enet_address_set_host(&here, "127.0.0.1");
	const ENetSocket front = enet_socket_create(ENET_SOCKET_TYPE_DATAGRAM);
	if (front == ENET_SOCKET_NULL || enet_socket_bind(front, &here) != 0 || enet_socket_get_address(front, &here) != 0)
	{
		return 1;
	}
	enet_socket_set_option(front, ENET_SOCKOPT_NONBLOCK, 1);
	signal(SIGTERM, Stop);
	signal(SIGINT, Stop);
	printf("listening port=%d\n", here.port);
	fflush(stdout);
	const uint32_t begin = enet_time_get();
	while (!s_stop && enet_time_get() - begin < 1000u * (uint32_t)s_limit)
	{
		// Two milliseconds do as a clock: what comes to one of the other sockets may wait so long.
		enet_uint32 condition = ENET_SOCKET_WAIT_RECEIVE;
		enet_socket_wait(front, &condition, 2);
		Receive(front);
		Send(front, &server);
	}
	printf(
		"passed=%d lost=%d doubled=%d damaged=%d overtaken=%d\n", s_passed, s_lost, s_doubled, s_damaged, s_overtaken);
	return 0;
}
