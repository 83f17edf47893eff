//! A real Apache Cassandra, from its jars, for as long as the value lives.

use camino::{Utf8Path, Utf8PathBuf};
use nosql_gen::diagnostic::Sink;
use nosql_gen::read::cql::{read, statements};
use nosql_gen::schema::Engine;
use nosql_gen::schema::cql::{Schema, identifier};
use nosql_gen::source::SourceMap;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A release to judge by.
#[derive(Clone, Copy)]
pub(crate) struct Release {
    /// The version of its jars.
    pub(crate) version: &'static str,
    /// What its schemas are normalised for.
    pub(crate) engine: Engine,
    /// The settings that are spelled differently from release to release.
    pub(crate) features: &'static str,
}

/// The releases of which there is a judge, the latest first.
pub(crate) const RELEASES: [Release; 3] = [
    Release { version: "5.0.9", engine: Engine::Cassandra50, features: include_str!("features-5.0.yaml") },
    Release { version: "4.1.10", engine: Engine::Cassandra41, features: include_str!("features-4.1.yaml") },
    Release { version: "4.0.19", engine: Engine::Cassandra40, features: include_str!("features-4.0.yaml") },
];

/// Why there is no node.
pub(crate) enum NoNode {
    /// Something is not installed: what, and how to get it.
    Missing(String),
    /// It is there and does not start.
    Broken(String),
}

/// How long a node may take to start.
const START: Duration = Duration::from_secs(300);

