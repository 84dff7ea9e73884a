/*
 * The .sbat section: the generations by which shim revokes a vulnerable loader (shim's SBAT.md,
 * "SBAT format": component, generation, vendor, package, version, URL). Without it a shim refuses
 * the image.
 */
extern const char sbat[];

const char sbat[] __attribute__((section(".sbat"), used)) =
    "sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md\n"
    "assay,1,Assay,assay,1,https://github.com/\n";
