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

struct Waves {
    vec2 slope;
    vec3 bend;  /* of the surface: along x twice, along x and z, along z twice */
    float lost; /* variance of slopes that are smaller than `footprint`, blocks that a pixel covers */
};

Waves waves_at(vec2 place, float time, float footprint, float strength)
{
    float gust = 0.8 + 0.35 * sin(dot(place, vec2(3.0, 5.0)) * WAVE_TURN + 0.13 * time) *
                           sin(dot(place, vec2(-7.0, 4.0)) * WAVE_TURN - 0.09 * time);
    strength *= gust;
    Waves w = Waves(vec2(0.0), vec3(0.0), WAVE_SQUARES * strength * strength);
    vec2 drift = vec2(0.0);
    [[dont_unroll]] for (int i = 0; i < WAVE_COUNT; i++) {
        vec2 k = WAVES[i].xy * WAVE_TURN;
        float number = length(k), most = WAVES[i].z * strength;
        float seen = smoothstep(1.5, 5.0, 6.2831853 / (number * footprint));
        if (seen == 0.0) /* as little as those after it */
            break;
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

/* Light that the surface gathers on a floor so far below it: 1 on average. */
float caustics(Waves w, float depth)
{
    vec3 bent = w.bend * (0.25 * depth);
    float area = (1.0 + bent.x) * (1.0 + bent.z) - bent.y * bent.y;
    return min(1.0 / max(abs(area), 0.2), 3.0);
}

#endif
