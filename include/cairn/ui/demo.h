/* A window that shows every widget once, for samples, tests and theme design. */
#ifndef CAIRN_UI_DEMO_H
#define CAIRN_UI_DEMO_H

#include <cairn/ui/widgets.h>

CN_EXTERN_C_BEGIN

typedef struct CnUiDemo {
    bool started; /* the fields below have their initial values */
    bool open;
    uint32_t page;
    float volume, field_of_view;
    int32_t view_distance;
    bool shadows, vsync, light_theme, details;
    uint32_t quality, difficulty;
    char name[48];
    char password[48];
    uint32_t chosen;
    uint32_t clicks;
    CnSprite sprite; /* not shown without a texture */
} CnUiDemo;

/* Draws the demo window. `demo` is all zeros before the first call. */
CN_API void cn_ui_demo(CnUi *ui, CnUiDemo *demo);

CN_EXTERN_C_END

#endif
