use super::{assert_finds, assert_no_match, template};
use crate::uri_template::chars::normalise;

/// RSC-03
#[test]
fn literals_match_literally_whatever_they_hold() {
    let search = "file://n/search?q={q}";
    assert_finds(search, "file://n/search?q=x", &["q=x"]);
    assert_no_match(search, "file://n/searchq=x");
    assert_no_match(search, "file://n/searc?q=x");
    let draft = "v1.0/{x}(draft)+[a]";
    assert_finds(draft, "v1.0/2(draft)+[a]", &["x=2"]);
    assert_no_match(draft, "v1X0/2(draft)+[a]");
    assert_no_match(draft, "v1.0/2draft[a]");
    assert_no_match(draft, "v1.0/2(draft)a");
    assert_finds("a*$", "a*$", &[]);
}

/// RSC-04
#[test]
fn letters_beyond_ascii_match_in_both_spellings() {
    for text in ["file:///docs/café/{name}", "file:///docs/caf%c3%a9/{name}"] {
        assert_finds(text, "file:///docs/caf%C3%A9/x", &["name=x"]);
        assert_finds(text, "file:///docs/caf%c3%A9/x", &["name=x"]);
        assert_finds(text, "file:///docs/café/x", &["name=x"]);
        assert_no_match(text, "file:///docs/cafe/x");
    }
    assert_finds("{name}", "café", &["name=café"]);
    assert_finds("{name}", "caf%C3%A9", &["name=café"]);
}

/// RSC-04
#[test]
fn a_value_of_one_segment_is_decoded_once_and_stays_one() {
    let text = "file:///docs/{name}";
    assert_finds(text, "file:///docs/a%2Fb", &["name=a/b"]);
    assert_finds(text, "file:///docs/a%2fb", &["name=a/b"]);
    assert_no_match(text, "file:///docs/a/b");
    assert_finds(text, "file:///docs/%2e%2e%2fetc", &["name=../etc"]);
    assert_finds(
        text,
        "file:///docs/%252e%252e%252fetc",
        &["name=%2e%2e%2fetc"],
    );
    assert_no_match(text, "file:///docs/");
}

/// RSC-04
#[test]
fn a_reserved_value_spans_segments() {
    let text = "file:///docs/{+path}";
    assert_finds(text, "file:///docs/a/b/c", &["path=a/b/c"]);
    assert_finds(text, "file:///docs/a%20b/%3F?c#d", &["path=a b/??c#d"]);
    assert_finds(text, "file:///docs/%2e%2e/etc", &["path=../etc"]);
    // It would expand to another URI.
    assert_no_match(text, "file:///docs/%252e%252e/etc");
    assert_finds(text, "file:///docs/100%25", &["path=100%"]);
}

/// RSC-04
#[test]
fn what_is_malformed_or_no_utf_8_does_not_match() {
    for value in [
        "%FF", "%C3", "%zz", "%4", "%", "a b", "a\nb", "{name}", "\\", "<",
    ] {
        for text in [
            "a://{name}",
            "a://{+name}",
            "a://{?name}",
            "a://{;name}",
            "a://{#name}",
        ] {
            let wrong =
                ["a://", "a://?name=", "a://;name=", "a://#"].map(|lead| format!("{lead}{value}"));
            for uri in wrong {
                assert_no_match(text, &uri);
            }
        }
    }
}

/// RSC-02
#[test]
fn a_match_is_real() {
    let (schemas, get) = ("db://schemas/{t}", "db://get/{type}{?where}");
    assert_no_match(schemas, "db://get/x");
    assert_finds(get, "db://get/x", &["type=x"]);
    assert_finds(get, "db://get/x?where=id=5", &["type=x", "where=id=5"]);
    assert_no_match(get, "db://schemas/all");
    assert_no_match(get, "db://get/x?what=1");
    assert_no_match(get, "db://get/x/y");
    assert_no_match(get, "db://get/X?Where=1");
}

