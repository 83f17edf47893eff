//! Reading a file of the user's whole: from files alone, up to a limit, so that no command waits for a pipe or fills the
//! memory from a device.

use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, File};
use std::io::{self, Read};

/// Spans count bytes in 32 bits; nobody writes a model or a template near that.
pub(super) const SIZE_LIMIT: usize = 256 << 20;

/// The bytes of a file. Links are followed.
///
/// # Errors
/// What the operating system says; a folder, a pipe or a device; more than 256 MiB.
pub fn read_bytes(path: &Utf8Path) -> io::Result<Vec<u8>> {
    // Looked at before it is opened: opening a pipe waits for somebody to write.
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !found.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    // Read in one piece: a buffer that starts empty asks the system a dozen times.
    let size = usize::try_from(found.len()).unwrap_or(SIZE_LIMIT).min(SIZE_LIMIT);
    let mut bytes = Vec::with_capacity(size);
    File::open(path)?.take(SIZE_LIMIT as u64 + 1).read_to_end(&mut bytes)?;
    match too_large(bytes.len()) {
        Some(message) => Err(io::Error::new(io::ErrorKind::FileTooLarge, message)),
        None => Ok(bytes),
    }
}

/// The text of a file.
///
/// # Errors
/// Those of [`read_bytes`]; bytes that are not UTF-8.
pub fn read_text(path: &Utf8Path) -> io::Result<String> {
    let refused = |error: std::string::FromUtf8Error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8, from byte {at} on"))
    };
    String::from_utf8(read_bytes(path)?).map_err(refused)
}

/// A path with `.` and `..` resolved as far as its text goes.
#[must_use]
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.iter().collect()
}

/// Why a text of this size is not read.
pub(super) fn too_large(bytes: usize) -> Option<String> {
    (bytes > SIZE_LIMIT).then(|| format!("it has more than {} MiB", SIZE_LIMIT >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_text_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        fs::write(root.join("text"), "gen: 1\r\n").unwrap();
        fs::write(root.join("bytes"), [b'a', 0xff]).unwrap();
        assert_eq!(read_text(&root.join("text")).unwrap(), "gen: 1\r\n");
        assert_eq!(read_text(&root.join("bytes")).unwrap_err().to_string(), "it is not UTF-8, from byte 1 on");
        assert_eq!(read_text(root).unwrap_err().to_string(), "it is a folder");
        assert_eq!(read_text(&root.join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(too_large(SIZE_LIMIT), None);
        assert!(too_large(SIZE_LIMIT + 1).is_some());
        if cfg!(unix) {
            assert_eq!(read_bytes(Utf8Path::new("/dev/zero")).unwrap_err().to_string(), "it is not a file");
        }
    }

    #[test]
    fn one_path_may_be_written_in_several_ways() {
        for path in ["infra/shop/a.tf", "./infra/shop/a.tf", "infra/x/../shop/./a.tf"] {
            assert_eq!(normal(Utf8Path::new(path)), "infra/shop/a.tf");
        }
        assert_eq!(normal(Utf8Path::new("../a")), "../a");
    }
}
