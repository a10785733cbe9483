// SPDX-License-Identifier: MIT

// plugin_host PLUGIN: loads the plugin and calls its RunForeign, which is the main of foreign.c.

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv)
{
	void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void* symbol = plugin != NULL ? dlsym(plugin, "RunForeign") : NULL;
	if (symbol == NULL)
	{
		printf("%s\n", argc > 1 ? dlerror() : "which plugin?");
		return 1;
	}
	int (*run)(void);
	memcpy(&run, &symbol, sizeof(run)); // C has no cast between the two
	return run();
}
