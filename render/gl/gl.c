// SPDX-License-Identifier: MIT

// Programs from embedded shaders, and textures made in one line.

#include "gl/gl.h"

#include "gl/gl_state.h"

#include <stdio.h>
#include <string.h>

enum
{
	maxParts = 8
};

// The same text is valid in OpenGL ES 3.0, WebGL 2 and OpenGL 3.3. Heights and positions need full floats in both stages.
static const char s_prefix[] = "#version 300 es\n"
							   "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";
static const char s_desktopPrefix[] = "#version 330 core\n";

static const struct
{
	const char* name;
	tnrUnit unit;
} s_samplers[] = {
	{"bedMap", tnr_bedUnit},
	{"surfaceMap", tnr_surfaceUnit},
	{"groundMap", tnr_groundUnit},
	{"builtMap", tnr_builtUnit},
	{"blendMap", tnr_blendUnit},
	{"flowMap", tnr_flowUnit},
	{"waveMap", tnr_waveUnit},
	{"tracerMap", tnr_tracerUnit},
	{"rippleMap", tnr_rippleUnit},
	{"patternMap", tnr_patternUnit},
	{"colorMap", tnr_colorUnit},
	{"depthMap", tnr_depthUnit},
	{"viewMap", tnr_viewUnit},
	{"fontMap", tnr_fontUnit},
	{"shadowMap", tnr_shadowUnit},
	{"bareColorMap", tnr_bareColorUnit},
	{"bareDepthMap", tnr_bareDepthUnit},
	{"waveTileMap", tnr_waveTileUnit},
	{"waveIndexMap", tnr_waveIndexUnit},
	{"rippleFieldMap", tnr_rippleFieldUnit},
	{"groundTileMap", tnr_groundTileUnit},
};

void tnrSetFailure(tnrResult* result, const char* text)
{
	result->ok = false;
	snprintf(result->text, sizeof(result->text), "%s", text);
}

