//! Line ends between quotes, which `hcl::edit` takes and Terraform does not.

use crate::diagnostic::{Diagnostic, codes};
use crate::read::terraform::fields::Source;
use crate::source::Span;
use hcl::edit::expr::Expression;
use hcl::edit::structure::{BlockLabel, Body};
use hcl::edit::template::{Element, StringTemplate, Template};
use hcl::edit::visit::{Visit, visit_block_label, visit_expr, visit_string_template};

/// What is wrong with a file that was parsed.
pub(super) fn lines_in_quotes(source: Source<'_>, body: &Body) -> Vec<Diagnostic> {
    let mut lines = LinesInQuotes { source, problems: Vec::new() };
    lines.visit_body(body);
    lines.problems
}

struct LinesInQuotes<'a> {
    source: Source<'a>,
    problems: Vec<Diagnostic>,
}

impl LinesInQuotes<'_> {
    fn check(&mut self, of: &impl hcl::edit::Span) {
        let range = of.span().unwrap_or(0..0);
        if self.source.text.get(range.clone()).is_some_and(|text| text.contains('\n')) {
            let message = "a text in quotes goes on in the next line";
            let problem = Diagnostic::new(codes::BAD_TERRAFORM, Span::new(self.source.file, range.start, range.end), message);
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
