# Writes OUTPUT: SOURCE/page.html with its style and its modules, bundled by ESBUILD. A warning of esbuild is an error.
# The Content-Security-Policy of the page allows only this style and this script, by the hashes of the exact text of
# their elements.

# Sets RESULT to the SHA-256 of TEXT in base64.
function(hash_text RESULT TEXT)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hexadecimal "${TEXT}")
  string(REGEX MATCHALL "..." triples "${hexadecimal}00") # three hexadecimal digits are two of base64
  set(base64 "")
  foreach(triple IN LISTS triples)
    math(EXPR first "0x${triple} >> 6")
    math(EXPR second "0x${triple} & 63")
    string(SUBSTRING ${digits} ${first} 1 first)
    string(SUBSTRING ${digits} ${second} 1 second)
    string(APPEND base64 ${first}${second})
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64) # 32 bytes are 43 digits and the filler
  set(${RESULT}
      ${base64}=
      PARENT_SCOPE)
endfunction()

foreach(entry IN ITEMS main.js page.css)
  execute_process(
    COMMAND ${ESBUILD} ${SOURCE}/${entry} --bundle --minify --charset=utf8 --format=iife --target=chrome103,firefox113,safari16.4
            --log-level=warning
    OUTPUT_VARIABLE bundled_${entry}
    ERROR_VARIABLE messages
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR messages)
    message(FATAL_ERROR "esbuild ${entry}: ${messages}")
  endif()
endforeach()
file(READ ${SOURCE}/page.html page)
hash_text(style_hash "${bundled_page.css}")
hash_text(script_hash "${bundled_main.js}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${bundled_page.css}" page "${page}")
string(REPLACE "@SCRIPT@" "${bundled_main.js}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
