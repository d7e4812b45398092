/* Owns the creation of the output of a conversion. Does not know the formats. */
#include "convert_options.h"

bool ftr_convert_create_output(const ftr_convert_options *options, bool binary,
                               ftr_output_file *file)
{
    const ftr_input_paths inputs = {options->inputs, options->input_count, options->program};
    return ftr_output_create(file, options->writing.output, options->writing.force, binary,
                             &inputs);
}
