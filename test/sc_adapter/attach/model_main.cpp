// Calls the model's sc_main(), which is compiled with the name model_main(). This sc_main() is
// visible, regardless of the options of the rest.
extern "C" int model_main(int argc, char *argv[]);

extern "C" __attribute__((visibility("default"))) int sc_main(int argc, char *argv[])
{
    return model_main(argc, argv);
}
