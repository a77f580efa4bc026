"""Every case that imports must hold, and the tests that hold it: none can be lost without this being changed."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent

CASES: dict[str, tuple[str, str]] = {
    # what failed for users of other systems
    "T29": ("odd bytes: surrogates, emoji cut, BOM, NUL",
        "test_odd_bytes.test_hostile_text_is_stored_clean_and_reads_back "
        "test_damage_by_kind.test_surrogates_separators_and_control_characters_are_stored_clean"),
    "T31": ("a huge transcript is streamed and only new turns are worked on",
        "test_huge_transcript.test_a_huge_session_is_streamed_and_grows_at_the_cost_of_what_is_new "
        "test_importing.test_only_the_end_of_a_session_that_grew_is_worked_on "
        "test_grown_files.test_what_only_grew_is_not_read_whole"),
    "T32": ("content as blocks, envelopes of tool output, side files, forks",
        "test_claude_code.test_content_is_read_as_a_string_as_blocks_and_with_pictures "
        "test_noise.test_reminders_and_envelopes_inside_tool_results_go "
        "test_claude_code.test_subagents_are_no_sessions_of_their_own "
        "test_claude_code.test_a_fork_adds_only_its_own_turns"),
    "T33": ("new ChatGPT exports: shards, null titles, missing children and metadata, branches",
        "test_chatgpt.test_single_and_sharded_exports_and_one_saved_conversation_read_alike "
        "test_chatgpt.test_missing_and_null_fields_cost_nothing_but_what_they_were "
        "test_chatgpt.test_the_branch_of_the_current_node_is_the_conversation"),
    "T34": ("a Claude.ai export is no single document",
        "test_claude_ai.test_a_bare_array_is_one_session_a_conversation_not_one_blob"),
    "T35": ("an export in a zip, and the same export again",
        "test_archives.test_an_export_is_read_as_it_was_downloaded "
        "test_sessions_by_kind.test_copies_in_another_place_and_in_an_archive_are_the_same_sessions "
        "test_sessions_by_kind.test_imported_again_with_and_without_what_was_remembered_nothing_changes"),
    # what failed in other importers
    "I01": ("no create_time", "test_chatgpt.test_missing_and_null_fields_cost_nothing_but_what_they_were "
        "test_sessions_by_kind.test_times_of_any_kind_cost_no_word_and_change_no_order"),
    "I02": ("a title that is null", "test_chatgpt.test_missing_and_null_fields_cost_nothing_but_what_they_were"),
    "I03": ("messages without metadata", "test_chatgpt.test_missing_and_null_fields_cost_nothing_but_what_they_were "
        "test_any_shape.test_a_value_that_is_another_costs_only_itself_and_is_counted"),
    "I04": ("shards, an entry without mapping, hidden context as a user's message",
        "test_chatgpt.test_single_and_sharded_exports_and_one_saved_conversation_read_alike "
        "test_sessions_by_kind.test_one_bad_conversation_does_not_stop_the_rest "
        "test_chatgpt.test_hidden_context_is_not_speech"),
    "I05": ("missing and inverted times keep the order",
        "test_chatgpt.test_source_order_is_truth_whatever_the_times_say "
        "test_sessions_by_kind.test_times_of_any_kind_cost_no_word_and_change_no_order"),
    "I06": ("a zip with conversations-000.json and a manifest only",
        "test_archives.test_several_archives_of_one_export_and_archives_in_archives "
        "test_sessions_by_kind.test_copies_in_another_place_and_in_an_archive_are_the_same_sessions"),
    "I08": ("content without parts", "test_chatgpt.test_missing_and_null_fields_cost_nothing_but_what_they_were"),
    "I10": ("Claude's bare array is not taken for ChatGPT",
        "test_chatgpt.test_a_claude_ai_export_is_not_taken_for_chatgpt "
        "test_format_docs.test_a_fixture_is_read_by_its_format_alone_and_without_damage"),
    "I12": ("the text lies in attachments",
        "test_claude_ai.test_text_of_attachments_is_kept_as_outside_text_and_pasted_text_as_the_users"),
    "I13": ("question and answer share one time",
        "test_claude_ai.test_the_list_is_the_order_where_question_and_answer_share_their_time"),
    "I14": ("artifacts instead of placeholders", "test_claude_ai.test_artifacts_tools_and_thoughts "
        "test_claude_ai.test_text_stands_in_where_content_is_empty_and_empty_conversations_are_counted"),
    "I15": ("one cut line hides nothing", "test_claude_code.test_a_line_that_is_cut_in_mid_file_hides_nothing_after_it "
        "test_damage_by_kind.test_a_line_cut_in_mid_file_hides_nothing_behind_it"),
    "I17": ("cut strings, empty lines, lines that are no object",
        "test_damage_by_kind.test_blank_lines_cost_nothing_and_lines_that_are_no_record_only_themselves"),
    "I18": ("files that begin with snapshots and progress",
        "test_claude_code.test_a_file_of_snapshots_and_progress_before_the_first_prompt_is_a_session"),
    "I19": ("a compaction whose parent is gone",
        "test_claude_code.test_a_compaction_is_kept_beside_the_speech_and_its_lost_parent_loses_nothing"),
    "I21": ("one message many times, also across files",
        "test_claude_code.test_pieces_and_growing_copies_of_one_api_message_are_said_once "
        "test_claude_code.test_the_same_session_in_two_files_is_one"),
    "I22": ("subagents' files are no sessions", "test_claude_code.test_subagents_are_no_sessions_of_their_own"),
    "I23": ("subagents without their parent's file; files of hundreds of MB",
        "test_claude_code.test_subagents_whose_parent_is_gone_are_kept_without_user_speech "
        "test_huge_transcript.test_a_huge_session_is_streamed_and_grows_at_the_cost_of_what_is_new"),
    "I25": ("user content as an array of text", "test_codex.test_user_content_as_an_array_of_bare_text_is_speech"),
    "I27": ("a repeated session_meta", "test_codex.test_a_repeated_session_meta_is_no_second_session"),
    "I28": ("older rollouts", "test_codex.test_the_oldest_schemas_still_read_and_times_they_lack_stay_unknown"),
    "I29": ("epochs in place of ISO times", "test_codex.test_epochs_in_place_of_iso_times_read"),
    "I30": ("Takeout zones, locales, rows without a conversation",
        "test_gemini_takeout.test_zones_of_the_page_are_understood "
        "test_gemini_takeout.test_a_page_in_another_language_is_refused_with_a_word "
        "test_gemini_takeout.test_rows_become_sessions_by_the_time_between_them"),
    "I31": ("opencode in SQLite", "test_opencode.test_the_database_is_read_with_its_log_and_nothing_is_left_beside_it "
        "test_opencode.test_an_install_that_was_moved_to_the_database_holds_both_and_gives_one_session"),
    "I32": ("Cursor's composer chats, large databases", "test_cursor.test_bubbles_stand_in_the_order_of_the_headers "
        "test_cursor.test_a_chat_that_goes_on_grows_and_the_original_is_left_alone"),
    # what goes wrong with imported files, by kind: the file
    "zip: nested, several, names that lead out, bombs": ("",
        "test_archives.test_several_archives_of_one_export_and_archives_in_archives "
        "test_archives.test_names_that_lead_out_are_refused_and_the_rest_is_read "
        "test_archives.test_bombs_are_refused_before_they_go_off "
        "test_archives.test_archives_nested_without_end_are_refused"),
    "BOM, UTF-16, CRLF, NUL blocks": ("",
        "test_damage_by_kind.test_marks_encodings_line_ends_and_nul_blocks_change_nothing "
        "test_odd_bytes.test_encodings_and_line_ends"),
    "empty file": ("", "test_damage_by_kind.test_a_file_that_is_empty_or_of_nothing_but_damage_is_no_success"),
    "last line cut, or complete and bad": ("",
        "test_damage_by_kind.test_a_last_line_that_is_still_being_written_is_read_when_it_is_whole "
        "test_claude_code.test_a_session_that_ends_inside_a_line_gives_what_is_whole_and_is_read_again"),
    "bad line or item in mid-file, blank and non-object lines": ("",
        "test_damage_by_kind.test_blank_lines_cost_nothing_and_lines_that_are_no_record_only_themselves "
        "test_damage_by_kind.test_an_item_that_is_not_json_does_not_stop_those_behind_it"),
    "file that ends early": ("",
        "test_damage_by_kind.test_a_file_that_ends_early_says_so_and_the_whole_one_completes_it"),
    "lines of tens of MB": ("", "test_damage_by_kind.test_a_line_of_many_megabytes_is_one_item "
        "test_odd_bytes.test_a_line_of_many_megabytes_is_one_record"),
    "large files are streamed": ("", "test_odd_bytes.test_an_array_is_read_one_element_at_a_time "
        "test_api_messages.test_one_long_conversation_is_streamed"),
    "file that grows during the read": ("",
        "test_damage_by_kind.test_a_file_that_grows_while_it_is_read_is_read_and_then_read_on"),
    "surrogates, U+2028, private-use glyphs": ("",
        "test_damage_by_kind.test_surrogates_separators_and_control_characters_are_stored_clean "
        "test_odd_bytes.test_a_line_separator_inside_a_string_does_not_end_the_line "
        "test_chatgpt.test_citation_glyphs_become_links_or_nothing"),
    "SQLite locked, WAL, damaged": ("",
        "test_opencode.test_the_database_is_read_with_its_log_and_nothing_is_left_beside_it "
        "test_cursor.test_a_database_that_its_program_holds_locked_is_read_from_a_copy "
        "test_any_shape.test_a_database_with_damaged_pages_is_named"),
    # identity
    "same session in several files": ("", "test_claude_code.test_the_same_session_in_two_files_is_one "
        "test_importing.test_copies_of_a_session_in_several_files_grow_without_repeating_turns "
        "test_codex.test_a_fork_that_replays_its_parent_with_new_times_adds_only_what_is_new"),
    "re-export with more messages": ("",
        "test_sessions_by_kind.test_a_later_export_in_another_place_adds_only_what_is_new "
        "test_chatgpt.test_a_re_export_with_more_messages_adds_only_those"),
    "import again; appended turns": ("",
        "test_sessions_by_kind.test_imported_again_with_and_without_what_was_remembered_nothing_changes "
        "test_importing.test_a_session_that_grew_gets_only_its_new_turns"),
    "no id: a hash": ("", "test_api_messages.test_many_conversations_without_ids_are_told_apart_and_found_again"),
    "same uuid under another session": ("", "test_claude_code.test_a_fork_adds_only_its_own_turns"),
    # time
    "null, missing, equal, inverted, epochs, naive, locale, future": ("",
        "test_sessions_by_kind.test_times_of_any_kind_cost_no_word_and_change_no_order "
        "test_sessions_by_kind.test_where_the_time_says_what_belongs_together_its_lack_loses_no_word "
        "test_dialogue.test_local_times_are_read_in_the_brains_zone"),
    "never invented": ("", "test_sessions_by_kind.test_a_time_that_is_none_is_never_made_up "
        "test_dialogue.test_a_date_that_reads_two_ways_is_no_date"),
    "export-wide update times are no times of events": ("",
        "test_claude_ai.test_the_list_is_the_order_where_question_and_answer_share_their_time"),
    # speech and noise
    "envelopes, reminders, context, hooks, memory": ("",
        "test_sessions_by_kind.test_what_a_program_puts_before_a_prompt_is_nobodys_speech "
        "test_noise.test_nothing_of_an_inserted_block_is_heard"),
    "compactions, API errors, interruptions": ("",
        "test_claude_code.test_what_arrives_as_the_user_without_being_typed_is_never_a_user_turn"),
    "synthetic parts": ("", "test_opencode.test_a_tree_of_files_is_one_session"),
    "queued prompts are speech": ("", "test_claude_code.test_prompts_queued_while_a_tool_ran_are_real_speech"),
    # reporting
    "everything left out is counted": ("",
        "test_sessions_by_kind.test_a_message_that_is_none_costs_only_itself_and_is_counted "
        "test_any_shape.test_a_value_that_is_another_costs_only_itself_and_is_counted"),
    "one bad conversation does not stop the rest": ("",
        "test_sessions_by_kind.test_one_bad_conversation_does_not_stop_the_rest"),
    "never a success with nothing": ("", "test_importing.test_nothing_found_is_never_a_success "
        "test_damage_by_kind.test_a_file_that_is_empty_or_of_nothing_but_damage_is_no_success"),
    "the report is a table by source": ("",
        "test_importing.test_the_report_has_a_row_a_source_and_a_form_for_programs"),
}  # fmt: skip


@cache
def known() -> frozenset[str]:
    """Every test there is, as `module.name`."""
    return frozenset(
        f"{path.stem}.{node.name}"
        for path in TESTS.rglob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("case", CASES)
def test_a_case_has_tests_that_are_there(case: str) -> None:
    tests = CASES[case][1].split()

    assert tests
    assert [test for test in tests if test not in known()] == []


def test_no_case_of_the_list_is_missing() -> None:
    imports = "I01 I02 I03 I04 I05 I06 I08 I10 I12 I13 I14 I15 I17 I18 I19 I21 I22 I23 I25 I27 I28 I29 I30 I31 I32"

    assert {*imports.split(), "T29", "T31", "T32", "T33", "T34", "T35"} <= CASES.keys()
