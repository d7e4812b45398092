// A program without tests: the other test programs use its precompiled headers.
