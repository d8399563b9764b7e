use super::{UriTemplate, template};

#[track_caller]
fn assert_refused(text: &str, offset: usize, problem: &str) {
    let error = UriTemplate::parse(text).unwrap_err();
    assert_eq!(error.offset(), offset, "{text}: {error}");
    let message = format!("{problem}, at byte {offset} of the URI template");
    assert_eq!(error.to_string(), message, "{text}");
}

#[test]
fn what_is_no_template_is_refused_with_its_place_and_reason() {
    for (text, offset, problem) in [
        ("a://{", 4, "`{` without its `}`"),
        ("a://{x", 4, "`{` without its `}`"),
        ("a://{x{y}}", 6, "`{` without its `}`"),
        ("a://x}", 5, "`}` without its `{`"),
        ("a://{}", 5, "a variable without a name"),
        ("a://{+}", 6, "a variable without a name"),
        ("a://{x,}", 7, "a variable without a name"),
        (
            "é/{!x}",
            4,
            "the operator `!` is reserved and has no meaning",
        ),
        ("{|x}", 1, "the operator `|` is reserved and has no meaning"),
        ("a%zz", 1, "`%` without two hexadecimal digits"),
        ("a%4", 1, "`%` without two hexadecimal digits"),
        ("{a%4}", 2, "`%` without two hexadecimal digits"),
        ("a b", 1, "' ' can't stand in a URI: write it as an escape"),
        ("a<", 1, "'<' can't stand in a URI: write it as an escape"),
        (
            "a\u{85}",
            1,
            "'\\u{85}' can't stand in a URI: write it as an escape",
        ),
    ] {
        assert_refused(text, offset, problem);
    }
    let name = "can't be part of a variable's name, which holds letters, digits, `_` and single `.` between them";
    for (text, offset, char) in [
        ("{a-b}", 2, '-'),
        ("{a b}", 2, ' '),
        ("{.a.}", 3, '.'),
        ("{a..b}", 3, '.'),
        ("{é}", 1, 'é'),
        ("{a*b}", 2, '*'),
    ] {
        assert_refused(text, offset, &format!("{char:?} {name}"));
    }
}

#[test]
fn modifiers_of_level_4_are_refused_with_what_to_write() {
    let explode = "`*` is not supported: for a path of many segments write `{+name}`";
    assert_refused("a{/path*}", 7, explode);
    assert_refused("{?a,b*}", 5, explode);
    let prefix = "prefixes of values (`:` and a number) are not supported";
    assert_refused("{var:3}", 4, prefix);
}

#[test]
fn templates_whose_query_cannot_be_found_are_refused() {
    let late = "a query begins once, before the fragment: after a `?` write `{&…}`";
    assert_refused("a?b=1{?c}", 5, late);
    assert_refused("a#b{?c}", 3, late);
    assert_refused("a{#b}{&c}", 5, late);
    let after =
        "after `{?…}` or `{&…}` only a fragment may follow; parameters go into the one expression";
    assert_refused("a{?b}{?c}", 5, after);
    assert_refused("a{?b}{&c}", 5, after);
    assert_refused("a{?b}&c=1", 5, after);
    assert_refused("a{&b}{c}", 5, after);
    assert_refused("a#{#b}", 2, "a second `#`");
    assert_refused("a{#b}c#", 6, "a second `#`");
    assert_refused("a{?b,c,b}", 7, "the parameter is named twice");
    template("a{?b}#c/{d}");
    template("a?q={q}{&b}{#c}");
}

#[test]
fn templates_and_their_variables_are_bounded() {
    let names = |count: usize| {
        let names: Vec<String> = (0..count).map(|name| format!("{{v{name}}}")).collect();
        names.join("/")
    };
    assert_eq!(template(&names(64)).variables().len(), 64);
    let many = format!("{}/{{a}}", names(64));
    assert_refused(&many, many.len() - 3, "more than 64 variables");
    template(&"a".repeat(8192));
    assert_refused(&"a".repeat(8193), 8192, "longer than 8192 bytes");
}

#[test]
fn variables_are_listed_once_in_their_order() {
    let template = template("{b}/{+a,b}{?c.d,%41,_}");
    let names: Vec<&str> = template.variables().collect();
    assert_eq!(names, ["b", "a", "c.d", "%41", "_"]);
    let required: Vec<bool> = names
        .iter()
        .map(|name| template.is_required(name))
        .collect();
    assert_eq!(required, [true, true, false, false, false]);
    assert!(!template.is_required("z"));
    assert_eq!(template.to_string(), template.as_str());
    assert_eq!("{b}/{+a,b}{?c.d,%41,_}".parse(), Ok(template));
}

#[test]
fn templates_tell_where_they_are_ambiguous() {
    for clear in [
        "a://{x}/{y}{?a,b}{#c}",
        "a://{x,y}",
        "a://{+path}",
        "a://{+path}{?q}",
        "a://{+path}?a={a}{&q}",
        "a://{+path}/{name}",
        "a://{+path}/{name}.json{#part}",
        "a://{x}.json",
        "a://x{/a,b}",
        "a{;x,y}/{z}",
        "a{.x}",
        "?a={a}{&b}",
    ] {
        assert_eq!(template(clear).ambiguous_at(), None, "{clear}");
    }
    for (unclear, offset) in [
        ("a/{x}{y}", 2),
        ("a/{x}-{y}", 2),
        ("a/{x}.{y}", 2),
        ("a/{x}{.y}", 2),
        ("a/{.x,y}", 2),
        ("{+x,y}", 0),
        ("{+x}{/y}", 0),
        ("{/x}{/y}", 0),
        ("a/{z}{/x}/here", 5),
        ("{z}{;x}{;xy}", 3),
        // `a;x=bc=bd` is `x` empty and `z` `c=bd`, or `x` `bc` and `z` `d`.
        ("a{;x}=b{+z}", 1),
        ("{#x,y}", 0),
        ("{+x}/{+y}", 0),
    ] {
        assert_eq!(template(unclear).ambiguous_at(), Some(offset), "{unclear}");
    }
}
