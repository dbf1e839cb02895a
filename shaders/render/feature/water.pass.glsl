/* Water over the image: refraction and absorption of what is below it, reflections, and
 * sunlight. */
#define CLOUD_NOISE_BINDING 20
#include "render/feature/cloud_density.glsl"
#include "render/feature/lighting.glsl"
#include "render/feature/water_waves.glsl"
#include "render/feature/wetness.glsl"

#define RESULT_BINDING 23
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 16) uniform sampler2D scene_color;     /* without water */
layout(set = 0, binding = 17) uniform sampler2D depth_below; /* without water */
layout(set = 0, binding = 18) uniform sampler2D depth_above; /* with water */
layout(set = 0, binding = 19) uniform sampler2D surfaces;    /* water_surface.frag */

layout(push_constant) uniform Constants {
    float reflects; /* 1: with screen-space reflections */
    float has_clouds;
    vec4 clouds; /* light of their veil in the cube map; w: fraction of the sky */
};

const float INDEX = 1.33;
/* absorption per block: hardly anything is left after four */
const vec3 MURK = vec3(0.85, 0.50, 0.42);
const vec3 WATER_COLOR = vec3(0.012, 0.085, 0.125);
const float MAX_MIRRORED = 0.6; /* as seen from above */
const float MAX_SKY = 12.0;     /* limit for reflections: the sun itself is a light */
const float SHEET = 1.5;         /* thickness of falling water in blocks */
const int STEPS = 32, FAR_STEPS = 8;
const float REACH = 50.0, FAR_GROWTH = 1.6;
const float THICKNESS = 1.5;
const float MIN_SHARP = 0.4; /* of obstacles of the reflected ray, where waves blur it */
const int CLOUD_STEPS = 3;
const uint GLINTS = 24u;           /* number of lamps evaluated: the nearest */
const float LAMP_ROUGHNESS = 0.16; /* flames are not points */

struct Water {
    vec3 world, to_eye;
    float distance;
    vec3 flat_normal, normal; /* towards the camera; with waves */
    bool is_below;            /* the camera is under water */
    Waves waves;
    float sky, blocks; /* baked light, 0 to 1 */
    float sun;         /* visibility of the sun */
};

/* ---- The surface ---- */

/* Falling water flows down, and sloping water flows along its slope. */
Waves waves_of(vec3 world, vec3 normal, Footprint footprint)
{
    float time = frame.camera.w, strength = 1.0 + 0.6 * frame.weather.x;
    vec3 place = world - WAVE_BLOCKS * floor(world / WAVE_BLOCKS);
    vec2 at = abs(normal.y) > 0.3 ? place.xz - normal.xz * (3.0 * time)
                                  : vec2(abs(normal.x) > 0.5 ? place.z : place.x, 0.6 * place.y + 3.0 * time);
    Waves w = waves_at(at, time, footprint, strength);
    float rain = frame.weather.x * smoothstep(0.12, 0.04, max(footprint.across, length(footprint.along))) * step(0.3, normal.y);
    for (int i = 0; i < (rain > 0.0 ? 1 : 0); i++)
        w.slope += (wet_ripples(place.xz * 1.5) + wet_ripples(place.zx * 2.0 + 5.3)) * (0.25 * rain);
    return w;
}

vec3 wavy_normal(vec3 normal, vec2 slope)
{
    if (abs(normal.y) > 0.3)
        return normalize(normal - vec3(slope.x, 0.0, slope.y));
    vec3 aside = abs(normal.x) > 0.5 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
    return normalize(normal - aside * slope.x - vec3(0.0, 0.6 * slope.y, 0.0));
}

