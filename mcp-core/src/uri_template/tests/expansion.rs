//! The examples of RFC 6570 of levels 1 to 3, sections 1.2 and 3.2.

use super::template;

/// The variables of sections 1.2 and 3.2 that are strings. `undef` is not defined.
const VARIABLES: [(&str, &str); 14] = [
    ("var", "value"),
    ("hello", "Hello World!"),
    ("path", "/foo/bar"),
    ("empty", ""),
    ("x", "1024"),
    ("y", "768"),
    ("dub", "me/too"),
    ("half", "50%"),
    ("who", "fred"),
    ("base", "http://example.com/home/"),
    ("v", "6"),
    ("semi", ";"),
    ("dom", "example.com"),
    ("scheme", "http"),
];

#[track_caller]
fn assert_expands(examples: &[(&str, &str)]) {
    for (text, expected) in examples {
        assert_eq!(template(text).expand(VARIABLES), *expected, "{text}");
    }
}

#[test]
fn the_examples_of_level_1_and_2_expand_as_the_rfc_says() {
    assert_expands(&[
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{+var}", "value"),
        ("{+hello}", "Hello%20World!"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("X{#var}", "X#value"),
        ("X{#hello}", "X#Hello%20World!"),
    ]);
}

#[test]
fn the_examples_of_level_3_expand_as_the_rfc_says() {
    assert_expands(&[
        ("map?{x,y}", "map?1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("X{.var}", "X.value"),
        ("X{.x,y}", "X.1024.768"),
        ("{/var}", "/value"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{;x,y}", ";x=1024;y=768"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="),
    ]);
}

#[test]
fn simple_expansion_is_that_of_section_3_2_2() {
    assert_expands(&[
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{x,y}", "1024,768"),
        ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"),
    ]);
}

#[test]
fn reserved_expansion_is_that_of_section_3_2_3() {
    assert_expands(&[
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("O{+empty}X", "OX"),
        ("O{+undef}X", "OX"),
        ("{+path}/here", "/foo/bar/here"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
    ]);
}

#[test]
fn fragment_expansion_is_that_of_section_3_2_4() {
    assert_expands(&[
        ("{#var}", "#value"),
        ("{#half}", "#50%25"),
        ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"),
    ]);
}

#[test]
fn label_expansion_is_that_of_section_3_2_5() {
    assert_expands(&[
        ("{.who}", ".fred"),
        ("{.who,who}", ".fred.fred"),
        ("{.half,who}", ".50%25.fred"),
        ("X{.empty}", "X."),
        ("X{.undef}", "X"),
    ]);
}

#[test]
fn segment_expansion_is_that_of_section_3_2_6() {
    assert_expands(&[
        ("{/who}", "/fred"),
        ("{/who,who}", "/fred/fred"),
        ("{/half,who}", "/50%25/fred"),
        ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/var,empty}", "/value/"),
        ("{/var,undef}", "/value"),
    ]);
}

#[test]
fn parameter_expansion_is_that_of_section_3_2_7() {
    assert_expands(&[
        ("{;who}", ";who=fred"),
        ("{;half}", ";half=50%25"),
        ("{;empty}", ";empty"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;v,bar,who}", ";v=6;who=fred"),
        ("{;x,y,undef}", ";x=1024;y=768"),
    ]);
}

#[test]
fn query_expansion_is_that_of_sections_3_2_8_and_3_2_9() {
    assert_expands(&[
        ("{?who}", "?who=fred"),
        ("{?half}", "?half=50%25"),
        ("{?x,y,undef}", "?x=1024&y=768"),
        ("{?undef}", ""),
        ("{&who}", "&who=fred"),
        ("{&half}", "&half=50%25"),
        ("{&x,y,undef}", "&x=1024&y=768"),
    ]);
}

#[test]
fn escapes_are_kept_where_reserved_characters_are() {
    let values = [("x", "a%2Fb%zz%")];
    assert_eq!(template("{+x}").expand(values), "a%2Fb%25zz%25");
    assert_eq!(template("{#x}").expand(values), "#a%2Fb%25zz%25");
    assert_eq!(template("{x}").expand(values), "a%252Fb%25zz%25");
}

#[test]
fn literals_are_written_as_they_stand_and_escaped_where_they_must_be() {
    let none = std::iter::empty::<(&str, &str)>();
    assert_eq!(
        template("file:///docs/café/%7e%2f[a](b)'").expand(none),
        "file:///docs/caf%C3%A9/%7e%2f[a](b)'"
    );
}

#[test]
fn any_pairs_of_text_are_values() {
    let owned = std::collections::BTreeMap::from([("x".to_owned(), "é".to_owned())]);
    assert_eq!(template("a/{x}").expand(&owned), "a/%C3%A9");
    let twice = template("{x}/{x}");
    assert_eq!(twice.expand([("x", "1"), ("y", "2"), ("x", "3")]), "3/3");
}
