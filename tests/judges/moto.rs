//! moto, which imitates AWS: `moto_judge.py`.

use super::program;
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// How to get it.
pub(crate) const GET: &str = "pip install 'moto[server,dynamodb,cloudformation]' boto3";

/// A Python that has moto; says the version once.
pub(crate) fn python() -> Option<String> {
    let python = program("python3", "PYTHON")?;
    let output = Command::new(&python).args(["-c", "import boto3, moto; print('moto', moto.__version__)"]).output().ok()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    output.status.success().then_some(python)
}

fn command(python: &str, mode: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/moto_judge.py"), mode]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// Makes stacks, each in an empty account, and says what it has then.
pub(crate) fn stacks(python: &str, stacks: &[Json]) -> Vec<Json> {
    let mut child = command(python, "stacks").stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(Json::from(stacks).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A server on a port of its own. It ends with the value, and when its input ends: with this process, whatever becomes of it.
pub(crate) struct Server {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Its port on 127.0.0.1.
    pub(crate) port: u16,
}

impl Server {
    /// Starts it.
    pub(crate) fn start(python: &str) -> Self {
        let mut child = command(python, "server").spawn().unwrap();
        let (questions, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut server = Self { child, questions, answers: BufReader::new(answers), port: 0 };
        server.port = serde_json::from_value(server.answer()["port"].clone()).unwrap();
        server
    }

    /// All tables by physical name, as it describes them.
    pub(crate) fn tables(&mut self) -> Json {
        writeln!(self.questions).unwrap();
        self.questions.flush().unwrap();
        self.answer()
    }

    fn answer(&mut self) -> Json {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("moto says `{line}`: {error}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