Water read_water(ivec2 pixel, vec4 face)
{
    Water w;
    vec2 flat_way = (face.xy * 255.0 - 128.0) / 127.0;
    uint light = uint(face.z * 255.0 + 0.5);
    w.world = world_from_depth((vec2(pixel) + 0.5) * frame.size.zw, texelFetch(depth_above, pixel, 0).r);
    w.distance = length(w.world - frame.camera.xyz);
    w.to_eye = direction_to_eye(w.world);
    vec3 out_of_it = vec3(flat_way.x, sqrt(max(1.0 - dot(flat_way, flat_way), 0.0)) * (face.w < 0.75 ? -1.0 : 1.0), flat_way.y);
    float facing = dot(out_of_it, w.to_eye);
    w.is_below = facing < 0.0;
    float width = max(w.distance * 2.0 / (abs(frame.projection[1][1]) * frame.size.y), 1e-4);
    bool is_level = abs(out_of_it.y) > 0.3;
    Footprint level = level_footprint(w.to_eye, width);
    Footprint falling = Footprint(width * inversesqrt(max(abs(facing), 0.02)), vec2(0.0));
    w.waves = waves_of(w.world, out_of_it, Footprint(is_level ? level.across : falling.across, is_level ? level.along : vec2(0.0)));
    w.flat_normal = w.is_below ? -out_of_it : out_of_it;
    w.normal = wavy_normal(out_of_it, w.waves.slope) * (w.is_below ? -1.0 : 1.0);
    /* A wave that faces away would be hidden by the one before it. */
    float seen = dot(w.normal, w.to_eye);
    w.normal = normalize(w.normal + w.to_eye * max(0.04 - seen, 0.0));
    w.blocks = float(light & 15u) / 15.0;
    w.sky = float(light >> 4) / 15.0;
    w.sun = frame.sun_direction.w * sun_gate(w.sky) * cloud_shadow(w.world) *
            sun_shadow(w.world, vec3(0.0, 1.0, 0.0), vec2(pixel) + 0.5, sun_beyond(w.world, w.sky, vec2(pixel) + 0.5));
    return w;
}

/* Light of murky water, relative to the light that enters. */
vec3 absorbed_light(Water w)
{
    vec3 around = frame.ambient.w > 0.5 ? textureLod(irradiance_cube, vec3(0.0, 1.0, 0.0), 0.0).rgb : frame.ambient.rgb;
    vec3 sun = frame.sun_color.rgb * (max(frame.sun_direction.y, 0.0) * w.sun / PI);
    vec3 cells = cell_light(vec2(w.sky, w.blocks), vec3(0.0, 1.0, 0.0));
    return WATER_COLOR * (0.8 * around * sky_part(w.sky) + 0.6 * sun + cells);
}

/* ---- Refraction ---- */

vec3 on_screen(vec3 world)
{
    vec4 clip = frame.view_projection * vec4(world, 1.0);
    return vec3(clip.xy / clip.w * 0.5 + 0.5, clip.w);
}

struct Below {
    vec3 color;
    float depth, way; /* in blocks: below the surface; through the water */
    vec3 world;
};

/* The ground at a position of the image. */
Below look_below(Water w, vec2 uv, float depth)
{
    Below b;
    b.color = textureLod(scene_color, uv, 0.0).rgb;
    b.world = depth > 0.0 ? world_from_depth(uv, depth) : w.world - w.to_eye * 1000.0;
    b.depth = max(w.world.y - b.world.y, 0.0);
    float straight = distance(b.world, w.world);
    /* Refraction makes the view into water steeper. */
    b.way = abs(w.flat_normal.y) > 0.3 ? min(straight, 1.4 * b.depth + 0.02) : min(straight, SHEET);
    return b;
}

/* Waves distort it more the deeper it is. Objects in front of the water stay unchanged. */
Below refracted(Water w, ivec2 pixel)
{
    vec2 uv = (vec2(pixel) + 0.5) * frame.size.zw;
    Below b = look_below(w, uv, texelFetch(depth_below, pixel, 0).r);
    float straight = distance(b.world, w.world), way = min(w.is_below ? straight : b.way, 5.0);
    /* From below, light at a flat angle would be totally reflected: an approximation is
     * sufficient. */
    vec3 bent = w.is_below ? 0.3 * (w.flat_normal - w.normal)
                           : refract(-w.to_eye, w.normal, 1.0 / INDEX) - refract(-w.to_eye, w.flat_normal, 1.0 / INDEX);
    vec3 moved = on_screen(w.world - w.to_eye * min(straight, 12.0) + bent * way);
    vec2 shifted = clamp(moved.xy, frame.size.zw * 0.5, 1.0 - frame.size.zw * 0.5);
    float depth = textureLod(depth_below, shifted, 0.0).r;
    bool is_before = depth > texelFetch(depth_above, pixel, 0).r || moved.z <= 0.0;
    if (!is_before)
        b = look_below(w, shifted, depth);
    return b;
}

/* ---- Reflection ---- */

float edge_fade(vec2 uv)
{
    vec2 inside = min(uv, 1.0 - uv);
    return clamp(min(inside.x, inside.y) * 8.0, 0.0, 1.0);
}

