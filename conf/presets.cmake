# presets: turns presets/*.cfg into a C table, so that no file is read at start.
# cmake -DOUT=FILE -DDIR=FOLDER -P presets.cmake
file(GLOB files "${DIR}/*.cfg")
list(SORT files)
set(rows)
foreach(file IN LISTS files)
	get_filename_component(name ${file} NAME_WE)
	file(READ ${file} text)
	string(REPLACE "\\" "\\\\" text "${text}")
	string(REPLACE "\"" "\\\"" text "${text}")
	string(REPLACE "\n" "\\n\"\n\t \"" text "${text}")
	string(APPEND rows "\t{\"${name}\",\n\t \"${text}\"},\n")
endforeach()
file(WRITE ${OUT} "/* Generated from conf/presets. */
#include \"conf_internal.h\"

const struct conf_preset conf_presets[] = {
${rows}\t{NULL, NULL},
};
")
