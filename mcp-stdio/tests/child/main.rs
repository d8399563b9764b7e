//! Children as processes of their own: how they end, and what we do about it. Shell scripts play the servers.
#![cfg(unix)]

mod closes;
mod connects;
mod cycles;
mod drops;
mod ends;
mod fixture;
mod starts;