/* Denser near the surface; beyond REACH, a few long steps find mountains. */
float step_at(float i)
{
    float part = min(i / float(STEPS), 1.0);
    return REACH * part * part * pow(FAR_GROWTH, max(i - float(STEPS), 0.0));
}

/* How far a point of the ray is behind the geometry on the screen, and the position of that
 * geometry; z: its distance. */
vec4 behind(vec4 start, vec4 way, float t)
{
    vec4 clip = start + way * t;
    vec3 place = clip.xyz / clip.w;
    vec2 uv = place.xy * 0.5 + 0.5;
    bool outside = clip.w <= 0.0 || any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)));
    float ray = view_distance(place.z), there = view_distance(textureLod(depth_below, uv, 0.0).r);
    return vec4(uv, outside ? -1.0 : ray, ray - there);
}

/* Screen-space reflection; alpha is its confidence. `calm` is the fraction of the sky that is
 * reflected sharply, 1 to 0: waves that are too small to be visible blur it. */
vec4 screen_space_reflection(vec3 from, vec3 direction, float offset, float calm)
{
    vec4 start = frame.view_projection * vec4(from, 1.0), way = frame.view_projection * vec4(direction, 0.0);
    float last = 0.0, found = -1.0;
    float last_ray = view_distance(start.z / start.w);
    for (int i = 0; i < (reflects > 0.5 ? STEPS + FAR_STEPS : 0); i++) {
        float t = step_at(float(i) + offset);
        vec4 p = behind(start, way, t);
        if (p.z < 0.0)
            break;
        if (p.w > 0.0 && p.w < max(THICKNESS, 1.5 * abs(p.z - last_ray))) {
            found = t;
            break;
        }
        last = t;
        last_ray = p.z;
    }
    float low = last, high = found;
    for (int i = 0; i < (found >= 0.0 ? 5 : 0); i++) {
        float middle = 0.5 * (low + high);
        bool is_hit = behind(start, way, middle).w > 0.0;
        low = is_hit ? low : middle;
        high = is_hit ? middle : high;
    }
    /* Nothing in the way: the sky, if it is in the image, has clouds. */
    vec4 far_end = vec4(way.xy / way.w * 0.5 + 0.5, way.w, 0.0);
    vec2 uv = found >= 0.0 ? behind(start, way, high).xy : far_end.xy;
    bool is_sky = textureLod(depth_below, uv, 0.0).r <= 0.0;
    bool is_sure = found >= 0.0 ? !is_sky : reflects > 0.5 && way.w > 0.0 && is_sky;
    float sharp = found >= 0.0 ? mix(MIN_SHARP, 1.0, calm) : calm;
    return is_sure ? vec4(min(textureLod(scene_color, uv, 0.0).rgb, MAX_SKY), edge_fade(uv) * sharp) : vec4(0.0);
}

/* Clouds of the sky outside of the screen: the cube map has an even veil of them, which is
 * removed. */
vec3 with_clouds(vec3 sky, vec3 from, vec3 direction, float far)
{
    float clear = pow(1.0 - min(clouds.w, 0.99), 0.6 / (0.25 + max(direction.y, 0.0)));
    float seen = has_clouds * smoothstep(0.03, 0.15, direction.y) * smoothstep(0.1, 0.3, clear), left = 1.0;
    /* Distant waves spread their reflection over much of the sky: clouds are as even there as near
     * the zenith, where there are gaps between them. */
    float spread = seen * smoothstep(60.0, 240.0, far), gaps = pow(1.0 - min(clouds.w, 0.99), 0.6);
    seen -= spread;
    vec2 sides = max(frame.clouds.yz - from.y, 0.0) / max(direction.y, 0.03);
    float way = (sides.y - sides.x) / float(CLOUD_STEPS);
    for (int i = 0; i < (seen > 0.0 ? CLOUD_STEPS : 0); i++) {
        vec3 world = from + direction * (sides.x + way * (float(i) + 0.5));
        left *= exp(-CLOUD_EXTINCTION * min(way, 40.0) * cloud_density(world, 1.0 + smoothstep(40.0, 120.0, way)));
    }
    vec3 open = max(sky - clouds.rgb * (1.0 - clear), 0.0) / max(clear, 0.1);
    return sky * (1.0 - seen - spread) + mix(clouds.rgb, open, left) * seen + mix(clouds.rgb, open, gaps) * spread;
}

