//! What tests need beside this repository: what is missing is installed, or a sentence says how.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

/// Something that tests need.
pub(crate) struct Needed {
    /// A path that exists once it is installed, in the repository or absolute.
    pub(crate) path: &'static str,
    /// The commands that install it and what it needs.
    pub(crate) commands: &'static [&'static [&'static str]],
}

impl Needed {
    /// Installs it if it is missing; a lock keeps two processes from doing it at once.
    pub(crate) fn install(&self) -> Result<(), String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join(self.path);
        if path.exists() {
            return Ok(());
        }
        let folder = env!("CARGO_TARGET_TMPDIR");
        let lock = std::fs::File::create(Path::new(folder).join("install.lock")).expect("a file");
        lock.lock().expect("a lock");
        for command in self.commands {
            if path.exists() {
                break;
            }
            let command_line = command.join(" ");
            let _ = writeln!(
                std::io::stderr(),
                "\n*** for the tests: {command_line} ***\n"
            );
            let run = std::process::Command::new(command[0])
                .args(&command[1..])
                .current_dir(root)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .status();
            let why = match run {
                Ok(status) if status.success() => continue,
                Ok(status) => status.to_string(),
                Err(error) => error.to_string(),
            };
            return Err(format!(
                "{} is missing: run `{command_line}` ({why})",
                self.path
            ));
        }
        if path.exists() {
            Ok(())
        } else {
            Err(format!(
                "{} is missing, although it was installed",
                self.path
            ))
        }
    }
}
