---@meta
-- What Cairn gives to scripts. Made by cn_script_annotations: do not edit.

-- Objects and scenes

---An object by its path from a root: getObject("Car/Wheel"); nil when there is none.
---@param path string
---@return Object?
function getObject(path) end

---Switches to another scene when this tick is over.
---@param name string
function gotoScene(name) end

---An object from a prefab file; there when the scripts of this stage have run.
---@param path string
---@param parent? Object
---@return Object
function loadPrefab(path, parent) end

---A new object: name, parent, position and so on, and components by name; there when the scripts of this stage have run.
---@param values table
---@return Object
function spawn(values) end

---The same as object:destroy().
---@param object Object
function destroyObject(object) end

---The same as object:getComponent(name).
---@overload fun(object: Object, name: "LampComponent"): LampComponent?
---@overload fun(object: Object, name: "SceneEvery"): SceneEvery?
---@overload fun(object: Object, name: "ScriptAlarm"): ScriptAlarm?
---@param object Object
---@param name string
---@return Component?
function getComponent(object, name) end

-- Queries

---What has all these components: query("A", "B", {none = {"C"}, any = {"D", "E"}}).
---@param ... string|table
---@return Query
function query(...) end

-- Events

---Sends an event: a type of the world with its fields, or any other name with any plain values. It is delivered in the same tick, when all scripts have run.
---@param name string
---@param fields? table
function send(name, fields) end

---Calls the function with each event of this name. Do it in the body of the script, so that it is done again when the script is read again.
---@param name string
---@param handler fun(event: table)
---@return number
function subscribe(name, handler) end

---Ends what subscribe began.
---@param subscription number
function unsubscribe(subscription) end

-- Timers

---Calls the function once, so many seconds of the simulation later, but not in this tick.
---@param seconds number
---@param callback fun()
---@return number
function after(seconds, callback) end

---Calls the function again and again.
---@param seconds number
---@param callback fun()
---@return number
function every(seconds, callback) end

---Ends what after or every began.
---@param timer number
function cancel(timer) end

-- Physics

---The nearest body along a ray, or nil.
---@param ray RayQuery
---@return RayHit?
function raycast(ray) end

---All bodies along a ray, by distance.
---@param ray RayQuery
---@return RayHit[]
function raycastAll(ray) end

---The bodies that touch a shape.
---@param shape ShapeQuery
---@return Object[]
function overlap(shape) end

---Where a shape first touches something when it moves along `motion`, or nil.
---@param shape SweepQuery
---@return RayHit?
function sweep(shape) end

-- Basics

---A line in the log.
---@param ... any
function print(...) end

---Walks over a table in order: numbers, then strings by bytes, then booleans, then objects. Other keys have no order and are an error.
---@param table table
---@return function
function pairs(table) end

---The first key, or the one after `key`, in the order of pairs. Slow: use pairs to walk.
---@param table table
---@param key? any
---@return any
---@return any
function next(table, key) end

---From 0 up to 1; a whole number from 1 to low; or from low to high. Saved with the world.
---@param low? number
---@param high? number
---@return number
function random(low, high) end

-- Vectors and rotations

---A Vec2; without arguments, zero.
---@param x number
---@param y number
---@return Vec2
function Vec2(x, y) end

---A Vec3; without arguments, zero.
---@param x number
---@param y number
---@param z number
---@return Vec3
function Vec3(x, y, z) end

---A Vec4; without arguments, zero.
---@param x number
---@param y number
---@param z number
---@param w number
---@return Vec4
function Vec4(x, y, z, w) end

---A rotation by its parts; without arguments, none.
---@param x number
---@param y number
---@param z number
---@param w number
---@return Quat
function Quat(x, y, z, w) end

---By angles: first z (roll), then x (pitch), then y (yaw).
---@param degrees Vec3
---@return Quat
function quatFromEuler(degrees) end

---About an axis.
---@param axis Vec3
---@param degrees number
---@return Quat
function quatFromAxis(axis, degrees) end

---So that -z points forward and y as near to `up` as can be.
---@param forward Vec3
---@param up? Vec3
---@return Quat
function quatLook(forward, up) end

---Lua's functions, with the same bits on every machine; the others are as usual.

---Of radians.
---@param x number
---@return number
function math.sin(x) end

---Of radians.
---@param x number
---@return number
function math.cos(x) end

---Of radians.
---@param x number
---@return number
function math.tan(x) end

---In radians.
---@param x number
---@return number
function math.asin(x) end

---In radians.
---@param x number
---@return number
function math.acos(x) end

