# Writes OUTPUT: SOURCE/page.html with its style and its modules, bundled by ESBUILD. A warning of esbuild is an error.
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
string(REPLACE "@STYLE@" "${bundled_page.css}" page "${page}")
string(REPLACE "@SCRIPT@" "${bundled_main.js}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