#[test]
fn the_case_of_scheme_and_host_does_not_count_where_the_template_spells_them() {
    for text in ["db://get.it:80/{type}", "DB://Get.IT:80/{type}"] {
        for uri in ["db://get.it:80/X", "DB://GET.it:80/X"] {
            assert_finds(text, uri, &["type=X"]);
        }
        assert_no_match(text, "db://me@get.it:80/X");
    }
    assert_finds("Db:{x}", "dB:A", &["x=A"]);
    assert_finds("x://caf%c3%A9é/{x}", "X://CAF%C3%a9%C3%A9/A", &["x=A"]);
    assert_finds("Db://{host}/A", "db://Get/A", &["host=Get"]);
    assert_no_match("db://{host}/A", "db://Get/a");
    // The name of a user, perhaps.
    assert_finds("x://User{host}", "X://Userr@Host", &["host=r@Host"]);
    assert_no_match("x://User{host}", "x://userr@Host");
    assert_no_match("x://User@host/{x}", "x://user@host/a");
    // No scheme, and no authority.
    assert_no_match("{x}:/A", "a:/a");
    assert_no_match("x:/Host/{x}", "x:/host/a");
}

#[test]
fn the_parameters_of_a_query_come_in_any_order_or_not_at_all() {
    let text = "a://x{?a,b,c}";
    assert_finds(text, "a://x", &[]);
    assert_finds(text, "a://x?b=2", &["b=2"]);
    assert_finds(text, "a://x?c=3&a=1&b=2", &["a=1", "b=2", "c=3"]);
    assert_finds(text, "a://x?b=", &["b="]);
    assert_finds(text, "a://x?b=a/b?c:d=e%26+%20", &["b=a/b?c:d=e&+ "]);
    for wrong in [
        "?",
        "?a",
        "?d=1",
        "?a=1&a=1",
        "?a=1&",
        "?&a=1",
        "?a=1&&b=2",
        "&a=1",
        "?a=1#",
        "?A=1",
    ] {
        assert_no_match(text, &format!("a://x{wrong}"));
    }
    let more = "a://x?v=1&w={w}{&a,b}{#f}";
    assert_finds(
        more,
        "a://x?v=1&w=2&b=3&a=4#5",
        &["w=2", "a=4", "b=3", "f=5"],
    );
    assert_finds(more, "a://x?v=1&w=2", &["w=2"]);
    assert_no_match(more, "a://x?v=1&b=3&w=2");
    assert_finds("a{?%41.b}", "a?A.b=1", &["%41.b=1"]);
}

#[test]
fn a_path_ends_where_the_query_begins() {
    let text = "file:///{+path}{?line}{#part}";
    assert_finds(
        text,
        "file:///a/b?line=3#c",
        &["path=a/b", "line=3", "part=c"],
    );
    assert_finds(text, "file:///a/b#c?line=3", &["path=a/b", "part=c?line=3"]);
    assert_no_match(text, "file:///a/b?other=3");
    assert_finds(
        "{+a}?b={+b}",
        "x?b=http://y?b=z#",
        &["a=x", "b=http://y?b=z#"],
    );
}

#[test]
fn parts_with_a_lead_may_be_left_out() {
    assert_finds("a{/x,y}", "a", &[]);
    assert_finds("a{/x,y}", "a/1", &["x=1"]);
    assert_finds("a{/x,y}", "a/1/", &["x=1", "y="]);
    assert_no_match("a{/x,y}", "a/1/2/3");
    assert_finds("a{/x,y}/here", "a/here", &[]);
    assert_finds("a{/x,y}/here", "a/here/here", &["x=here"]);
    assert_finds("a{.x,y}", "a.1.2", &["x=1", "y=2"]);
    assert_no_match("a{.x,y}", "a.1.2.3");
    assert_finds("a{#x,y}", "a#1,2,3", &["x=1,2", "y=3"]);
    assert_finds("a{;x,y}", "a;x=1;y=2", &["x=1", "y=2"]);
    assert_finds("a{;x,y}", "a;y=b=c", &["y=b=c"]);
    assert_finds("a{;x,y}", "a;x;y", &["x=", "y="]);
    for wrong in ["a;y=2;x=1", "a;x=", "a;z=1", "a;x=1;x=1"] {
        assert_no_match("a{;x,y}", wrong);
    }
}

#[test]
fn lists_of_required_values_are_whole() {
    assert_finds("map?{x,y}", "map?1024,768", &["x=1024", "y=768"]);
    for wrong in ["map?", "map?1024", "map?1024,", "map?,768", "map?1,2,3"] {
        assert_no_match("map?{x,y}", wrong);
    }
    assert_finds("{+x,y}", "1,2,3", &["x=1,2", "y=3"]);
}

