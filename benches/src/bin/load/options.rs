//! The command line.

use std::{error::Error, str::FromStr, time::Duration};

use crate::requests::{Load, What};

/// When to stop sending; what is outstanding then is still awaited.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Calls(usize),
    Elapsed(Duration),
}

pub(crate) struct Options {
    pub(crate) load: Load,
    pub(crate) until: Until,
    pub(crate) warm_up: Until,
    /// How long to leave the server alone after its first answer.
    pub(crate) settle: Duration,
    /// A run that takes longer has failed.
    pub(crate) limit: Duration,
    pub(crate) command: Vec<String>,
}

impl Options {
    /// Reads `[--calls N | --millis T] [--warm-up T] [--settle T] [--limit S] [--depth W] [--call echo|escapes|add|sleep|
    /// progress|big|list|read|page] [--size N] [--modern] -- command…`.
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut args = args.peekable();
        let mut options = Self {
            load: Load {
                what: What::Echo,
                size: 20,
                depth: 1,
                modern: false,
            },
            until: Until::Calls(1000),
            warm_up: Until::Calls(0),
            settle: Duration::from_millis(50),
            limit: Duration::from_secs(120),
            command: Vec::new(),
        };
        while let Some(name) = args.next() {
            match name.as_str() {
                "--" => options.command = args.by_ref().collect(),
                "--modern" => options.load.modern = true,
                _ => {
                    let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
                    options.set(&name, &value)?;
                }
            }
        }
        if options.command.is_empty() {
            return Err("no command after `--`".into());
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Box<dyn Error>> {
        match name {
            "--calls" => self.until = Until::Calls(number(name, value)?),
            "--millis" => self.until = Until::Elapsed(Duration::from_millis(number(name, value)?)),
            "--warm-up" => {
                self.warm_up = Until::Elapsed(Duration::from_millis(number(name, value)?))
            }
            "--settle" => self.settle = Duration::from_millis(number(name, value)?),
            "--limit" => self.limit = Duration::from_secs(number(name, value)?),
            "--depth" => self.load.depth = number(name, value)?,
            "--size" => self.load.size = number(name, value)?,
            "--call" => self.load.what = value.parse()?,
            _ => return Err(format!("there is no option {name}").into()),
        }
        Ok(())
    }
}

fn number<T: FromStr>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{name} needs a number, got {value}"))
}
