//! What mcp-gen writes for real servers compiles without a warning, and calls them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::{Environment, build, built, cargo, scratch};

/// The crate itself is built within seconds; what it depends on stays built.
#[test]
fn clients_that_are_written_for_real_servers_compile_and_call_them() {
    let Some(environment) = Environment::find() else {
        return;
    };
    let generator = build("mcp-gen");
    let crate_folder = scratch("generated");
    let served = scratch("generated-files");
    fs::create_dir_all(crate_folder.join("src")).unwrap();
    fs::create_dir_all(&served).unwrap();
    fs::write(served.join("lines.txt"), "one\ntwo\n").unwrap();

    let node = environment.node();
    let everything = environment.reference("server-everything");
    let files = environment.reference("server-filesystem");
    for (client, module, program, folder) in [
        ("EverythingClient", "everything", &everything, None),
        ("FilesClient", "files", &files, Some(&served)),
    ] {
        let out = crate_folder.join(format!("src/{module}.rs"));
        fs::remove_file(&out).ok();
        let mut generate = Command::new(&generator);
        generate.args(["--client", client, "--out"]).arg(&out);
        generate.arg(&node).arg(program).args(folder);
        succeed(&mut generate);
    }
    let main = include_str!("../clients/generated.rs");
    fs::write(crate_folder.join("src/main.rs"), main).unwrap();
    let program = compile(&crate_folder);
    let told = succeed(Command::new(program).args([&node, &everything, &files, &served]));
    assert_eq!(
        told,
        format!(
            "The sum of 2 and 3 is 5.\n\
             36, Light rain / drizzle\n\
             one\n\
             secure-filesystem-server: `tools/call`: the tool failed: Access denied - path outside allowed \
             directories: /etc/passwd not in {}\n",
            served.display()
        )
    );
}

/// Builds the crate with what the workspace has, and says where its program is.
fn compile(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let ours = |name: &str| root.join(name).display().to_string();
    // Features and profile are those of mcp-gen and of the crate `outside` of xtask: what they have built stays built.
    let manifest = format!(
        "[package]\n\
         name = \"generated\"\n\
         version = \"0.0.0\"\n\
         edition = \"2024\"\n\
         \n\
         [dependencies]\n\
         mcp-core = {{ path = {core:?} }}\n\
         mcp-stdio = {{ path = {stdio:?} }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\n\
         tokio = {{ version = \"1\", default-features = false, features = [\"rt\"] }}\n\
         \n\
         [profile.dev]\n\
         debug = \"line-tables-only\"\n\
         \n\
         [workspace]\n",
        core = ours("mcp-core"),
        stdio = ours("mcp-stdio"),
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    succeed(
        cargo()
            .args(["build", "--quiet", "--offline"])
            .current_dir(folder),
    );
    built("generated")
}

/// What a program prints that has to succeed.
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}
