// sc_main() of a model that is compiled with its own named model_main(): visible, however the rest
// is compiled.
extern "C" int model_main(int argc, char *argv[]);

extern "C" __attribute__((visibility("default"))) int sc_main(int argc, char *argv[])
{
    return model_main(argc, argv);
}
