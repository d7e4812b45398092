// A program without tests: the precompiled headers of the others are its own.
