/*
 * Waves of water: a sum of sines with narrow crests, each distorted by the previous ones to hide
 * the pattern. All of them repeat after WAVE_BLOCKS, so positions may be taken modulo that.
 */
#ifndef RENDER_FEATURE_WATER_WAVES_GLSL
#define RENDER_FEATURE_WATER_WAVES_GLSL

#extension GL_EXT_control_flow_attributes : require

const float WAVE_BLOCKS = 256.0;
const float WAVE_TURN = 6.2831853 / WAVE_BLOCKS;
const int WAVE_COUNT = 8;
const float WAVE_PACE = 0.5; /* relative to gravity waves: these are not oceans */
const float WAVE_DRAG = 0.35;

/* Waves per WAVE_BLOCKS along x and z; the maximum slope. Longest first. */
const vec3 WAVES[WAVE_COUNT] =
    vec3[](vec3(15.0, 8.0, 0.055), vec3(25.0, -7.0, 0.060), vec3(17.0, 35.0, 0.065), vec3(33.0, -46.0, 0.075),
           vec3(81.0, 12.0, 0.080), vec3(-30.0, 114.0, 0.085), vec3(120.0, -113.0, 0.085), vec3(150.0, 181.0, 0.080));
/* of the slope of one wave, relative to its maximum slope squared */
const float WAVE_VARIANCE = 0.2;
const float WAVE_SQUARES = 0.043725; /* sum of the squared maximum slopes */

const float GUST_NUMBER = 8.06 * WAVE_TURN; /* of its shorter wave */

struct Waves {
    vec2 slope;
    vec3 bend;  /* second derivatives of the surface: xx, xz, zz */
    float lost; /* slope variance of waves that are too short for the pixels */
};

/* The footprint of a pixel on a surface, in blocks. At flat angles it is much longer than wide, and
 * waves across it are lost long before those along it. */
struct Footprint {
    float across;
    vec2 along; /* a vector away from the camera */
};

/* Of a level surface; `to_eye` is normalized. Half of the length: near waves stay sharp, and TAA
 * smooths the rest. */
Footprint level_footprint(vec3 to_eye, float width)
{
    return Footprint(width, to_eye.xz * (0.5 * width / (max(abs(to_eye.y), 0.005) * max(length(to_eye.xz), 1e-3))));
}

/* Gusts vary by position; their waves are distorted, so that no grid is visible. Where a pixel
 * covers a good part of one, the gust is constant: distant water would show the repetition. */
float gust_at(vec2 place, float time, Footprint footprint)
{
    vec2 turn = place * WAVE_TURN;
    float seen = smoothstep(6.0, 30.0, 6.2831853 / (GUST_NUMBER * max(footprint.across, length(footprint.along))));
    float first = sin(dot(turn, vec2(3.0, 5.0)) + 0.13 * time + 2.0 * sin(dot(turn, vec2(2.0, -3.0))));
    float second = sin(dot(turn, vec2(-7.0, 4.0)) - 0.09 * time + 2.0 * sin(dot(turn, vec2(1.0, 2.0))));
    return 0.8 + 0.35 * seen * first * second;
}

Waves waves_at(vec2 place, float time, Footprint footprint, float strength)
{
    strength *= gust_at(place, time, footprint);
    Waves w = Waves(vec2(0.0), vec3(0.0), WAVE_SQUARES * strength * strength);
    vec2 drift = vec2(0.0);
    [[dont_unroll]] for (int i = 0; i < WAVE_COUNT; i++) {
        vec2 k = WAVES[i].xy * WAVE_TURN;
        float number = length(k), most = WAVES[i].z * strength;
        /* neither this one nor the following ones */
        if (number * footprint.across > 6.2831853 / 1.5)
            break;
        float seen = smoothstep(1.5, 5.0, 6.2831853 / length(vec2(number * footprint.across, dot(k, footprint.along))));
        float phase = dot(k, place + drift) - sqrt(9.81 * number) * WAVE_PACE * time + 1.7 * float(i);
        float crest = exp(sin(phase) - 1.0), rise = cos(phase) * crest;
        vec2 way = k / number;
        w.slope += way * (most * seen * rise);
        float bend = most * seen * number * (cos(phase) * rise - sin(phase) * crest);
        w.bend += bend * vec3(way.x * way.x, way.x * way.y, way.y * way.y);
        w.lost -= seen * seen * most * most;
        drift -= way * (rise * WAVE_DRAG / number);
    }
    w.lost = max(w.lost, 0.0) * WAVE_VARIANCE;
    return w;
}

/* Waves that are too short to be visible reflect what is higher up: those that face the camera are
 * more visible, and reflections turn twice as far as the waves. */
float lost_rise(Waves w)
{
    return 2.5 * sqrt(w.lost);
}

/* Light that the surface focuses on the ground at this depth: 1 on average. */
float caustics(Waves w, float depth)
{
    vec3 bent = w.bend * (0.25 * depth);
    float area = (1.0 + bent.x) * (1.0 + bent.z) - bent.y * bent.y;
    return min(1.0 / max(abs(area), 0.2), 3.0);
}

#endif