---In radians.
---@param x number
---@return number
function math.atan(x) end

---The direction of the point (x, y), in radians.
---@param y number
---@param x number
---@return number
function math.atan2(y, x) end

---Hyperbolic sine.
---@param x number
---@return number
function math.sinh(x) end

---Hyperbolic cosine.
---@param x number
---@return number
function math.cosh(x) end

---Hyperbolic tangent.
---@param x number
---@return number
function math.tanh(x) end

---e to the power of x.
---@param x number
---@return number
function math.exp(x) end

---Natural, or to a base.
---@param x number
---@param base? number
---@return number
function math.log(x, base) end

---To the base 10.
---@param x number
---@return number
function math.log10(x) end

---x to the power of y, with the same bits everywhere; the operator ^ does not promise that.
---@param x number
---@param y number
---@return number
function math.pow(x, y) end

---The square root.
---@param x number
---@return number
function math.sqrt(x) end

---What is left of x, with its sign.
---@param x number
---@param y number
---@return number
function math.fmod(x, y) end

---The same as random(...).
---@param low? number
---@param high? number
---@return number
function math.random(low, high) end

---An error: the seed belongs to the simulation.
---@param seed number
function math.randomseed(seed) end

---Lines in the game's log, with script and line.
---@class log
---@operator call(any): nil
log = {}

---For the one who writes the script.
---@param ... any
function log.debug(...) end

---The same as log(...) and print(...).
---@param ... any
function log.info(...) end

---Something is not as it should be.
---@param ... any
function log.warning(...) end

---Something is wrong; the script goes on.
---@param ... any
function log.error(...) end

---Keys, mouse and gamepads in this tick.
---@class input
---@field text string What was typed in this tick.
input = {}

---Whether a key or button is held: "W", "Space", "MouseLeft", "GamepadA".
---@param name string
---@param gamepad? number
---@return boolean
function input.key(name, gamepad) end

---Whether it went down in this tick.
---@param name string
---@param gamepad? number
---@return boolean
function input.pressed(name, gamepad) end

---Whether it came up in this tick.
---@param name string
---@param gamepad? number
---@return boolean
function input.released(name, gamepad) end

---An axis of a gamepad from -1 to 1: "LeftX", "RightY", "LeftTrigger".
---@param name string
---@param gamepad? number
---@return number
function input.axis(name, gamepad) end

---Whether this gamepad is connected; 1 is the first.
---@param gamepad? number
---@return boolean
function input.gamepad(gamepad) end

---x and y in the window, and how far it moved in this tick.
---@return number
---@return number
---@return number
---@return number
function input.mouse() end

---How far the wheel was turned in this tick, sideways and up.
---@return number
---@return number
function input.wheel() end

---The time of the simulation.
---@class time
---@field tick number Which tick this is, from 0.
---@field elapsed number Seconds of all ticks before this one.
---@field dt number Seconds of one tick.
time = {}

---The world of bodies.
---@class physics
---@field gravity Vec3 How bodies fall, in units per second squared; changing it wakes them.
physics = {}

---Something in the scene; `this` is one.
---@class Object
---@field name string Its name; siblings may share one.
---@field path string From a root: "Car/Wheel".
---@field uid number A number that stays the same in files.
---@field enabled boolean Whether it is switched on by itself.
---@field active boolean Whether it and everything above it is enabled.
---@field alive boolean False when it was destroyed; all other properties are errors then.
---@field state table? What its script keeps when its file is read again.
---@field position Vec3 In its parent. A copy.
---@field rotation Quat In its parent. A copy.
---@field eulerAngles Vec3 The rotation in degrees: first z, then x, then y.
---@field scale Vec3 In its parent. A copy.
---@field worldPosition Vec3 In the world.
---@field worldRotation Quat In the world.
---@field worldEulerAngles Vec3 In the world, in degrees.
---@field worldScale Vec3 In the world.
---@field forward Vec3 Where its -z points in the world.
---@field right Vec3 Where its x points in the world.
---@field up Vec3 Where its y points in the world.
---@field parent Object? What it hangs on. Another one counts when the scripts of this stage have run.
---@field children Object[] In order; a new table.
---@field velocity Vec3 Of a dynamic body, in units a second; zero without one.
---@field spin Vec3 Of a dynamic body, in radians a second about each axis.
---@field asleep boolean Whether its body rests and is left out until something touches it.
---`__eq`: They are the same object.
---`__tostring`: For people.
local Object = {}

