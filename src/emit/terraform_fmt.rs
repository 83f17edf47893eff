//! The layout of `terraform fmt`: spaces within a line, indentation, and `=` and comments in columns.
//!
//! The rules are those of `hclwrite` (format.go of HCL 2): a line is its tokens up to a line end; `=` with a whole expression
//! behind it is aligned with its neighbours; so is a comment behind code. What `terraform fmt` rewrites beyond the layout
//! (quoted types, `"${x}"` alone) is not done here.

mod layout;
mod simple;
mod tokens;

/// Text as `terraform fmt` would leave it. Text that is not HCL is returned as it is: reading it back reports it.
#[must_use]
pub fn format(text: &str) -> String {
    simple::format(text).unwrap_or_else(|| in_full(text))
}

/// The same from its tokens.
fn in_full(text: &str) -> String {
    match tokens::tokens(text) {
        Some(tokens) => layout::layout(&tokens),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::format;
    use std::io::Write;
    use std::process::{Command, Stdio};

    const CASES: &[(&str, &str)] = &[
        ("a=1\nlong_name   =  2\n\nb = 3\n", "a         = 1\nlong_name = 2\n\nb = 3\n"),
        ("x {\na=[\n1,\n2\n]\nbb=1\n}\n", "x {\n  a = [\n    1,\n    2\n  ]\n  bb = 1\n}\n"),
        ("x{}\ny \"a\"{\n}\n", "x {}\ny \"a\" {\n}\n"),
        ("a = 1 # one\nbbb = 2 # two\n", "a   = 1 # one\nbbb = 2 # two\n"),
        ("# top\n   # indented\nx {\n# in\n}\n", "# top\n# indented\nx {\n  # in\n}\n"),
        ("a = f( x,y )\nb = ! c\nd = - 1\ne = 1-2\n", "a = f(x, y)\nb = !c\nd = -1\ne = 1 - 2\n"),
        ("a = \"x-${ var.y }-%{ if z }q%{ endif }\"\n", "a = \"x-${var.y}-%{if z}q%{endif}\"\n"),
        ("a = {x=1,y=2}\nb = [for k,v in m:k]\n", "a = { x = 1, y = 2 }\nb = [for k, v in m : k]\n"),
        ("a = <<EOT\n  raw  =  1 ${ x }\nEOT\nb=1\n", "a = <<EOT\n  raw  =  1 ${x}\nEOT\nb = 1\n"),
        ("a = m[ 0 ] . b\nc = a ? b:c\nd = a == b&&c\n", "a = m[0].b\nc = a ? b : c\nd = a == b && c\n"),
        ("x {\n  a = {\n    b = 1\n    cc = \"ü\" # c\n    ddd = \"xyz\" # d\n  }\n}\n", ""),
        ("a = \"$${x} \\\" %%{y} {\"\nb = 1 /* c */\n// d\n", "a = \"$${x} \\\" %%{y} {\"\nb = 1 /* c */\n// d\n"),
        ("f(\n[\n1\n])\n", ""),
        ("a = [\n{\nb = 1\n},\n{ c = 2 }]\n", ""),
        ("x \"y\" \"z\" { a = 1 }\n", ""),
        ("a = \"tab\\t\"\r\nbb = 2\r\n", ""),
        ("a = [for x in [1]: x...]\nb = x.*.y\nc = x[*].y\n", ""),
        ("a = <<-EOT\n    x\n    EOT\n", ""),
        ("a = provider::x::f(1)\n\n\n\nb = 1e3\n", ""),
    ];

    #[test]
    fn layout_is_that_of_terraform_fmt() {
        for (before, after) in CASES {
            if !after.is_empty() {
                assert_eq!(format(before), *after, "{before}");
            }
            assert_eq!(format(&format(before)), format(before), "not idempotent: {before}");
        }
    }

    #[test]
    fn the_real_terraform_agrees() {
        let Some(real) = terraform_fmt("a = 1\n") else {
            // The judge is not installed.
            return;
        };
        assert_eq!(real, "a = 1\n");
        for (before, _) in CASES {
            if let Some(real) = terraform_fmt(before) {
                assert_eq!(format(before), real, "{before}");
            }
        }
    }

    #[test]
    fn what_is_not_hcl_is_left_alone() {
        for text in ["a = \"unfinished\n", "a = <<EOT\nnever closed\n", "a = `x`", "\u{0}", "a = \"${\"", "/* open"] {
            assert_eq!(format(text), text);
        }
    }

    /// What `terraform fmt -` prints; None when it is not installed or refuses the text.
    fn terraform_fmt(text: &str) -> Option<String> {
        let mut child = Command::new("terraform")
            .args(["fmt", "-"])
            .env("CHECKPOINT_DISABLE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
    }
}
