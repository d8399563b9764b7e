#[derive(Form)]
struct Order {
    count: u8,
    #[serde(flatten)]
    address: Address,
    #[serde(skip)]
    note: Vec<Note>,
}

#[derive(Form)]
enum Size {
    Small,
    Large,
}

#[derive(Form)]
struct Email(String);