/// A running node.
pub(crate) struct Node {
    release: Release,
    java: Child,
    python: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl Node {
    /// Starts one on free ports, in a folder of its own.
    pub(crate) fn start(release: Release) -> Result<Self, NoNode> {
        let judge = Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judges/cassandra"));
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        installed("java", &["-version"], "17", "a Java 17")?;
        installed(
            &python,
            &["-c", "import cassandra; print('driver', cassandra.__version__)"],
            "driver",
            "pip install cassandra-driver",
        )?;
        let jars = jars(judge, release)?;

        let folder = tempfile::tempdir().map_err(|error| NoNode::Broken(error.to_string()))?;
        let dir = Utf8PathBuf::from_path_buf(folder.path().to_path_buf())
            .map_err(|path| NoNode::Broken(format!("{} is not UTF-8", path.display())))?;
        let [storage, ssl, native, jmx] = free_ports();
        let settings = include_str!("cassandra.yaml")
            .replace("DIR", dir.as_str())
            .replace("STORAGE", &storage.to_string())
            .replace("SSL", &ssl.to_string())
            .replace("NATIVE", &native.to_string());
        let files = [
            ("cassandra.yaml", settings + release.features),
            ("cassandra-rackdc.properties", "dc=dc1\nrack=r1\n".to_owned()),
            ("logback.xml", include_str!("logback.xml").to_owned()),
        ];
        for (name, text) in files {
            fs::write(dir.join(name), text).map_err(|error| NoNode::Broken(error.to_string()))?;
        }
        let log = fs::File::create(dir.join("log")).map_err(|error| NoNode::Broken(error.to_string()))?;
        let errors = log.try_clone().map_err(|error| NoNode::Broken(error.to_string()))?;
        let agent = jars
            .read_dir_utf8()
            .ok()
            .and_then(|entries| entries.flatten().find(|entry| entry.file_name().starts_with("jamm-")))
            .map(|entry| format!("-javaagent:{}", entry.path()));
        let java = Command::new("java")
            .arg(format!("@{}", judge.join("jvm.options")))
            .args(agent)
            .arg(format!("-Dcassandra.config=file://{dir}/cassandra.yaml"))
            .arg(format!("-Dcassandra.storagedir={dir}/data"))
            .arg(format!("-Dcassandra.logdir={dir}"))
            .arg(format!("-Dlogback.configurationFile=file://{dir}/logback.xml"))
            .arg(format!("-Dcassandra.jmx.local.port={jmx}"))
            .args(["-cp", &format!("{dir}:{jars}/*"), "org.apache.cassandra.service.CassandraDaemon"])
            .current_dir(&dir)
            .stdout(log)
            .stderr(errors)
            .spawn();
        let mut java = java.map_err(|error| NoNode::Broken(format!("java: {error}")))?;
        match ready(&mut java, native).and_then(|()| connect(&python, judge, native)) {
            Ok((python, requests, answers)) => Ok(Self { release, java, python, requests, answers, folder }),
            Err(why) => {
                end(&mut java);
                let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
                Err(NoNode::Broken(format!("Cassandra {}: {why}\n{log}", release.version)))
            }
        }
    }

    /// Runs the statements of a schema with one keyspace, in place of any keyspace of that name, reads what `DESCRIBE` says
    /// of it, and compares.
    pub(crate) fn check(&mut self, text: &str) -> Result<(), String> {
        let text = &in_one_centre(text)?;
        let expected = parse(text)?;
        let [keyspace] = expected.keyspaces.keys().collect::<Vec<_>>()[..] else {
            return Err(format!("{} keyspaces, not one", expected.keyspaces.len()));
        };
        let described = self.describe(text, keyspace)?;
        let normal = |schema: &Schema| schema.as_written().normalise(self.release.engine);
        let (expected, found) = (normal(&expected), normal(&parse(&described)?));
        if expected == found {
            return Ok(());
        }
        let differences = nosql_gen::schema::differences(&expected, &found).map_err(|error| error.to_string())?;
        Err(format!("{text}\nis described as\n{described}\nso these differ: {differences:#?}"))
    }

    /// Runs the statements of a schema with one keyspace, then tries some that have to be refused; what the node says to each.
    pub(crate) fn refuses(&mut self, text: &str, tried: &str) -> Result<Vec<String>, String> {
        let schema = parse(text)?;
        let Some(keyspace) = schema.keyspaces.keys().next() else { return Err("there is no keyspace".to_owned()) };
        let tried: Vec<&str> = tried.split(";\n").map(str::trim).filter(|statement| !statement.is_empty()).collect();
        let answer = self.ask(&split(text), &tried, keyspace)?;
        let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
        let Some(said) = answer.get("said").and_then(Value::as_array) else {
            return Err(format!("{} is refused already: {}", text("refused"), text("error")));
        };
        let said = tried
            .iter()
            .zip(said)
            .map(|(statement, said)| said.as_str().map(str::to_owned).ok_or_else(|| format!("Cassandra takes {statement}")));
        said.collect()
    }

    /// Runs statements, then tries some; the driver's answer.
    fn ask(&mut self, statements: &[String], tried: &[&str], keyspace: &str) -> Result<Value, String> {
        let request = json!({ "statements": statements, "try": tried, "describe": identifier(keyspace) });
        let io = |error: std::io::Error| format!("the driver is gone: {error}");
        writeln!(self.requests, "{request}").map_err(io)?;
        self.requests.flush().map_err(io)?;
        line(&mut self.answers)
    }

    fn describe(&mut self, text: &str, keyspace: &str) -> Result<String, String> {
        let answer = self.ask(&split(text), &[], keyspace)?;
        if let Some(described) = answer.get("described").and_then(Value::as_str) {
            return Ok(described.to_owned());
        }
        let said = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let from = log.len() - log.len().min(4000);
        let log = log.get(from..).unwrap_or(&log);
        Err(format!("Cassandra refuses: {}\n{}\nThe end of its log:\n{log}", said("error"), said("refused")))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        end(&mut self.python);
        end(&mut self.java);
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn parse(text: &str) -> Result<Schema, String> {
    let mut sources = SourceMap::default();
    let file = sources.add("schema.cql", text);
    let mut sink = Sink::default();
    read(&sources, &[file], &mut sink).ok_or_else(|| format!("{:#?}\n{text}", sink.diagnostics()))
}

/// The statements of a text.
fn split(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add("schema.cql", text);
    let spans = statements(&sources, file, &mut Sink::default());
    spans.into_iter().map(|span| sources.snippet(span).to_owned()).collect()
}

/// The schema without replicas in data centres other than the node's own, which it would refuse.
fn in_one_centre(text: &str) -> Result<String, String> {
    let mut here = text.to_owned();
    for keyspace in parse(text)?.keyspaces.values() {
        let elsewhere =
            keyspace.replication.iter().filter(|(key, _)| !["class", "dc1", "replication_factor"].contains(&key.as_str()));
        for (centre, replicas) in elsewhere {
            here = here.replace(&format!(", '{centre}': '{replicas}'"), "");
        }
    }
    Ok(here)
}

/// Whether a program is there and prints a word about itself.
fn installed(program: &str, arguments: &[&str], word: &str, get: &str) -> Result<(), NoNode> {
    let missing = || NoNode::Missing(format!("`{program}` is not installed as it is needed ({get})"));
    let output = Command::new(program).args(arguments).output().map_err(|_| missing())?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if output.status.success() && said.contains(word) { Ok(()) } else { Err(missing()) }
}

/// The folder of the release's jars; fetched once for all runs.
fn jars(judge: &Utf8Path, release: Release) -> Result<Utf8PathBuf, NoNode> {
    let version = release.version;
    let folder = Utf8PathBuf::from(format!("{}/cassandra-{version}", env!("CARGO_TARGET_TMPDIR")));
    if folder.is_dir() {
        return Ok(folder);
    }
    installed("mvn", &["-v"], "Maven", "Apache Maven")?;
    // Beside its place first, so that a folder in its place is a whole one.
    let partial = Utf8PathBuf::from(format!("{folder}.{}", std::process::id()));
    let output = Command::new("mvn")
        .args(["-q", "-B", "-f", judge.join("pom.xml").as_str(), "dependency:copy-dependencies"])
        .arg(format!("-Dcassandra.version={version}"))
        .arg(format!("-DoutputDirectory={partial}"))
        .output()
        .map_err(|error| NoNode::Missing(format!("mvn: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        return Err(NoNode::Missing(format!("the jars of Cassandra {version} cannot be fetched: {said}")));
    }
    match fs::rename(&partial, &folder) {
        Err(error) if !folder.is_dir() => Err(NoNode::Broken(error.to_string())),
        _ => Ok(folder),
    }
}

/// Ports that nobody uses, all held until all are known.
fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

fn ready(java: &mut Child, native: u16) -> Result<(), String> {
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", native)).is_err() {
        if let Some(status) = java.try_wait().map_err(|error| error.to_string())? {
            return Err(format!("ended with {status}"));
        }
        if started.elapsed() > START {
            return Err(format!("not ready after {} s", START.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

fn connect(python: &str, judge: &Utf8Path, native: u16) -> Result<(Child, ChildStdin, BufReader<ChildStdout>), String> {
    let mut child = Command::new(python)
        .args([judge.join("driver.py").as_str(), &native.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        end(&mut child);
        return Err("the driver has no pipes".to_owned());
    };
    let mut answers = BufReader::new(answers);
    match line(&mut answers) {
        Ok(said) => {
            println!("judge: Apache Cassandra {}", said.get("ready").and_then(Value::as_str).unwrap_or("of an unknown version"));
            Ok((child, requests, answers))
        }
        Err(error) => {
            end(&mut child);
            Err(error)
        }
    }
}

fn line(answers: &mut impl BufRead) -> Result<Value, String> {
    let mut text = String::new();
    answers.read_line(&mut text).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| format!("the driver says `{}`: {error}", text.trim()))
}
