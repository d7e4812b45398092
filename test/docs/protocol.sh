# shellcheck shell=bash
# The prototype of the page has one mistake.
printf '#!/bin/sh\nexec %s response-end planted\n' "$BUILD/bin/prototypes/violations" >vp
chmod +x vp
