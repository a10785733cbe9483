// SPDX-License-Identifier: MIT

// The water inside of a body: level, with a breath of ripples; what lies beneath, and the sky.
uniform sampler2D colorMap;
uniform sampler2D depthMap;
uniform sampler2D rippleMap;

in vec3 vPlace;
out vec4 outColor;

void main()
{
	// Nothing but its surface from above.
	vec3 toEye = normalize(eye.xyz - vPlace);
	vec2 slope = texture(rippleMap, (vPlace.xz + vec2(0.11, 0.05) * eye.w) / (2.1 * scatter.w)).xy * 2.0 - 1.0;
	vec3 normal = normalize(vec3(-0.05 * effects.x * slope.x, 1.0, -0.05 * effects.x * slope.y));
	vec2 screenPlace = gl_FragCoord.xy * screen.zw;
	vec4 place = inverseViewProjection * vec4(vec3(screenPlace, texture(depthMap, screenPlace).r) * 2.0 - 1.0, 1.0);
	vec3 beneath = decodeColor(texture(colorMap, screenPlace).rgb);
	vec3 through = exp(-absorption.rgb * distance(vPlace, place.xyz / place.w));

	float shadow = mix(1.0, getBodyShadow(vPlace), sun.w);
	vec3 lit = sunColor.rgb * max(sun.y, 0.05) * mix(0.4, 1.0, shadow) * 0.32 + skyColor.rgb * 0.55;
	vec3 color = beneath * through + scatter.rgb * lit * (1.0 - through);
	float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, toEye), 0.02), 5.0);
	vec3 mirrored = reflect(-toEye, normal);
	color = mix(color, getSky(vec3(mirrored.x, abs(mirrored.y), mirrored.z)), fresnel);
	float shine = pow(max(dot(normal, normalize(toEye + sun.xyz)), 0.0), 600.0);
	color += sunColor.rgb * shine * shadow * 0.5 * effects.w;
	outColor = vec4(encodeColor(addHaze(color, vPlace)), 0.0);
}
