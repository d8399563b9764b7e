//! What a child wrote, made fit for a terminal and a log.

/// The text of these bytes on one line, at most `limit` bytes of it: without control characters, the escape sequences
/// of terminals, and the characters that turn the direction of text around.
pub(crate) fn clean(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut kept = String::with_capacity(text.len().min(limit));
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        let char = match char {
            '\u{1b}' => {
                skip_escape(&mut chars);
                continue;
            }
            '\u{9b}' => {
                skip_control_sequence(&mut chars);
                continue;
            }
            '\t' | '\n' | '\u{2028}' | '\u{2029}' => ' ',
            char if char.is_control() || turns_text(char) => continue,
            char => char,
        };
        if kept.len() + char.len_utf8() > limit {
            kept.push('…');
            break;
        }
        kept.push(char);
    }
    kept
}

/// Passes the rest of an escape sequence. One that never ends takes the rest of the line, as it would in a terminal.
fn skip_escape(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => skip_control_sequence(chars),
        // The title of the window, the clipboard, and other strings: up to BEL or ESC \.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(char) = chars.next() {
                match char {
                    '\u{7}' | '\u{9c}' => return,
                    '\u{1b}' => {
                        chars.next();
                        return;
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn skip_control_sequence(chars: &mut std::str::Chars<'_>) {
    chars.find(|char| matches!(char, '@'..='~'));
}

fn turns_text(char: char) -> bool {
    matches!(
        char,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text.as_bytes(), 100)
    }

    #[test]
    fn colours_go_and_words_stay() {
        assert_eq!(
            cleaned("\u{1b}[1;31merror\u{1b}[0m: größer"),
            "error: größer"
        );
        assert_eq!(cleaned("\u{9b}2Jcleared"), "cleared");
    }

    /// HST-15.
    #[test]
    fn nothing_is_left_that_a_terminal_would_obey() {
        assert_eq!(cleaned("a\u{1b}]52;c;c2VjcmV0\u{7}b"), "ab");
        assert_eq!(cleaned("a\u{1b}]0;title\u{1b}\\b"), "ab");
        assert_eq!(cleaned("a\u{1b}cb"), "ab");
        assert_eq!(cleaned("a\u{8}\u{0}\u{7f}\u{85}b"), "ab");
        assert_eq!(cleaned("user\u{202e}txt.exe\u{2066}"), "usertxt.exe");
    }

    #[test]
    fn white_space_becomes_spaces_of_one_line() {
        assert_eq!(cleaned("a\tb\nc\u{2028}d"), "a b c d");
    }

    #[test]
    fn sequences_that_never_end_are_passed_over() {
        for open in ["a\u{1b}", "a\u{1b}[", "a\u{1b}[31", "a\u{1b}]0;rest"] {
            assert_eq!(cleaned(open), "a");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(clean("größer".as_bytes(), 3), "gr…");
        assert_eq!(clean("größer".as_bytes(), 4), "grö…");
        assert_eq!(clean(b"exact", 5), "exact");
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(clean(b"a\xff\xfeb", 100), "a\u{fffd}\u{fffd}b");
    }
}
