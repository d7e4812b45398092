/* Empty except for the header under test, which the command line includes. */
typedef int header_alone;
