use super::template;
use crate::uri_template::set::TemplateSet;

fn set(texts: &[&'static str]) -> TemplateSet<&'static str> {
    let mut set = TemplateSet::default();
    for text in texts {
        set.insert(template(text), *text).unwrap();
    }
    set
}

#[track_caller]
fn assert_best(set: &TemplateSet<&'static str>, uri: &str, expected: Option<&str>) {
    assert_eq!(set.find(uri).map(|(text, ..)| *text), expected, "{uri}");
}

/// RSC-02
#[test]
fn the_template_that_matches_is_found_and_not_the_first() {
    let set = set(&[
        "db://schemas/{t}",
        "db://get/{type}{?where}",
        "db://schemas/all",
    ]);
    assert_best(&set, "db://get/x", Some("db://get/{type}{?where}"));
    assert_best(&set, "db://schemas/users", Some("db://schemas/{t}"));
    assert_best(&set, "db://schemas/all", Some("db://schemas/all"));
    assert_best(&set, "db://other", None);
    assert_best(&set, "db://get/%zz", None);
}

/// RSC-02
#[test]
fn of_several_that_match_the_most_specific_is_found() {
    let texts = [
        "a://{+rest}",
        "a://{x}/{y}",
        "a://{y}/{x}",
        "a://{x}/list",
        "a://top/{y}",
        "{+all}",
        "a://{x}/{y}{?q}",
    ];
    // Whatever the order, but for those that are alike.
    for turn in 0..texts.len() {
        let mut turned = texts;
        turned.rotate_left(turn);
        let set = set(&turned);
        assert_best(&set, "a://1/list", Some("a://{x}/list"));
        assert_best(&set, "a://top/2", Some("a://top/{y}"));
        assert_best(&set, "a://top/list", Some("a://{x}/list"));
        assert_best(&set, "a://1/2?q=3", Some("a://{x}/{y}{?q}"));
        assert_best(&set, "a://1/2/3", Some("a://{+rest}"));
        assert_best(&set, "b://1", Some("{+all}"));
        let first = turned
            .iter()
            .find(|text| ["a://{x}/{y}", "a://{y}/{x}"].contains(text));
        assert_best(&set, "a://1/2", first.copied());
    }
}

#[test]
fn a_template_is_held_once() {
    let mut set = set(&["a://{x}", "a://{y}/b"]);
    assert_eq!(set.insert(template("a://{x}"), "again"), Err("again"));
    assert_best(&set, "a://1", Some("a://{x}"));
}

#[test]
fn a_thousand_templates_are_found_with_few_tries() {
    for shape in [
        "kind#://host/{id}",
        "app://items#/{id}",
        "app://items/#{id}",
        "app://{tenant}/items#/{id}",
        "app://{tenant}/{kind}/items#/{id}{?q}",
        "app://{tenant}/items#",
    ] {
        let mut set = TemplateSet::default();
        for number in 0..1000 {
            let text = shape.replace('#', &number.to_string());
            set.insert(template(&text), number).unwrap();
        }
        for number in [0, 17, 170, 999] {
            let uri = template(&shape.replace('#', &number.to_string())).expand([
                ("id", "a"),
                ("tenant", "t"),
                ("kind", "k"),
            ]);
            let (found, ..) = set.find(&uri).unwrap();
            assert_eq!(*found, number, "{uri}");
            // `items17` may begin like `items1`, `items` is no prefix of its own.
            assert!(set.tries(&uri) <= 3, "{uri}: {}", set.tries(&uri));
        }
        assert_eq!(set.tries("app:/other"), 0);
    }
}