#[test]
fn a_value_takes_as_much_as_it_can_while_optional_parts_after_it_are_there() {
    assert_finds(
        "{name}.{type}",
        "readme.tar.gz",
        &["name=readme.tar", "type=gz"],
    );
    assert_finds(
        "{name}{.type}",
        "readme.tar.gz",
        &["name=readme.tar", "type=gz"],
    );
    assert_finds("{name}{.type}", "readme", &["name=readme"]);
    assert_finds("{+dir}/{name}", "a/b/c", &["dir=a/b", "name=c"]);
    assert_finds("{+dir}{/name}", "a/b/c", &["dir=a/b", "name=c"]);
    assert_finds("{a}{/b}{.c}", "x.y", &["a=x", "c=y"]);
    assert_finds("{a}{b}", "xyz", &["a=xy", "b=z"]);
    assert_finds("{a}{b}", "x%2Fy%2F", &["a=x/y", "b=/"]);
}

#[test]
fn written_by_hand_values_hold_what_does_not_delimit() {
    assert_finds(
        "memory://{key}",
        "memory://user:ada@example.org",
        &["key=user:ada@example.org"],
    );
    assert_finds("{host}:{port}", "a:1", &["host=a", "port=1"]);
    assert_finds("{host}:{rest}", "a:1:2", &["host=a", "rest=1:2"]);
    assert_finds("{a}z{;b}", "az;b=z", &["a=a", "b=z"]);
    assert_no_match("a://{x}", "a://b?c");
    assert_no_match("a://{x}", "a://b#c");
    assert_no_match("a://{x}", "a://[b]");
}

#[test]
fn a_variable_at_two_places_has_one_value() {
    assert_finds("{x}/{x}", "a/%61", &["x=a"]);
    assert_no_match("{x}/{x}", "a/b");
    assert_finds("{x}{?x}", "a?x=a", &["x=a"]);
    assert_no_match("{x}{?x}", "a");
}

#[test]
fn values_are_found_by_name_and_by_place() {
    let captures = template("{a}{?b,c}").match_uri("1?c=3").unwrap();
    assert_eq!(captures.get("a"), Some("1"));
    assert_eq!(captures.get("b"), None);
    assert_eq!(captures.get("d"), None);
    let by_place: Vec<_> = (0..4).map(|index| captures.get_index(index)).collect();
    assert_eq!(by_place, [Some("1"), None, Some("3"), None]);
}

#[test]
fn the_empty_template_matches_the_empty_uri_only() {
    assert_finds("", "", &[]);
    assert_no_match("", "a");
    assert_no_match("{x}", "");
}

#[test]
fn hostile_uris_cost_no_more_than_their_length_times_the_template() {
    let greedy: String = (0..64).map(|name| format!("{{v{name}}}a")).collect();
    let optional: String = (0..64).map(|name| format!("{{.v{name}}}")).collect();
    let wide: String = (0..64).map(|name| format!("{{+v{name}}}/")).collect();
    let one = format!("{{x}}{}{{y}}", "a".repeat(4000));
    for text in [&greedy, &optional, &wide, &one] {
        let template = template(text);
        for piece in ["a", ".", "/", "%61", "%2F", "a.", "a/"] {
            // The last character spoils every way.
            let mut uri = piece.repeat(8190 / piece.len());
            uri.push('#');
            let found = template.match_uri(&uri);
            assert!(found.is_none() || text == &wide, "{piece}");
        }
    }
    // Not looked at.
    assert_no_match("{+x}", &"a".repeat(8193));
    assert!(template("{+x}").match_uri(&"a".repeat(8192)).is_some());
}

/// RSC-04
#[test]
fn uris_that_mean_the_same_have_one_normal_form() {
    let normal = |uri| normalise(uri).map(|normal| normal.into_owned());
    let docs = Some("file:///caf%C3%A9~/%2F".to_owned());
    assert_eq!(normal("file:///café~/%2F"), docs);
    assert_eq!(normal("f%69le:///caf%c3%a9%7E/%2f"), docs);
    assert_ne!(normal("file:///café~//"), docs);
    assert_ne!(normal("FILE:///café~/%2F"), docs);
    assert_eq!(normal("%252f"), Some("%252f".to_owned()));
    assert_eq!(normal("%FF"), Some("%FF".to_owned()));
    for malformed in ["%", "%4", "%zz", "a b", "a\0", "\u{7f}", "`", "a\"", "{x}"] {
        assert_eq!(normal(malformed), None, "{malformed:?}");
    }
}
