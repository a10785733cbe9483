// SPDX-License-Identifier: MIT

// The names of the ways in which water can move, as options and tables have them.

#include "commands/methods.h"

const char* const g_methodNames[methodNameCount + 1] = {
	"pipe", "linear", "shallow", "shallow-fine", "shallow-sl", "shallow-mc", NULL};

tnMethod GetNamedMethod(MethodName name)
{
	return name == namedPipe ? tn_pipeMethod : name == namedLinear ? tn_linearMethod : tn_shallowMethod;
}

tnAdvection GetNamedAdvection(MethodName name)
{
	switch (name)
	{
		case namedShallowFine:
			return tn_fineAdvection;
		case namedShallowSemiLagrangian:
			return tn_semiLagrangianAdvection;
		case namedShallowMacCormack:
			return tn_macCormackAdvection;
		case namedPipe:
		case namedLinear:
		case namedShallow:
		case methodNameCount:
			break;
	}
	return tn_conservativeAdvection;
}

MethodName FindMethodName(tnMethod method, tnAdvection advection)
{
	for (int name = 0; name < methodNameCount; ++name)
	{
		const bool same = GetNamedMethod((MethodName)name) == method;
		if (same && (method != tn_shallowMethod || GetNamedAdvection((MethodName)name) == advection))
		{
			return (MethodName)name;
		}
	}
	return namedPipe;
}
