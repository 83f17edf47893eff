//! A repository to maltreat, and what `gen` answers there.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Nothing may take longer; it is far above what a busy machine needs for it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const MODEL: &str = "models/shop.yaml";
pub(crate) const LOCK: &str = "infra/shop/gen.lock";
pub(crate) const TABLE: &str = "infra/shop/terraform/table_orders.tf";
pub(crate) const ACKNOWLEDGEMENTS: &str = "infra/shop/acknowledgements.yaml";

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    /// The exit code was this one, and this was said.
    #[track_caller]
    pub(crate) fn is(&self, code: i32, said: &str) {
        assert_eq!(self.code, code, "{self:#?}");
        assert!(self.out.contains(said) || self.err.contains(said), "`{said}` was not said: {self:#?}");
    }

    /// The one JSON document that was printed.
    #[track_caller]
    pub(crate) fn document(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("no JSON document ({error}): {self:#?}"))
    }
}

/// What lies at a path: all a test compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Folder,
    File(Vec<u8>),
    Link(Utf8PathBuf),
    Other,
}

pub(crate) type Tree = BTreeMap<Utf8PathBuf, Entry>;

/// A folder of its own, gone with the test.
pub(crate) struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// An empty folder, called `shop`.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("shop")).unwrap();
        Self { folder }
    }

    /// What `gen init` and `gen apply` leave.
    pub(crate) fn applied() -> Self {
        static FILES: OnceLock<Tree> = OnceLock::new();
        let files = FILES.get_or_init(|| {
            let first = Self::empty();
            first.run(["init"]).is(0, "created models/shop.yaml");
            first.run(["apply"]).is(0, "are written");
            first.tree()
        });
        let repository = Self::empty();
        for (path, entry) in files {
            match entry {
                Entry::File(bytes) => repository.write(path.as_str(), bytes),
                _ => fs::create_dir_all(repository.path(path.as_str())).unwrap(),
            }
        }
        repository
    }

    /// A path in it.
    pub(crate) fn path(&self, below: &str) -> Utf8PathBuf {
        let root = Utf8Path::from_path(self.folder.path()).unwrap().join("shop");
        if below.is_empty() { root } else { root.join(below) }
    }

    /// A path beside it, which must stay as it is.
    pub(crate) fn outside(&self, name: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.folder.path()).unwrap().join(name)
    }

    pub(crate) fn write(&self, below: &str, text: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    /// Replaces a text in a file, where it must be.
    #[track_caller]
    pub(crate) fn edit(&self, below: &str, from: &str, to: &str) {
        let text = self.read(below);
        assert!(text.contains(from), "`{from}` is not in {below}");
        self.write(below, text.replacen(from, to, 1));
    }

    /// A harmless change: the files differ, and nothing blocks.
    pub(crate) fn change(&self) {
        self.edit(MODEL, "description: Orders of a shop", "description: All orders of a shop");
        self.edit(MODEL, "      ttl: expires_at\n", "      ttl: expires_at\n      tags: { team: shop }\n");
    }

    /// Puts something else in the place of a file or folder.
    pub(crate) fn replace(&self, below: &str, by: &Stranger) {
        let path = self.path(below);
        let aside = self.outside("aside");
        if path.symlink_metadata().is_ok() {
            fs::rename(&path, &aside).unwrap();
        }
        match by {
            Stranger::Folder => fs::create_dir(path).unwrap(),
            Stranger::File => fs::write(path, "mine").unwrap(),
            Stranger::Link => std::os::unix::fs::symlink(aside, path).unwrap(),
            Stranger::Dangling => std::os::unix::fs::symlink("nowhere", path).unwrap(),
            Stranger::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        }
    }

    /// All that is in it and beside it.
    pub(crate) fn tree(&self) -> Tree {
        let root = Utf8Path::from_path(self.folder.path()).unwrap();
        let mut tree = Tree::new();
        let mut folders = vec![self.path("")];
        folders.extend(Some(self.outside("aside")).filter(|aside| aside.is_dir()));
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().unwrap() {
                let Ok(path) = Utf8PathBuf::from_path_buf(entry.unwrap().path()) else { continue };
                let kind = path.symlink_metadata().unwrap().file_type();
                let entry = if kind.is_symlink() {
                    Entry::Link(path.read_link_utf8().unwrap())
                } else if kind.is_dir() {
                    folders.push(path.clone());
                    Entry::Folder
                } else if kind.is_file() {
                    Entry::File(fs::read(&path).unwrap())
                } else {
                    Entry::Other
                };
                let path = path.strip_prefix(self.path("")).or_else(|_| path.strip_prefix(root)).unwrap();
                tree.insert(path.to_owned(), entry);
            }
        }
        tree
    }

    /// `gen` with these arguments, not started yet.
    pub(crate) fn command<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
        command.args(arguments).current_dir(self.path("")).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    #[track_caller]
    pub(crate) fn run<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Answer {
        answer(&mut self.command(arguments))
    }

    /// Runs `gen`, which must refuse: with this code, these words, and without a trace.
    #[track_caller]
    pub(crate) fn refuses<const N: usize>(&self, arguments: [&str; N], code: i32, said: &str) {
        let before = self.tree();
        self.run(arguments).is(code, said);
        assert_eq!(self.tree(), before, "something was written");
    }

    /// The output is what the model gives, and nothing is left to do.
    #[track_caller]
    pub(crate) fn is_up_to_date(&self) {
        self.run(["check"]).is(0, "the output is up to date");
        self.run(["plan", "--detailed-exitcode"]).is(0, "no changes");
        let leftovers: Vec<_> = self.tree().into_keys().filter(|path| path.as_str().contains(".gen.apply")).collect();
        assert!(leftovers.is_empty(), "{leftovers:?}");
    }
}

/// What stands where a file is expected.
#[derive(Debug)]
pub(crate) enum Stranger {
    Folder,
    File,
    /// A link to what was there.
    Link,
    Dangling,
    Pipe,
}

/// Runs a command to its end, which must come soon, and without a panic.
#[track_caller]
pub(crate) fn answer(command: &mut Command) -> Answer {
    finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

#[track_caller]
pub(crate) fn finish(mut child: Child) -> Answer {
    let mut streams = (child.stdout.take(), child.stderr.take());
    let (out, err) = std::thread::scope(|scope| {
        let out = scope.spawn(|| text(streams.0.as_mut()));
        let err = scope.spawn(|| text(streams.1.as_mut()));
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("gen hangs");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        (out.join().unwrap(), err.join().unwrap())
    });
    let code = child.wait().unwrap().code().unwrap_or(-1);
    assert!(!err.contains("panicked at") && code != 101, "{err}");
    Answer { code, out, err }
}

fn text(stream: Option<&mut impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.read_to_end(&mut bytes).unwrap();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
