/* Joints as components: defaults, checks, reflection, and hooks. */
#include "physics/joint_internal.h"

#include <cairn/base/math.h>
#include <cairn/scene/reflection.h>

CnJoint cn_joint(CnJointKind kind)
{
    CN_ASSERT((uint32_t)kind <= CN_JOINT_SPRING, "there is no joint kind %d", (int)kind);
    if ((uint32_t)kind > CN_JOINT_SPRING)
        kind = CN_JOINT_BALL;
    return (CnJoint){.kind = (uint8_t)kind, .axis = {0, 1, 0}, .stiffness = 100, .damping = 10};
}

/* NaN fails every comparison. */
static bool is_within(float value, float low, float high)
{
    return value >= low && value <= high;
}

static bool vector_is_within(CnVec3 v, float most)
{
    return is_within(v.x, -most, most) && is_within(v.y, -most, most) &&
           is_within(v.z, -most, most);
}

static bool limits_are_valid(const CnJoint *joint)
{
    float most = joint->kind == CN_JOINT_HINGE ? 180 : CNI_PHYSICS_MAX_SIZE;
    return !joint->limited || (is_within(joint->low, -most, most) &&
                               is_within(joint->high, -most, most) && joint->low <= joint->high);
}

bool cn_joint_check(const CnJoint *joint, CnError *error)
{
    CN_ASSERT(joint, "%s: joint is NULL", __func__);
    CnVec3 axis = joint->axis;
    const char *wrong = NULL;
    if (joint->kind > CN_JOINT_SPRING)
        wrong = "it has no valid kind";
    else if (!vector_is_within(joint->anchor, CNI_PHYSICS_MAX_SIZE) ||
             !vector_is_within(joint->other_anchor, (float)CNI_PHYSICS_MAX_POSITION))
        wrong = "an anchor is not finite or too far away";
    else if (!vector_is_within(axis, 1e6f) || !(cn_vec3_length(axis) >= 1e-6f))
        wrong = "the axis must have a length";
    else if (!limits_are_valid(joint))
        wrong = "the lower limit must not exceed the upper one; hinges turn by -180 to 180 degrees";
    else if (!is_within(joint->motor_force, 0, CN_JOINT_MAX_FORCE) ||
             !is_within(joint->motor_speed, -1e5f, 1e5f))
        wrong = "the motor needs a force from 0 and a finite speed";
    else if (!is_within(joint->length, 0, CNI_PHYSICS_MAX_SIZE) ||
             !is_within(joint->stiffness, 0, CN_JOINT_MAX_FORCE) ||
             !is_within(joint->damping, 0, CN_JOINT_MAX_FORCE))
        wrong = "length, stiffness and damping of a spring must be 0 or greater";
    else if (joint->kind == CN_JOINT_SPRING && joint->stiffness + joint->damping <= 0)
        wrong = "a spring needs a stiffness or a damping";
    else if (!is_within(joint->break_force, 0, CN_JOINT_MAX_FORCE))
        wrong = "the force at which a joint breaks must be 0 or greater";
    return !wrong || cn_error_set(error, CN_ERROR_FORMAT, "%s", wrong);
}

/* ---- Reflection ---- */

static const char *const kinds[] = {"Ball", "Hinge", "Slider", "Fixed", "Spring", NULL};

#define OF_HINGE_AND_SLIDER                                                                        \
    .of_choice = "jointType", .of_value = CN_JOINT_HINGE, .or_value = CN_JOINT_SLIDER
#define OF_SPRING .of_choice = "jointType", .of_value = CN_JOINT_SPRING

static const CnReflectedField fields[] = {
    {.key = "jointType",
     .field = "kind",
     .kind = CN_REFLECTED_CHOICE,
     .choices = kinds,
     .about = "Ball: the anchors stay together; Hinge: turns about the axis; Slider: moves along "
              "the axis; Fixed; Spring: between the anchors"},
    {.key = "other", .field = "other", .about = "the object of the second body; null: the world"},
    {.key = "anchor",
     .field = "anchor",
     .unit = "m",
     .about = "in the space of the joint's object"},
    {.key = "axis", .field = "axis", .about = "in the space of the joint's object"},
    {.key = "otherAnchor",
     .field = "other_anchor",
     OF_SPRING,
     .unit = "m",
     .about = "in the space of `other`, or the world"},
    {.key = "limited", .field = "limited", OF_HINGE_AND_SLIDER, .about = "whether it has limits"},
    {.key = "low",
     .field = "low",
     OF_HINGE_AND_SLIDER,
     .minimum = -(double)CNI_PHYSICS_MAX_SIZE,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .about = "lower limit: degrees or meters from the pose in which the joint was created"},
    {.key = "high",
     .field = "high",
     OF_HINGE_AND_SLIDER,
     .minimum = -(double)CNI_PHYSICS_MAX_SIZE,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .about = "upper limit"},
    {.key = "motorSpeed",
     .field = "motor_speed",
     OF_HINGE_AND_SLIDER,
     .minimum = -1e5,
     .maximum = 1e5,
     .about = "degrees or meters per second"},
    {.key = "motorForce",
     .field = "motor_force",
     OF_HINGE_AND_SLIDER,
     .maximum = (double)CN_JOINT_MAX_FORCE,
     .about = "the most that the motor applies, newton meters or newtons; 0: no motor"},
    {.key = "length",
     .field = "length",
     OF_SPRING,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .unit = "m",
     .about = "at rest; 0: the distance at which the joint was created"},
    {.key = "stiffness",
     .field = "stiffness",
     OF_SPRING,
     .maximum = (double)CN_JOINT_MAX_FORCE,
     .unit = "N/m",
     .about = "force for each meter beside the length"},
    {.key = "damping",
     .field = "damping",
     OF_SPRING,
     .maximum = (double)CN_JOINT_MAX_FORCE,
     .unit = "Ns/m",
     .about = "force against the velocity"},
    {.key = "collide", .field = "collide", .about = "whether the two bodies collide"},
    {.key = "breakForce",
     .field = "break_force",
     .maximum = (double)CN_JOINT_MAX_FORCE,
     .unit = "N",
     .about = "a joint that holds more breaks; 0: never"},
    {.key = "broken", .field = "broken", .about = "whether it has broken, and has no effect"},
};

static bool check(const void *value, CnError *error)
{
    return cn_joint_check(value, error);
}

static const CnReflectedType reflected = {
    .name = "JointComponent",
    .type = &cn_type_CnJoint,
    .fields = fields,
    .field_count = CN_COUNT_OF(fields),
    .check = check,
    .about = "joins the body of the object, or the one above it, to another body or the world",
};

/* ---- Components ---- */

static void give_state(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    cn_add(world, entity, CnJointState);
}

/* A body that a joint held begins to move. */
static void take_state(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    const CnJointState *state = cn_get(world, entity, CnJointState);
    if (state && state->rest_hash) {
        CnEntity a = state->a, b = state->b;
        cn_body_wake(world, a);
        cn_body_wake(world, b);
    }
    cn_remove(world, entity, CnJointState);
}

bool cni_physics_joints_add(CnWorld *world, CnError *error)
{
    CnJoint joint = cn_joint(CN_JOINT_BALL);
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnJointState},
        {.type = &cn_type_CnJoint,
         .default_value = &joint,
         .hooks = {.on_add = {.call = give_state}, .on_remove = {.call = take_state}}}};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return cn_reflection_add(world, &reflected, error) &&
           cn_reflection_hide(world, &cn_type_CnJointState, error);
}
