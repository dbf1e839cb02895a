/* Every widget once, for samples, tests and those who make a theme. */
#ifndef CAIRN_UI_DEMO_H
#define CAIRN_UI_DEMO_H

#include <cairn/ui/widgets.h>

CN_EXTERN_C_BEGIN

typedef struct CnUiDemo {
    bool started; /* what follows has its first values */
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
    CnSprite picture; /* without a texture: none is shown */
} CnUiDemo;

/* One window; all zeros at first. */
CN_API void cn_ui_demo(CnUi *ui, CnUiDemo *demo);

CN_EXTERN_C_END

#endif
