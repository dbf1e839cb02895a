/*
 * Waves of water: a sum of sines with narrow crests, each bent by those before it, so that no pattern is seen. All of
 * them repeat after WAVE_BLOCKS: places may be taken modulo that.
 */
#ifndef RENDER_WATER_WAVES_GLSL
#define RENDER_WATER_WAVES_GLSL

#extension GL_EXT_control_flow_attributes : require

const float WAVE_BLOCKS = 256.0;
const float WAVE_TURN = 6.2831853 / WAVE_BLOCKS;
const int WAVE_COUNT = 8;
const float WAVE_PACE = 0.5; /* of what gravity asks for: these are no oceans */
const float WAVE_DRAG = 0.35;

/* Waves in WAVE_BLOCKS along x and z; the greatest slope. Longest first. */
const vec3 WAVES[WAVE_COUNT] =
    vec3[](vec3(15.0, 8.0, 0.055), vec3(25.0, -7.0, 0.060), vec3(17.0, 35.0, 0.065), vec3(33.0, -46.0, 0.075),
           vec3(81.0, 12.0, 0.080), vec3(-30.0, 114.0, 0.085), vec3(120.0, -113.0, 0.085), vec3(150.0, 181.0, 0.080));
const float WAVE_VARIANCE = 0.2;     /* of the slope of one, of its greatest slope squared */
const float WAVE_SQUARES = 0.043725; /* of the greatest slopes, of all */

const float GUST_NUMBER = 8.06 * WAVE_TURN; /* of the shorter one of its waves */

struct Waves {
    vec2 slope;
    vec3 bend;  /* of the surface: along x twice, along x and z, along z twice */
    float lost; /* variance of slopes of waves that are too short for the pixels */
};

/* What a pixel covers of a surface, in blocks. At flat angles it is much longer than wide, and waves across it are lost
 * long before those along it. */
struct Footprint {
    float across;
    vec2 along; /* a vector: away from the eye */
};

/* Of a level surface; `to_eye` is of length 1. Half of the length: near waves stay sharp, and TAA evens out the rest. */
Footprint level_footprint(vec3 to_eye, float width)
{
    return Footprint(width, to_eye.xz * (0.5 * width / (max(abs(to_eye.y), 0.005) * max(length(to_eye.xz), 1e-3))));
}

/* Stronger and weaker by places; its waves are bent, so that no grid of them shows. Where a pixel covers a good part of
 * one, it is everywhere the same: far water would show how it repeats. */
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
        if (number * footprint.across > 6.2831853 / 1.5) /* neither this one nor those after it */
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

/* Waves that are too short to be seen mirror what stands higher: those that face the eye show more of themselves, and
 * what is mirrored turns twice as far as they do. */
float lost_rise(Waves w)
{
    return 2.5 * sqrt(w.lost);
}

/* Light that the surface gathers on a floor so far below it: 1 on average. */
float caustics(Waves w, float depth)
{
    vec3 bent = w.bend * (0.25 * depth);
    float area = (1.0 + bent.x) * (1.0 + bent.z) - bent.y * bent.y;
    return min(1.0 / max(abs(area), 0.2), 3.0);
}

#endif