vec3 mirrored(Water w, vec2 pixel, vec3 murk)
{
    vec3 direction = reflect(-w.to_eye, w.normal);
    direction.y += (w.is_below ? -1.0 : 1.0) * lost_rise(w.waves);
    if (abs(w.flat_normal.y) > 0.3)
        direction.y = w.is_below ? min(direction.y, -0.02) : max(direction.y, 0.02);
    direction = normalize(direction);
    vec3 sky = frame.ambient.w > 0.5 ? textureLod(prefiltered_cube, direction, 0.0).rgb : frame.ambient.rgb;
    /* From below, waves are near and large, and noise would be visible. */
    float calm = w.is_below ? 1.0 : 1.0 - smoothstep(0.0015, 0.005, w.waves.lost);
    vec4 screen = screen_space_reflection(w.world, direction, w.is_below ? 0.5 : shadow_noise(pixel), calm);
    for (int i = 0; i < (screen.a < 1.0 && !w.is_below ? 1 : 0); i++)
        sky = with_clouds(sky, w.world, direction, w.distance);
    vec3 rest = w.is_below ? murk : min(sky, MAX_SKY) * sky_part(w.sky);
    return mix(rest, screen.rgb, screen.a);
}

/* ---- Composition ---- */

float fresnel(float cosine)
{
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return 0.02 + 0.98 * x2 * x2 * x;
}

/* Lamps glitter as far as the light of their blocks reaches. */
vec3 lamp_glints(Water w, float roughness)
{
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < min(frame.counts.x, GLINTS); i++) {
        vec3 to_lamp = lights[i].position - w.world;
        float level = float(lights[i].flags >> LIGHT_LEVEL_SHIFT & 15u), reach = max(lights[i].range, level);
        float squared = dot(to_lamp, to_lamp), open = max(1.0 - squared / (reach * reach), 0.0);
        if (open <= 0.0)
            continue;
        float seen = level > 0.0 ? lamp_part(lamp_level(level, to_lamp, vec3(0.0, 1.0, 0.0)), w.blocks) : 1.0;
        vec3 glint = brdf(w.normal, w.to_eye, to_lamp * inversesqrt(max(squared, 1e-8)), vec3(0.0), 0.0, roughness);
        sum += glint * lights[i].color * (open * open * seen / (squared + FLAME));
    }
    return sum;
}

vec3 from_above(Water w, ivec2 pixel)
{
    Below below = refracted(w, pixel);
    vec3 murk = absorbed_light(w);
    float gathered = below.depth > 0.05 ? caustics(w.waves, min(below.depth, 3.0)) : 1.0;
    vec3 floor_light = below.color * mix(1.0, gathered, 0.45 * w.sun);
    vec3 left = exp(-MURK * (below.way + 0.35 * min(below.depth, 8.0)));
    vec3 light = floor_light * left + murk * (1.0 - left);

    float part = min(fresnel(dot(w.normal, w.to_eye)), MAX_MIRRORED) * smoothstep(0.0, 0.2, below.way);
    light = mix(light, mirrored(w, vec2(pixel) + 0.5, murk), part);
    float roughness = sqrt(sqrt(0.0004 + 2.0 * w.waves.lost));
    vec3 glint = brdf(w.normal, w.to_eye, frame.sun_direction.xyz, vec3(0.0), 0.0, roughness);
    vec3 lamps = lamp_glints(w, max(roughness, LAMP_ROUGHNESS));
    return light + min(glint * frame.sun_color.rgb * w.sun + lamps, vec3(MAX_SKY * 2.0));
}

/* Beyond an angle of 49 degrees there is total internal reflection: a round window, surrounded by
 * reflections of the water. */
vec3 from_below(Water w, ivec2 pixel)
{
    float cosine = dot(w.normal, w.to_eye), sine2 = INDEX * INDEX * (1.0 - cosine * cosine);
    float part = sine2 < 1.0 ? fresnel(sqrt(1.0 - sine2)) : 1.0;
    vec3 through = refracted(w, pixel).color;
    return mix(through, mirrored(w, vec2(pixel) + 0.5, absorbed_light(w)), part);
}

/* A loop without iterations where there is no water: see sun_shadow. */
vec4 full_screen(ivec2 pixel)
{
    vec3 light = texelFetch(scene_color, pixel, 0).rgb;
    vec4 face = texelFetch(surfaces, pixel, 0);
    for (int i = 0; i < (face.w > 0.0 ? 1 : 0); i++) {
        Water w = read_water(pixel, face);
        light = w.is_below ? from_below(w, pixel) : from_above(w, pixel);
    }
    return vec4(bounded_light(light), 1.0);
}
