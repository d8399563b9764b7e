#[tool(type = Convert, blocking)]
fn convert<'a, T, const N: usize>(values: Vec<T>, text: Cow<'a, str>) -> [T; N]
where
    T: Convertible,
{
    T::convert(values, text)
}
