//! What the suite has written about one run.

use std::path::Path;

use serde_json::Value;

use crate::command::Stop;

/// What is wrong, if anything: failures, warnings, an end in error, or that nothing was checked.
pub(super) fn faults(results: &Path, ended_well: bool, said: &str) -> Result<Vec<String>, Stop> {
    let mut faults = Vec::new();
    let mut checks = 0_usize;
    for text in find(results)? {
        let list: Value = serde_json::from_str(&text)
            .map_err(|error| Stop::Unexpected(format!("checks.json: {error}")))?;
        for check in list.as_array().into_iter().flatten() {
            checks += 1;
            if matches!(check["status"].as_str(), Some("FAILURE" | "WARNING")) {
                let told =
                    (check["errorMessage"].as_str()).or_else(|| check["description"].as_str());
                let id = check["id"].as_str().unwrap_or("?");
                faults.push(format!("{id}: {}", told.unwrap_or_default()));
            }
        }
    }
    if said.contains("TIMED OUT") {
        faults.push("it took too long".to_owned());
    }
    if faults.is_empty() && !ended_well {
        faults.push("it ended with an error".to_owned());
    }
    if faults.is_empty() && checks == 0 && !said.contains("SKIPPED") {
        faults.push("nothing was checked".to_owned());
    }
    Ok(faults)
}

/// The texts of all `checks.json` below a folder.
fn find(folder: &Path) -> Result<Vec<String>, Stop> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(found);
    };
    for entry in entries {
        let path = entry.map_err(|source| Stop::file(folder, source))?.path();
        if path.is_dir() {
            found.extend(find(&path)?);
        } else if path.file_name().is_some_and(|name| name == "checks.json") {
            found.push(std::fs::read_to_string(&path).map_err(|source| Stop::file(&path, source))?);
        }
    }
    Ok(found)
}
