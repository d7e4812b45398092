# Writes a C file with the bytes of the page and its Content-Security-Policy:
# cmake -DPAGE=page.html -DOUTPUT=embedded_page.c -P embed_page.cmake
file(READ ${PAGE} digits HEX)
string(LENGTH "${digits}" count)
math(EXPR size "${count} / 2")
string(REGEX REPLACE "(................................................)" "\\1\n" digits "${digits}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
file(READ ${PAGE} page)
if(NOT page MATCHES "http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"")
  message(FATAL_ERROR "${PAGE}: no Content-Security-Policy")
endif()
set(policy "${CMAKE_MATCH_1}")
file(WRITE ${OUTPUT} "#include \"html_page.h\"\n\nconst unsigned char ftr_embedded_page[] = {\n${bytes}\n};\n"
                     "const size_t ftr_embedded_page_size = ${size};\n"
                     "const char ftr_embedded_page_policy[] = \"${policy}\";\n")
