/* Reduces the report of a run until it fits into its budget. */
#include "run_part.h"

#include "run_manifest.h"

#include <ftr/version.h>

#include <string.h>

/* Maximum number of times that the sample is reduced. If the transactions still do not fit after
 * that, the sample is omitted. */
#define ATTEMPTS 6
/* Maximum size of the HTML elements around the blocks and the manifest, and of the members that
 * ftr_run_part_manifest() adds, in bytes. */
#define PAGE_PARTS_SIZE 512u

static ftr_status print_overview(ftr_run_part *part, ftr_run_report *report,
                                 const ftr_manifest_numbers *numbers, const char *name,
                                 ftr_printer *printer)
{
    ftr_data_block block = {.name = name};
    ftr_text_buffer_connect(&part->members, printer);
    ftr_json json = {.out = printer};
    const bool ok = ftr_run_manifest_print(report, numbers, &block, &json) &&
                    ftr_printer_flush(printer) &&
                    ftr_data_block_pack(&block, report->options->threads, &part->overview);
    ftr_data_block_release(&block);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

static ftr_status print_transactions(ftr_run_part *part, const ftr_run_report *report,
                                     const ftr_manifest_numbers *numbers, ftr_data_block *block,
                                     ftr_printer *printer)
{
    ftr_packed_block_release(&part->transactions);
    ftr_data_block_clear(block);
    ftr_text_buffer_connect(&part->members, printer);
    ftr_json json = {.out = printer, .needs_comma = true};
    const ftr_status status = ftr_kept_print(&report->kept, &report->relations, numbers->generators,
                                             report->options->threads, block, &json);
    if (status != FTR_OK)
        return status;
    return ftr_printer_flush(printer) &&
                   ftr_data_block_pack(block, report->options->threads, &part->transactions)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

/* Prints the transactions. If they do not fit into the budget, reduces the sample and tries again.
 */
static ftr_status fit_transactions(ftr_run_part *part, ftr_run_report *report,
                                   const ftr_manifest_numbers *numbers, const char *name,
                                   size_t budget, ftr_printer *printer)
{
    ftr_data_block block = {.name = name};
    const size_t members = part->members.size;
    const size_t fixed = ftr_base64_size(part->overview.size) + members;
    ftr_status status;
    for (unsigned attempt = 0;; attempt++) {
        part->members.size = members;
        status = print_transactions(part, report, numbers, &block, printer);
        const size_t size = ftr_run_part_size(part);
        if (status != FTR_OK || size <= budget || ftr_kept_threshold(&report->kept) == 0)
            break;
        const double part_left = fixed < budget && attempt < ATTEMPTS
                                     ? 0.95 * (double)(budget - fixed) / (double)(size - fixed)
                                     : 0;
        status = ftr_kept_reduce(&report->kept, part_left);
        if (status != FTR_OK)
            break;
    }
    ftr_data_block_release(&block);
    return status;
}

ftr_status ftr_run_part_make(ftr_run_part *part, ftr_run_report *report,
                             const ftr_part_names *names, size_t budget)
{
    ftr_manifest_numbers numbers;
    *part = (ftr_run_part){0};
    ftr_printer *printer = malloc(sizeof *printer);
    if (printer == NULL || !ftr_manifest_numbers_init(&numbers, report)) {
        free(printer);
        return FTR_ERR_MEMORY;
    }
    ftr_status status = print_overview(part, report, &numbers, names->overview, printer);
    if (status == FTR_OK)
        status = fit_transactions(part, report, &numbers, names->transactions, budget, printer);
    ftr_manifest_numbers_release(&numbers);
    free(printer);
    return status;
}

bool ftr_run_part_manifest(const ftr_run_part *part, const char *more, ftr_text_buffer *manifest)
{
    static const char begin[] =
        "{\"format\": 1, \"kind\": \"run\", \"made_by\": \"ftr " FTR_VERSION_TEXT "\", ";
    bool ok = ftr_text_buffer_take(manifest, begin, sizeof begin - 1);
    if (more != NULL)
        ok = ok && ftr_text_buffer_take(manifest, more, strlen(more)) &&
             ftr_text_buffer_take(manifest, ", ", 2);
    return ok && ftr_text_buffer_take(manifest, part->members.bytes, part->members.size) &&
           ftr_text_buffer_take(manifest, "}", 1);
}

size_t ftr_run_part_size(const ftr_run_part *part)
{
    return PAGE_PARTS_SIZE + part->members.size + ftr_base64_size(part->overview.size) +
           ftr_base64_size(part->transactions.size);
}

void ftr_run_part_release(ftr_run_part *part)
{
    ftr_text_buffer_release(&part->members);
    ftr_packed_block_release(&part->overview);
    ftr_packed_block_release(&part->transactions);
}
