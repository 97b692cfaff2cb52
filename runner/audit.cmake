# exeat-audit reads what runs left behind: a program of its own, so that exeat
# stays small and json-c out of it.
add_library(audit_reader STATIC
	audit_cell.c
	audit_diff.c
	audit_entry.c
	audit_export.c
	audit_file.c
	audit_find.c
	audit_follow.c
	audit_help.c
	audit_json.c
	audit_key.c
	audit_line.c
	audit_options.c
	audit_rows.c
	audit_shared.c
	audit_show.c
	audit_source.c
	audit_spans.c
	audit_suggest.c
	audit_table.c
	audit_time.c
	audit_wish.c
)
target_link_libraries(audit_reader PUBLIC runner conf policy PRIVATE dep_json-c
	exeat_options)
add_executable(exeat-audit audit_main.c)
target_link_libraries(exeat-audit PRIVATE audit_reader exeat_options)
link_statically(exeat-audit)
install(TARGETS exeat-audit DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES exeat-audit.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