---Pushes its dynamic body in the next step of physics, at a point of the world or its centre.
---@param force Vec3
---@param point? Vec3
function Object:addForce(force, point) end

---Turns its dynamic body in the next step of physics.
---@param torque Vec3
function Object:addTorque(torque) end

---Changes the velocity of its dynamic body by impulse over mass, in the next step of physics.
---@param impulse Vec3
---@param point? Vec3
function Object:addImpulse(impulse, point) end

---Wakes its dynamic body.
function Object:wake() end

---Like writing `parent`; with keepWorld it stays where it is in the world.
---@param parent Object?
---@param keepWorld? boolean
function Object:setParent(parent, keepWorld) end

---Something below it, by path.
---@param path string
---@return Object?
function Object:getChild(path) end

---Destroys it with all below it, when the scripts of this stage have run.
function Object:destroy() end

---A copy with all below it, beside it or below another parent; there when the scripts of this stage have run.
---@param parent? Object
---@return Object
function Object:clone(parent) end

---A component by the name it has in scene files.
---@overload fun(self: Object, name: "LampComponent"): LampComponent?
---@overload fun(self: Object, name: "SceneEvery"): SceneEvery?
---@overload fun(self: Object, name: "ScriptAlarm"): ScriptAlarm?
---@param name string
---@return Component?
function Object:getComponent(name) end

---Whether it has one.
---@param name string
---@return boolean
function Object:hasComponent(name) end

---Adds one, or sets all its fields; there when the scripts of this stage have run.
---@param name string
---@param values? table
function Object:addComponent(name, values) end

---Takes it away, when the scripts of this stage have run.
---@param name string
function Object:removeComponent(name) end

---The names of all its components, in order; or all components of one name on it and below it, depth first.
---@param name? string
---@return string[]|Component[]
function Object:getComponents(name) end

---Two numbers, with 24 bits each.
---@class Vec2
---@field x number To the right.
---@field y number Up.
---@operator add(Vec2): Vec2
---@operator sub(Vec2): Vec2
---@operator mul(Vec2|number): Vec2
---@operator div(Vec2|number): Vec2
---@operator unm: Vec2
---`__eq`: All parts are equal.
---`__tostring`: As it would be written.
local Vec2 = {}

---The dot product.
---@param other Vec2
---@return number
function Vec2:dot(other) end

---How long it is.
---@return number
function Vec2:length() end

---How far it is to the other point.
---@param other Vec2
---@return number
function Vec2:distance(other) end

---The same direction with length 1; zero stays zero.
---@return Vec2
function Vec2:normalized() end

---From this (t = 0) to the other (t = 1), in a straight line.
---@param other Vec2
---@param t number
---@return Vec2
function Vec2:lerp(other, t) end

---Three numbers, with 24 bits each. What properties give is a copy.
---@class Vec3
---@field x number To the right.
---@field y number Up.
---@field z number Backwards: forward is -z.
---@operator add(Vec3): Vec3
---@operator sub(Vec3): Vec3
---@operator mul(Vec3|number): Vec3
---@operator div(Vec3|number): Vec3
---@operator unm: Vec3
---`__eq`: All parts are equal.
---`__tostring`: As it would be written.
local Vec3 = {}

---The dot product.
---@param other Vec3
---@return number
function Vec3:dot(other) end

---How long it is.
---@return number
function Vec3:length() end

---How far it is to the other point.
---@param other Vec3
---@return number
function Vec3:distance(other) end

---The same direction with length 1; zero stays zero.
---@return Vec3
function Vec3:normalized() end

---From this (t = 0) to the other (t = 1), in a straight line.
---@param other Vec3
---@param t number
---@return Vec3
function Vec3:lerp(other, t) end

---The cross product.
---@param other Vec3
---@return Vec3
function Vec3:cross(other) end

---Four numbers, such as a colour.
---@class Vec4
---@field x number Red, of a colour.
---@field y number Green.
---@field z number Blue.
---@field w number Alpha.
---@operator add(Vec4): Vec4
---@operator sub(Vec4): Vec4
---@operator mul(Vec4|number): Vec4
---@operator div(Vec4|number): Vec4
---@operator unm: Vec4
---`__eq`: All parts are equal.
---`__tostring`: As it would be written.
local Vec4 = {}

---The dot product.
---@param other Vec4
---@return number
function Vec4:dot(other) end

---How long it is.
---@return number
function Vec4:length() end

---How far it is to the other point.
---@param other Vec4
---@return number
function Vec4:distance(other) end

---The same direction with length 1; zero stays zero.
---@return Vec4
function Vec4:normalized() end

