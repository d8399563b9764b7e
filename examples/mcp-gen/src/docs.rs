//! Text of strangers in documentation and string literals.

/// More of a description is no help in an editor.
const MAX_LINES: usize = 100;
const MAX_LETTERS: usize = 1_000;

/// Documentation, a line each, at this indentation. It is shown as text: nothing in it is a link, HTML or code to be run.
pub(crate) fn comment(text: &str, indent: &str, out: &mut String) {
    for line in text.trim().lines().take(MAX_LINES) {
        let line = safe(line);
        // Without indentation there is no block of code.
        let line = line.trim();
        out.push_str(indent);
        out.push_str("///");
        if !line.is_empty() {
            out.push(' ');
            out.push_str(&linked(line));
        }
        out.push('\n');
    }
}

/// A name in a sentence.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", safe(name))
}

/// A string literal.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            ' '..='~' => out.push(letter),
            letter => out.extend(letter.escape_unicode()),
        }
    }
    out.push('"');
    out
}

/// Without what is not seen, which rustc refuses in part: it may turn the order of letters around.
fn safe(line: &str) -> String {
    let seen = |letter: char| match letter {
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => None,
        letter if letter.is_control() => Some(' '),
        letter => Some(letter),
    };
    line.chars().take(MAX_LETTERS).filter_map(seen).collect()
}

/// Addresses as links, and all else that rustdoc would take for more than text escaped.
fn linked(line: &str) -> String {
    let words = line.split(' ').map(|word| {
        let address = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let is_address = address.starts_with("https://") || address.starts_with("http://");
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || "/:.-_~?=&#%+@".contains(letter);
        if is_address && address.chars().all(is_plain) {
            return format!("<{address}>{}", &word[address.len()..]);
        }
        let mut out = String::with_capacity(word.len());
        for letter in word.chars() {
            if matches!(
                letter,
                '<' | '>' | '[' | ']' | '`' | '\\' | '*' | '_' | '#' | '|' | '~'
            ) {
                out.push('\\');
            }
            out.push(letter);
        }
        out
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commented(text: &str) -> String {
        let mut out = String::new();
        comment(text, "", &mut out);
        out
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(
            commented("Reads [a](b) <script>"),
            "/// Reads \\[a\\](b) \\<script\\>\n"
        );
        assert_eq!(
            commented("See https://example.com/a."),
            "/// See <https://example.com/a>.\n"
        );
        assert_eq!(
            commented("a\r\n\n    fn main() {}"),
            "/// a\n///\n/// fn main() {}\n"
        );
        assert_eq!(
            commented("```\nx\n```"),
            "/// \\`\\`\\`\n/// x\n/// \\`\\`\\`\n"
        );
        assert_eq!(commented("a\u{202e}b\u{0}c\rd"), "/// ab c d\n");
    }

    #[test]
    fn no_string_gets_out_of_its_literal() {
        assert_eq!(literal("a\"\\\n\u{202e}é"), r#""a\"\\\u{a}\u{202e}\u{e9}""#);
    }
}
