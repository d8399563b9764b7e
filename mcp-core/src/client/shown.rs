//! What a server says, made fit for an error: errors end up in logs and on terminals.

/// At most so many characters, and none that a terminal would obey.
pub(super) fn shown(text: &str, most: usize) -> String {
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(most).map(plain).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Control characters, ends of lines, and what turns the direction of text around become spaces.
fn plain(char: char) -> char {
    match char {
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => ' ',
        char if char.is_control() => ' ',
        char => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_a_short_line() {
        assert_eq!(shown("größer", 3), "grö…");
        assert_eq!(shown("exact", 5), "exact");
        assert_eq!(shown("a\u{1b}[2J\r\nb\u{202e}c\u{2028}", 20), "a [2J  b c ");
    }
}
