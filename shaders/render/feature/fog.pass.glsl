/* The atmosphere between the camera and geometry: haze in the color of the sky behind it,
 * weather fog, and water; also clouds in front of geometry, which are not affected by the haze
 * behind them. */
#include "render/feature/atmosphere_upsample.glsl"
#include "render/feature/sky.glsl"

#define RESULT_BINDING 6
#define RESULT_FORMAT rgba16f

/* sky.more: edge of the world, haze, sea level, 1 if there is baked light. */
layout(set = 0, binding = 2) uniform sampler2D scene_color;
layout(set = 0, binding = 3) uniform sampler2D depth_map;
layout(set = 0, binding = 4) uniform sampler2D baked;
/* a texture of the image size: there are no clouds */
layout(set = 0, binding = 5) uniform sampler2D clouds;

const float FAR_AWAY = 30000.0;
const float HAZE_HEIGHT = 350.0; /* over which it thins to a third */
const float FOG_HEIGHT = 45.0;
/* extinction per meter */
const vec3 CLEAR_AIR = 1e-3 * (ATMOSPHERE_RAYLEIGH + ATMOSPHERE_MIE_LOSS);
const vec3 WATER_LOSS = vec3(0.20, 0.075, 0.060);
const vec3 WATER_COLOR = vec3(0.018, 0.125, 0.185);
const float WATER_NIGHT = 0.05; /* relative to its light by day: deep blue, not black */
const float WATER_DARKENS = 0.05; /* per meter of depth; less than the extinction */

/* Equivalent meters of air at sea level density, on a path that climbs with the sine `rise`. */
float dense_meters(float way, float rise, float atmosphere_scale_height)
{
    float above = frame.camera.y - sky.more.z;
    float here = exp(clamp(-above / atmosphere_scale_height, -60.0, 0.7));
    float climbs = clamp(way * rise / atmosphere_scale_height, -8.0, 60.0);
    return here * way * (abs(climbs) < 1e-3 ? 1.0 - 0.5 * climbs : (1.0 - exp(-climbs)) / climbs);
}

/* There is no fog below roofs; from afar, this cannot be determined for the surface. */
float open_air(ivec2 pixel, float way)
{
    if (per_pixel(sky.more.w, way) < 0.5)
        return 1.0;
    float open = smoothstep(0.0, 0.4, texelFetch(baked, pixel, 0).r);
    return mix(open, 1.0, smoothstep(32.0, 128.0, way) * (1.0 - frame.jitter.z));
}

/* Murky water scatters light that enters from above, which decreases with depth: the integral over
 * the path. */
vec3 through_water(vec3 light, vec3 direction, float way)
{
    float above = frame.weather.w;
    if (direction.y > 0.0)
        way = min(way, above / direction.y);
    vec3 day = sky.ground.rgb * 5.0 * sky.tint.w + WATER_NIGHT; /* about 1 at noon */
    vec3 both = WATER_LOSS - WATER_DARKENS * direction.y;
    vec3 murk = WATER_COLOR * day * (exp(-WATER_DARKENS * above) * (1.0 - frame.jitter.z));
    return light * exp(-WATER_LOSS * way) + murk * WATER_LOSS / both * (1.0 - exp(-both * way));
}

vec3 through_air(vec3 light, vec3 direction, float way, float open, bool is_sky)
{
    vec3 level = normalize(vec3(direction.x, max(direction.y, 0.01), direction.z));
    vec3 horizon = sky_scattering(level);
    if (!is_sky) {
        vec3 left = exp(-CLEAR_AIR * (sky.more.y * open * dense_meters(way, direction.y, HAZE_HEIGHT)));
        light = light * left + horizon * (1.0 - left);
        float along = way * length(direction.xz);
        if (per_pixel(sky.more.x, along) > 0.0 && along > 0.7 * sky.more.x) {
            float gone = smoothstep(0.7, 0.97, along / sky.more.x);
            light = mix(light, sky_scattering(direction), gone);
            way = mix(way, FAR_AWAY, gone * gone); /* as far as the sky */
        }
    }
    float fog = frame.clouds.w;
    for (int i = 0; i < (per_pixel(fog, direction.x) > 0.0 ? 1 : 0); i++) {
        /* Fog glows towards the sun, but does not dazzle. */
        vec3 veil = sky.veil.rgb * sky.tint.w, color = mix(min(horizon, 2.0 * veil + 0.02), veil, 0.5);
        light = mix(color, light, exp(-fog * open * dense_meters(way, direction.y, FOG_HEIGHT)));
    }
    return light;
}

/* Distance to the start of the cloud layer. */
float way_to_clouds(vec3 direction, float way)
{
    float rise = clamp(frame.camera.y, frame.clouds.y, frame.clouds.z) - frame.camera.y;
    return rise * direction.y > 0.0 ? min(rise / direction.y, way) : 0.0;
}

vec4 full_screen(ivec2 pixel)
{
    vec4 before = texelFetch(scene_color, pixel, 0);
    float depth = texelFetch(depth_map, pixel, 0).r;
    vec3 direction = view_direction((vec2(pixel) + 0.5) * frame.size.zw);
    bool is_sky = depth <= 0.0;
    float way = is_sky ? FAR_AWAY : view_distance(depth) / max(dot(direction, frame.forward.xyz), 1e-3);
    float open = is_sky ? 1.0 : open_air(pixel, way);
    bool is_below = per_pixel(frame.weather.w, direction.x) > 0.0;
    vec3 light = before.rgb;
    for (int i = 0; i < (is_below ? 1 : 0); i++)
        light = through_water(light, direction, way);
    int side = (textureSize(scene_color, 0).x + textureSize(clouds, 0).x - 1) / textureSize(clouds, 0).x;
    vec4 cloud = vec4(0.0, 0.0, 0.0, 1.0);
    bool has_cloud = side > 1 && !is_sky && textureLod(clouds, (vec2(pixel) + 0.5) * frame.size.zw, 0.0).a < 0.999;
    for (int i = 0; i < (has_cloud ? 1 : 0); i++)
        cloud = upsample_at(clouds, depth_map, pixel, side);
    /* First the geometry, then the clouds in front of it. */
    for (int i = 0; i < (is_below ? 0 : cloud.a < 1.0 ? 2 : 1); i++) {
        bool is_cloud = i == 1;
        float hidden = is_cloud ? 1.0 - cloud.a : 1.0;
        vec3 seen = through_air(is_cloud ? cloud.rgb / max(hidden, 1e-3) : light, direction,
                                is_cloud ? way_to_clouds(direction, way) : way, is_cloud ? 1.0 : open, is_cloud || is_sky);
        light = mix(light, seen, hidden);
    }
    return vec4(light, before.a);
}
