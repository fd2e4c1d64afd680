//! `--html`: the table as one web page that holds all it needs.

use wingbeat_page::{escape, plain_page};

use super::report::{by_suite, suite_title, total};
use super::verdict::{JudgedProof, Verdict};

const STYLE: &str = "\
main { display: block; }
table { border-collapse: collapse; width: 100%; margin: 6px 0 26px; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: 7px 10px;
  border-bottom: 1px solid rgb(127 145 190 / 0.25); overflow-wrap: anywhere; }
th { font-weight: 600; font-size: 12.5px; color: #8190b3; }
th:nth-child(1) { width: 24%; } th:nth-child(2) { width: 27%; } th:nth-child(4) { width: 9.5em; }
  th:nth-child(5) { width: 5.5em; }
td:nth-child(5), th:nth-child(5) { text-align: right; font-variant-numeric: tabular-nums; }
h2 { font-size: 17px; margin: 0; }
small { display: block; color: #8190b3; font-size: 12px; margin-top: 2px; }
b { display: inline-block; border-radius: 999px; padding: 0 9px; font-weight: 600;
  font-size: 12.5px; }
.pass { background: rgb(60 180 110 / 0.22); } .fail { background: rgb(230 150 50 / 0.25); }
  .idle { background: rgb(127 145 190 / 0.22); }
.differs { background: #c8323c; color: #fff; }
li { margin: 3px 0; }
.broken { color: #d9772b; }
@media (max-width: 760px) { table, tbody, tr, td { display: block; } th { display: none; } td {
  border: 0; padding: 2px 0; }
  tr { display: block; padding: 10px 0; border-bottom: 1px solid rgb(127 145 190 / 0.25); }
  td:nth-child(5) { text-align: left; } }
ul { margin: 0; padding-left: 16px; }";

/// The page.
pub fn html(judged: &[JudgedProof<'_>], quick: bool, seconds: f64) -> String {
    let mut body = format!(
        "<h1>Published and measured</h1>\n<p>{}</p>\n<main>\n",
        escape(total(judged, quick, seconds).trim())
    );
    for (suite, proofs) in by_suite(judged) {
        body += &format!("<h2>{}</h2>\n<table>\n<tr>", escape(suite_title(suite)));
        body += "<th>proof</th><th>published</th><th>measured</th><th>verdict</th>\
                 <th>seconds</th></tr>\n";
        proofs.into_iter().for_each(|one| body += &row(one));
        body += "</table>\n";
    }
    body += "</main>\n";
    plain_page("Wingbeat: published and measured", STYLE, &body)
}

fn row(one: &JudgedProof<'_>) -> String {
    let proof = one.proof;
    let class = match one.verdict {
        _ if !one.is_as_expected() => "differs",
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NotBuilt | Verdict::Skipped | Verdict::LeftOut => "idle",
    };
    let item = |outcome: &super::check::Outcome| {
        let class = if outcome.holds { "" } else { " class=\"broken\"" };
        format!("<li{class}>{}</li>", escape(&super::verdict::words(outcome)))
    };
    let measured: String = one.outcomes.iter().map(item).collect();
    let why = proof
        .why
        .as_ref()
        .map_or_else(String::new, |why| format!("<small>{}</small>", escape(why)));
    let seconds = if one.runs > 0 { format!("{:.1}", one.seconds) } else { String::new() };
    format!(
        "<tr><td>{}<small><code>{}</code></small></td><td>{}<small>{}</small></td>\
         <td><ul>{measured}</ul>{why}</td>\
         <td><b class=\"{class}\">{}</b></td><td>{seconds}</td></tr>\n",
        escape(&proof.title),
        escape(&proof.name),
        escape(&proof.published),
        escape(&proof.source),
        escape(&one.words())
    )
}
