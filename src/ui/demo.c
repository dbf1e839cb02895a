/* Demo window with every widget. */
#include <cairn/ui/demo.h>

static const char *const qualities[] = {"Low", "Medium", "High", "Ultra"};
static const char *const difficulties[] = {"Peaceful", "Easy", "Normal", "Hard"};

static void start(CnUiDemo *demo)
{
    CnSprite sprite = demo->sprite;
    *demo = (CnUiDemo){.started = true,
                       .open = true,
                       .volume = 0.7f,
                       .field_of_view = 70,
                       .view_distance = 8,
                       .shadows = true,
                       .details = true,
                       .quality = 2,
                       .difficulty = 1,
                       .chosen = 3,
                       .sprite = sprite};
    cn_copy_text(demo->name, sizeof demo->name, cn_text("Jürgen"));
}

static void draw_options(CnUi *ui, CnUiDemo *demo)
{
    cn_ui_slider(ui, "Volume", &demo->volume, 0, 1);
    cn_ui_slider(ui, "Field of view", &demo->field_of_view, 40, 110);
    cn_ui_slider_int(ui, "View distance", &demo->view_distance, 2, 32);
    cn_ui_combo(ui, "Quality", &demo->quality, qualities, 4);
    cn_ui_begin_row(ui, NULL, 2);
    cn_ui_checkbox(ui, "Shadows", &demo->shadows);
    cn_ui_tooltip(ui, "Soft shadows of the sun and of lamps");
    cn_ui_checkbox(ui, "V-sync", &demo->vsync);
    cn_ui_end_row(ui);
    if (cn_ui_checkbox(ui, "Light theme", &demo->light_theme))
        *cn_ui_theme(ui) = demo->light_theme ? cn_ui_theme_light() : cn_ui_theme_dark();
    cn_ui_separator(ui);
    cn_ui_begin_row(ui, (float[]){-1, 90, 90}, 3);
    cn_ui_label_format(ui, "%u clicks", demo->clicks);
    demo->clicks += cn_ui_button(ui, "Apply") ? 1 : 0;
    cn_ui_begin_disabled(ui, demo->clicks == 0);
    if (cn_ui_button(ui, "Reset"))
        demo->clicks = 0;
    cn_ui_end_disabled(ui);
    cn_ui_end_row(ui);
}

static void draw_player(CnUi *ui, CnUiDemo *demo)
{
    cn_ui_field(
        ui, "Name",
        &(CnUiField){.text = demo->name, .text_bytes = sizeof demo->name, .hint = "Your name"});
    cn_ui_field(ui, "Password",
                &(CnUiField){.text = demo->password,
                             .text_bytes = sizeof demo->password,
                             .hint = "none",
                             .secret = true});
    cn_ui_heading(ui, "Difficulty");
    cn_ui_begin_row(ui, NULL, 2);
    for (uint32_t i = 0; i < 4; i++)
        cn_ui_radio(ui, difficulties[i], &demo->difficulty, i);
    cn_ui_end_row(ui);
    cn_ui_progress(ui, 0.62f, "620 of 1,000");
    if (cn_ui_collapsible(ui, "Details", &demo->details) || demo->details)
        cn_ui_text(
            ui,
            "Text is wrapped at words: Grüße, Καλημέρα, Привет. Bytes that are not UTF-8 show as \xFF.");
    if (demo->sprite.texture.id)
        cn_ui_image(ui, &demo->sprite, 64, 64);
}

static void draw_worlds(CnUi *ui, CnUiDemo *demo)
{
    CnUiList list;
    cn_ui_label(ui, "A hundred thousand worlds");
    cn_ui_begin_list(ui, &(CnUiListDesc){.id = "worlds", .count = 100000, .height = 180}, &list);
    for (uint32_t i = list.first; i < list.end; i++) {
        if (cn_ui_list_item(ui, &list, i, cn_ui_format(ui, "World %u", i + 1), i == demo->chosen))
            demo->chosen = i;
    }
    cn_ui_end_list(ui, &list);
    cn_ui_begin_row(ui, NULL, 2);
    cn_ui_label_format(ui, "World %u", demo->chosen + 1);
    cn_ui_button(ui, "Play");
    cn_ui_end_row(ui);
}

void cn_ui_demo(CnUi *ui, CnUiDemo *demo)
{
    CN_ASSERT(ui, "%s: ui is NULL", __func__);
    CN_ASSERT(demo, "%s: demo is NULL", __func__);
    static const char *const pages[] = {"Options", "Player", "Worlds"};
    if (!demo->started)
        start(demo);
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "Cairn widgets",
                                             .rect = {20, 20, 340, 0},
                                             .open = &demo->open})) {
        cn_ui_tabs(ui, "pages", &demo->page, pages, 3);
        cn_ui_space(ui, 4);
        if (demo->page == 0)
            draw_options(ui, demo);
        else if (demo->page == 1)
            draw_player(ui, demo);
        else
            draw_worlds(ui, demo);
    }
    cn_ui_end_window(ui);
}
