/*
 * Draws a packet on the owner's thread or on the render thread. The owner hands the packet over and
 * does not access it, the renderer or the snapshot pair until it has waited for completion.
 */
#include "engine/engine_internal.h"

static void before_render(CnFrame *frame, void *user)
{
    const CniEngineFramePacket *packet = user;
    for (uint32_t i = 0; i < packet->before_render.count; i++)
        packet->before_render.items[i].call.render(frame, packet->before_render.items[i].user);
}

static void draw(CnEngine *engine)
{
    CniEngineFramePacket *packet = &engine->packet;
    packet->frame_desc.before_render = before_render;
    packet->frame_desc.user = packet;
    packet->failed = !cn_renderer_draw(engine->renderer, &packet->frame_desc, &packet->error);
}

static void give_back(CnEngine *engine)
{
    CniEngineFramePacket *packet = &engine->packet;
    if (packet->outbox)
        cn_outbox_release(packet->outbox);
    packet->outbox = NULL;
    if (packet->failed)
        cni_engine_fail(engine, &packet->error);
    packet->failed = false;
}

static void *render_loop(void *data)
{
    CnEngine *engine = data;
    CniEngineRenderThread *thread = &engine->render_thread;
    pthread_mutex_lock(&thread->lock);
    for (;;) {
        while (thread->state == CNI_ENGINE_DRAW_IDLE)
            pthread_cond_wait(&thread->changed, &thread->lock);
        if (thread->state == CNI_ENGINE_DRAW_QUIT)
            break;
        pthread_mutex_unlock(&thread->lock);
        draw(engine);
        pthread_mutex_lock(&thread->lock);
        thread->state = CNI_ENGINE_DRAW_IDLE;
        pthread_cond_broadcast(&thread->changed);
    }
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

bool cni_engine_render_thread_start(CnEngine *engine, CnError *error)
{
    CniEngineRenderThread *thread = &engine->render_thread;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->changed, NULL);
    thread->is_there = !pthread_create(&thread->thread, NULL, render_loop, engine);
    if (thread->is_there) {
        pthread_setname_np(thread->thread, "render");
        return true;
    }
    pthread_cond_destroy(&thread->changed);
    pthread_mutex_destroy(&thread->lock);
    return cn_error_set(error, CN_ERROR_LIMIT, "engine: cannot create the render thread");
}

static void set_state(CniEngineRenderThread *thread, CniEngineDrawState state)
{
    pthread_mutex_lock(&thread->lock);
    thread->state = state;
    pthread_cond_broadcast(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
}

void cni_engine_render_thread_end(CnEngine *engine)
{
    CniEngineRenderThread *thread = &engine->render_thread;
    if (!thread->is_there)
        return;
    set_state(thread, CNI_ENGINE_DRAW_QUIT);
    pthread_join(thread->thread, NULL);
    pthread_cond_destroy(&thread->changed);
    pthread_mutex_destroy(&thread->lock);
    thread->is_there = false;
}

void cni_engine_draw_packet(CnEngine *engine)
{
    engine->is_drawn = true;
    if (engine->render_thread.is_there) {
        set_state(&engine->render_thread, CNI_ENGINE_DRAW_BUSY);
        return;
    }
    draw(engine);
    give_back(engine);
}

void cni_engine_draw_wait(CnEngine *engine)
{
    CniEngineRenderThread *thread = &engine->render_thread;
    if (!thread->is_there)
        return;
    pthread_mutex_lock(&thread->lock);
    while (thread->state == CNI_ENGINE_DRAW_BUSY)
        pthread_cond_wait(&thread->changed, &thread->lock);
    pthread_mutex_unlock(&thread->lock);
    give_back(engine);
}
