//! From text to the tree of `hcl::edit`, as strict as Terraform itself.

use super::fields::Source;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::{Span, conflict};
use hcl::edit::expr::Expression;
use hcl::edit::structure::{BlockLabel, Body};
use hcl::edit::template::{Element, StringTemplate, Template};
use hcl::edit::visit::{Visit, visit_block_label, visit_expr, visit_string_template};

/// Parses one file.
pub(super) fn parse(source: Source<'_>) -> Result<Body, Vec<Diagnostic>> {
    match source.text.parse::<Body>() {
        Ok(body) => {
            let mut lines = LinesInQuotes { source, problems: Vec::new() };
            lines.visit_body(&body);
            if lines.problems.is_empty() { Ok(body) } else { Err(lines.problems) }
        }
        Err(error) => {
            if let Some(conflict) = conflict(source.text, source.file, codes::BAD_TERRAFORM) {
                return Err(vec![conflict]);
            }
            let start = error.location().offset().min(source.text.len());
            let length = source.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            let span = Span::new(source.file, start, start + length);
            Err(vec![Diagnostic::new(codes::BAD_TERRAFORM, span, format!("this is not HCL: {}", error.message()))])
        }
    }
}

/// Finds line ends between quotes, which `hcl::edit` takes and Terraform does not.
struct LinesInQuotes<'a> {
    source: Source<'a>,
    problems: Vec<Diagnostic>,
}

impl LinesInQuotes<'_> {
    fn check(&mut self, of: &impl hcl::edit::Span) {
        if self.source.raw(of).contains('\n') {
            let message = "a text in quotes goes on in the next line";
            let problem = Diagnostic::new(codes::BAD_TERRAFORM, self.source.span(of), message);
            self.problems.push(problem.help("write `\\n`, or use a heredoc: `<<-EOT`"));
        }
    }

    fn check_literals(&mut self, template: &Template) {
        for element in template {
            if let Element::Literal(literal) = element {
                self.check(literal);
            }
        }
    }
}

impl Visit for LinesInQuotes<'_> {
    fn visit_expr(&mut self, node: &Expression) {
        if let Expression::String(text) = node {
            self.check(text);
        }
        visit_expr(self, node);
    }

    fn visit_block_label(&mut self, node: &BlockLabel) {
        self.check(node);
        visit_block_label(self, node);
    }

    fn visit_string_template(&mut self, node: &StringTemplate) {
        self.check_literals(node);
        visit_string_template(self, node);
    }
}
