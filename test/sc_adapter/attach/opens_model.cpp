// Loads a model as a plug-in with local symbols, and runs it: in a program with a SystemC kernel,
// or, compiled with OPENS_KERNEL, in a program that gets its kernel with the model.
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace
{

using main_function = int (*)(int, char **);

main_function model_main;

main_function find(void *library, const char *name)
{
    void *const found = dlsym(library, name);
    if (!found) {
        std::fprintf(stderr, "%s\n", dlerror());
        std::exit(EXIT_FAILURE);
    }
    return reinterpret_cast<main_function>(found);
}

void *open_model(const char *path)
{
    void *const model = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!model) {
        std::fprintf(stderr, "%s\n", dlerror());
        std::exit(EXIT_FAILURE);
    }
    model_main = find(model, "model_main");
    return model;
}

} // namespace

// Called by the kernel.
extern "C" __attribute__((visibility("default"))) int sc_main(int argc, char *argv[])
{
    if (!model_main)
        open_model(argv[1]);
    return model_main(argc - 1, argv + 1);
}

#ifdef OPENS_KERNEL
int main(int argc, char *argv[])
{
    void *const model = open_model(argv[1]);
    return find(model, "sc_elab_and_sim")(argc, argv);
}
#endif