---From this (t = 0) to the other (t = 1), in a straight line.
---@param other Vec4
---@param t number
---@return Vec4
function Vec4:lerp(other, t) end

---A rotation.
---@class Quat
---@field x number Of the axis, times the sine of half the angle.
---@field y number Of the axis.
---@field z number Of the axis.
---@field w number The cosine of half the angle.
---@operator mul(Quat): Quat
---`__eq`: All parts are equal.
---`__tostring`: As it would be written.
local Quat = {}

---The rotation back.
---@return Quat
function Quat:inverse() end

---With length 1.
---@return Quat
function Quat:normalized() end

---From this (t = 0) to the other (t = 1), the shorter way, with constant speed.
---@param other Quat
---@param t number
---@return Quat
function Quat:slerp(other, t) end

---As angles in degrees.
---@return Vec3
function Quat:toEuler() end

---A set of objects that is always up to date.
---@class Query
local Query = {}

---How many match now.
---@return number
function Query:count() end

---For loops over objects, in order of their ids: for object in query("A"):each() do.
---@return fun(): Object?
function Query:each() end

---For loops over batches, for many objects at once.
---@return fun(): Batch?
function Query:batches() end

---Some objects of a query with equal components.
---@class Batch
---@field count number How many objects it has.
local Batch = {}

---One of its objects.
---@param row number
---@return Object
function Batch:object(row) end

---A column as a table, one value per object; "position.x" is a part of a vector.
---@param component string
---@param field string
---@param into? table
---@return any[]
function Batch:column(component, field, into) end

---Writes a column back.
---@param component string
---@param field string
---@param values any[]
function Batch:set(component, field, values) end

---A component of an object; its fields have the names of scene files.
---@class Component
---`__index`: Reads a field; vectors and tables are copies.
---`__newindex`: Writes a field, if its value is allowed there.
---`__eq`: The same component of the same object.
---`__tostring`: For people.
local Component = {}

---What questions to physics are about.
---@class PhysicsFilter
---@field mask number? Layers, as a sum of powers of 2; all when left out.
---@field ghosts boolean? Whether ghosts count.
---@field except Object? Is passed over.

---A ray.
---@class RayQuery: PhysicsFilter
---@field origin Vec3 Where it begins.
---@field direction Vec3 Where it goes; of any length.
---@field distance number? How far it goes; 1000 when left out.

---A shape somewhere.
---@class ShapeQuery: PhysicsFilter
---@field shape "Box"|"Sphere"|"Capsule" What it is.
---@field position Vec3 Where its middle is.
---@field rotation Quat? How it is turned.
---@field halfExtents Vec3? Of a box.
---@field radius number? Of a sphere or a capsule.
---@field height number? Of a capsule: between its ends' middles, along y.

---A shape that moves.
---@class SweepQuery: ShapeQuery
---@field motion Vec3 How far it moves.

---What a ray or a moving shape met.
---@class RayHit
---@field object Object What was hit.
---@field point Vec3 Where, in the world.
---@field normal Vec3 Away from what was hit.
---@field distance number How far it was.

-- What a script may define

---The object that the script is on.
---@type Object
this = nil

---Called once, before all others.
function on_init() end

---Called every tick, before physics.
---@param dt number
function on_fixedupdate(dt) end

---Called every tick, after physics.
---@param dt number
function on_update(dt) end

---Something began to touch this object.
---@param other Object
function on_collisionenter(other) end

---Something no longer touches this object.
---@param other Object
function on_collisionleave(other) end

---Called when the script's file was read again.
function on_reload() end

---Called when the object or its script goes.
function on_destroy() end

-- Components and events of this world

---@alias LampComponent.lampType "Bulb"|"Spot"
---@class LampComponent.shape
---@field radius number
---@field size Vec3

---A lamp.
---@class LampComponent: Component
---@field lampType LampComponent.lampType
---@field watts number how much
---@field shape LampComponent.shape
---@field turn Vec3

---@class SceneEvery: Component
---@field f32_value number
---@field f64_value number
---@field i8_value number
---@field i16_value number
---@field i32_value number
---@field i64_value number
---@field u8_value number
---@field u16_value number
---@field u32_value number
---@field u64_value number
---@field bool_value boolean
---@field entity_value Object?
---@field vec2_value Vec2
---@field vec3_value Vec3
---@field vec4_value Vec4
---@field quat_value Quat
---@field mat4_value number[]
---@field text_value string
---@field list number[]
---@field corners Vec2[]
---@field friends Object?[]

---@class ScriptAlarm: Component

