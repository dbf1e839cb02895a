/*
 * What is replicated of the components of shared entities, and how exactly. A layout is made from
 * the descriptions of the components, on the server and on each client.
 *
 *     CN_COMPONENT(WalkerPose, (vec3, place), (f32, heading), (u8, gait));
 *
 *     CnNetLayout *make_layout(CnWorld *world, CnError *error)
 *     {
 *         static const CnNetField fields[] = {
 *             {.name = "place", .encoding = CN_NET_POSITION},
 *             {.name = "heading", .encoding = CN_NET_DEGREES, .bits = 12},
 *             {.name = "gait"},
 *         };
 *         static const CnNetComponent components[] = {
 *             {.type = &cn_type_WalkerPose, .fields = fields, .field_count = 3},
 *         };
 *         return cn_net_layout_create(world, &(CnNetLayoutDesc){components, 1, NULL}, error);
 *     }
 *
 * Each value becomes one or more whole numbers of a fixed width. They are compared and sent; a
 * client has exactly the numbers of the server, from which it computes the values. Numbers that a
 * client receives are always within their width, so that a byte field or an angle cannot exceed its
 * range; floats that are not finite become 0.
 *
 * Both sides must have equal layouts: compare their hashes before the first snapshot.
 */
#ifndef CAIRN_NET_LAYOUT_H
#define CAIRN_NET_LAYOUT_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

#define CN_NET_MAX_COMPONENTS 31u   /* of a layout, without CnNetShared */
#define CN_NET_MAX_WORDS 2048u      /* numbers of one entity with all components */
#define CN_NET_POSITION_STEP 0x1p-8 /* meters; the default */
#define CN_NET_ANGLE_BITS 16u       /* the defaults */
#define CN_NET_ROTATION_BITS 12u
#define CN_NET_SNAP 16.0f

/* Marks an entity as shared with clients. `kind` is up to the program, such as player or item;
 * `owner` is the number of the player whom it belongs to, 0 for nobody. Clients receive both. */
CN_COMPONENT(CnNetShared, (u32, kind), (u32, owner));

typedef enum CnNetEncoding {
    /* Exact, according to the type. Quaternions are rotations, entities are network ids. */
    CN_NET_EXACT,
    /* Numbers and vectors: multiples of `step`, at most 2^31 of them in each direction. */
    CN_NET_STEPS,
    /* The same, for the position of the entity: it determines the distance to viewers and is
     * interpolated. At most one field of a layout, a vec3 or f32[3] or f64[3]. */
    CN_NET_POSITION,
    /* Angles, interpolated: a full turn has 2^bits steps. Clients get values between minus and plus
     * half a turn. */
    CN_NET_DEGREES,
    CN_NET_RADIANS,
    /* Unit quaternions, interpolated: the three smallest numbers with `bits` each. */
    CN_NET_ROTATION,
    CN_NET_ENCODING_COUNT
} CnNetEncoding;

typedef struct CnNetField {
    const char *name; /* of the field; fields of nested structs have dotted names */
    CnNetEncoding encoding;
    double step;      /* 0: CN_NET_POSITION_STEP */
    uint32_t bits;    /* 4 to 16; 0: CN_NET_ANGLE_BITS or CN_NET_ROTATION_BITS */
    bool interpolate; /* floats that are exact or multiples: between two states */
    float snap;       /* a larger change in one snapshot is not interpolated; 0: CN_NET_SNAP */
} CnNetField;

enum {
    /* Sent only to the client whose number is the owner of the entity. */
    CN_NET_OWNER_ONLY = 1 << 0,
    /* The client that owns the entity computes the values itself: it gets them when the entity is
     * spawned, later only with cn_net_replica_value. */
    CN_NET_PREDICTED = 1 << 1,
};

typedef struct CnNetComponent {
    const CnType *type;       /* must live as long as the layout */
    const CnNetField *fields; /* NULL: all fields, exact */
    uint32_t field_count;
    uint32_t flags; /* CN_NET_OWNER_ONLY, CN_NET_PREDICTED */
} CnNetComponent;

typedef struct CnNetLayoutDesc {
    const CnNetComponent *components; /* without CnNetShared, which every layout contains */
    uint32_t component_count;
    CnAllocator *allocator; /* NULL: the system allocator */
} CnNetLayoutDesc;

typedef struct CnNetLayout CnNetLayout;

/* Creates a layout and registers the components in the world, whose defaults it reads. Returns NULL
 * and an error for fields that do not exist or cannot have their encoding, and for opaque
 * components. Several replications and replicas may share a layout, on any threads. */
CN_API CnNetLayout *cn_net_layout_create(CnWorld *world, const CnNetLayoutDesc *desc,
                                         CnError *error);
CN_API void cn_net_layout_destroy(CnNetLayout *layout); /* NULL is ignored */
/* Returns a hash of everything that both sides must agree about: names, types, encodings, flags and
 * defaults. */
CN_API uint64_t cn_net_layout_hash(const CnNetLayout *layout);
/* Returns how many bytes one entity with all components can need in a snapshot at most. */
CN_API size_t cn_net_layout_max_bytes(const CnNetLayout *layout);

CN_EXTERN_C_END

#endif