static GLuint tnrCompile(GLenum kind, const char* name, const char* const* parts, int partCount, tnrResult* result)
{
	const char* texts[maxParts + 1] = {tnrIsDesktop() ? s_desktopPrefix : s_prefix};
	for (int i = 0; i < partCount && i < maxParts; ++i)
	{
		texts[i + 1] = parts[i];
	}
	const GLuint shader = glCreateShader(kind);
	glShaderSource(shader, partCount + 1, texts, NULL);
	glCompileShader(shader);

	GLint ok = GL_FALSE;
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (ok == GL_FALSE)
	{
		char log[800] = "";
		glGetShaderInfoLog(shader, (GLsizei)sizeof(log), NULL, log);
		result->ok = false;
		snprintf(result->text, sizeof(result->text), "%s %s shader: %s", name,
			kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
		glDeleteShader(shader);
		return 0;
	}
	return shader;
}

static void tnrAssignBindings(GLuint id)
{
	const GLuint block = glGetUniformBlockIndex(id, "Frame");
	if (block != GL_INVALID_INDEX)
	{
		glUniformBlockBinding(id, block, TNR_FRAME_BINDING);
	}
	glUseProgram(id);
	for (int i = 0; i < (int)(sizeof(s_samplers) / sizeof(s_samplers[0])); ++i)
	{
		const GLint location = glGetUniformLocation(id, s_samplers[i].name);
		if (location >= 0)
		{
			glUniform1i(location, (GLint)s_samplers[i].unit);
		}
	}
}

tnrProgram tnrMakeProgram(const char* name, const char* const* vertexParts, int vertexPartCount,
	const char* const* fragmentParts, int fragmentPartCount, tnrResult* result)
{
	tnrProgram program = {0};
	if (result->ok == false)
	{
		return program;
	}
	const GLuint vertex = tnrCompile(GL_VERTEX_SHADER, name, vertexParts, vertexPartCount, result);
	const GLuint fragment = tnrCompile(GL_FRAGMENT_SHADER, name, fragmentParts, fragmentPartCount, result);
	if (vertex != 0 && fragment != 0)
	{
		const GLuint id = glCreateProgram();
		glAttachShader(id, vertex);
		glAttachShader(id, fragment);
		glLinkProgram(id);
		GLint ok = GL_FALSE;
		glGetProgramiv(id, GL_LINK_STATUS, &ok);
		if (ok == GL_FALSE)
		{
			char log[800] = "";
			glGetProgramInfoLog(id, (GLsizei)sizeof(log), NULL, log);
			result->ok = false;
			snprintf(result->text, sizeof(result->text), "%s program: %s", name, log);
			glDeleteProgram(id);
		}
		else
		{
			program.id = id;
			tnrAssignBindings(id);
		}
	}
	glDeleteShader(vertex);
	glDeleteShader(fragment);
	return program;
}

GLint tnrFindUniform(const tnrProgram* program, const char* name)
{
	return program->id != 0 ? glGetUniformLocation(program->id, name) : -1;
}

// What a texture without content says that its content is.
static void tnrDescribe(GLenum inside, GLenum* format, GLenum* type)
{
	static const struct
	{
		GLenum inside, format, type;
	} kinds[] = {
		{GL_R8, GL_RED, GL_UNSIGNED_BYTE},
		{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
		{GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
		{GL_R16I, GL_RED_INTEGER, GL_SHORT},
		{GL_R32F, GL_RED, GL_FLOAT},
		{GL_RG32F, GL_RG, GL_FLOAT},
		{GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
		{GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
	};
	*format = GL_RGBA;
	*type = GL_FLOAT;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i)
	{
		if (kinds[i].inside == inside)
		{
			*format = kinds[i].format;
			*type = kinds[i].type;
		}
	}
}

void tnrStoreTexture(GLenum target, GLenum inside, int width, int height, int layers, int levels)
{
	const bool isArray = target == GL_TEXTURE_2D_ARRAY;
	if (!tnrIsDesktop() || tnrHasExtension("ARB_texture_storage"))
	{
		if (isArray)
		{
			glTexStorage3D(target, levels, inside, width, height, layers);
		}
		else
		{
			glTexStorage2D(target, levels, inside, width, height);
		}
		return;
	}
	// OpenGL 3.3 alone has none of these.
	GLenum format, type;
	tnrDescribe(inside, &format, &type);
	for (int level = 0; level < levels; ++level)
	{
		const int w = width >> level > 0 ? width >> level : 1, h = height >> level > 0 ? height >> level : 1;
		if (isArray)
		{
			glTexImage3D(target, level, (GLint)inside, w, h, layers, 0, format, type, NULL);
		}
		else
		{
			glTexImage2D(target, level, (GLint)inside, w, h, 0, format, type, NULL);
		}
	}
	glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
}

GLuint tnrMakeTexture(GLenum format, int width, int height, int levels, GLenum filter, GLenum wrap)
{
	GLuint texture = 0;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	tnrStoreTexture(GL_TEXTURE_2D, format, width, height, 1, levels);
	const GLenum minFilter = levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : filter;
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)minFilter);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)wrap);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, (GLint)wrap);
	return texture;
}

void tnrBindTexture(tnrUnit unit, GLuint texture)
{
	glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
	glBindTexture(GL_TEXTURE_2D, texture);
}

void tnrBindArray(tnrUnit unit, GLuint texture)
{
	glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
	glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
}

void tnrClearDepth(void)
{
	const GLfloat farthest = 1.0f;
	glClearBufferfv(GL_DEPTH, 0, &farthest);
}

bool tnrHasExtension(const char* name)
{
	GLint count = 0;
	glGetIntegerv(GL_NUM_EXTENSIONS, &count);
	for (GLint i = 0; i < count; ++i)
	{
		const char* extension = (const char*)glGetStringi(GL_EXTENSIONS, (GLuint)i);
		if (extension != NULL && strstr(extension, name) != NULL)
		{
			return true;
		}
	}
	return false;
}
