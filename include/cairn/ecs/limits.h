/* All limits of the ECS. Reaching a limit is reported and counted; it never crashes the program. */
#ifndef CAIRN_ECS_LIMITS_H
#define CAIRN_ECS_LIMITS_H

#define CN_MAX_COMPONENTS 65536u /* registered components, tags and pairs of one world */
#define CN_MAX_COMPONENT_BYTES 65536u
#define CN_MAX_ROW_BYTES (4u << 20) /* of all components of one entity */
#define CN_MAX_NAME_BYTES 64u       /* of a component, field or system, with its terminator */
#define CN_MAX_FIELDS 240u          /* of one component, with those of nested structs */
#define CN_MAX_TERMS 16u            /* in each list of a query */
#define CN_MAX_VALUES 32u           /* components given to one spawn or change */
#define CN_MAX_ORDER 16u            /* before and after names of one system */
#define CN_CHUNK_BYTES 32768u       /* of a full chunk, unless 64 rows need more */
#define CN_CHUNK_MIN_ROWS 64u /* capacities are multiples of this, which keeps columns aligned */
#define CN_CHUNK_MAX_ROWS 4096u
#define CN_EXTENT_BYTES (1u << 20)   /* of the longest run of chunks that share their memory */
#define CN_MAX_CHUNKS (1u << 20)     /* of one world: 32 GiB of rows */
#define CN_MAX_ENTITIES 0xfffff000u  /* slots of one world */
#define CN_COMMAND_SLOT_BYTES 256u   /* larger values are stored outside of the buffer */
#define CN_DEFAULT_MAX_EVENTS 65536u /* per channel and update, unless set */

#endif
