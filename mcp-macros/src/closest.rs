//! What a person may have meant.

use std::fmt::Write as _;

/// The end of a message about an unknown word: the closest of the known ones, or all of them.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> String {
    let closest = known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .min_by_key(|(distance, _)| *distance);
    match closest {
        Some((distance, candidate)) if distance <= 1 + word.len() / 3 => {
            format!("did you mean `{candidate}`?")
        }
        _ if known.len() == 1 => format!("known is {}", listed(known)),
        _ => format!("known are {}", listed(known)),
    }
}

fn listed(words: &[&str]) -> String {
    let mut list = String::new();
    for (i, word) in words.iter().enumerate() {
        let joint = match i {
            0 => "",
            _ if i + 1 == words.len() => " and ",
            _ => ", ",
        };
        // Writing to a string does not fail.
        let _ = write!(list, "{joint}`{word}`");
    }
    list
}

/// How many letters have to be put in, left out or exchanged.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_the_word_meant() {
        let known = ["read_only", "idempotent", "open"];
        assert_eq!(suggestion("readonly", &known), "did you mean `read_only`?");
        assert_eq!(
            suggestion("idempotnet", &known),
            "did you mean `idempotent`?"
        );
    }

    #[test]
    fn a_word_like_no_other_gets_the_whole_list() {
        assert_eq!(
            suggestion("xyzzy", &["open", "strict", "blocking"]),
            "known are `open`, `strict` and `blocking`"
        );
    }

    #[test]
    fn letters_put_in_left_out_and_exchanged_count_one_each() {
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "axc"), 1);
        assert_eq!(distance("abc", "abcd"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
