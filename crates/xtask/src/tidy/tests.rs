//! Each check on small values: what breaks the rule, and what looks alike and does not.

use super::crates::{Dependency, Metadata, Package, check_edges, check_names, check_owners};
use super::files::{check_addresses, check_fixtures, check_manifest, check_size, check_terms};
use super::rust_code::code_only;
use super::tree::File;
use super::{licences, sources};

fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
    Package {
        id: format!("path+file:///w/{name}"),
        name: name.to_owned(),
        version: "1.2.3".to_owned(),
        license: Some("MIT OR Apache-2.0".to_owned()),
        manifest_path: format!("/w/crates/{name}/Cargo.toml"),
        dependencies: dependencies
            .iter()
            .map(|(name, kind)| Dependency {
                name: (*name).to_owned(),
                kind: kind.map(str::to_owned),
            })
            .collect(),
    }
}

fn metadata(packages: Vec<Package>) -> Metadata {
    let workspace_members = packages.iter().map(|package| package.id.clone()).collect();
    Metadata {
        packages,
        workspace_members,
        workspace_root: "/w".to_owned(),
    }
}

fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        bytes: text.len() as u64,
        text: Some(text.to_owned()),
    }
}

#[track_caller]
fn check(problems: &[super::Problem], expected: &[&str]) {
    let printed: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let short: Vec<&str> = printed
        .iter()
        .map(|line| line.split(';').next().unwrap_or(line))
        .collect();
    assert_eq!(short, expected);
}

#[test]
fn edges_outside_the_table_are_named() {
    let metadata = metadata(vec![
        package("coevo-http", &[]),
        package("coevo-graph", &[("coevo-http", None), ("coevo-llm", None)]),
        package("coevo-llm", &[("coevo-http", None), ("serde", None)]),
        package(
            "coevo-memory",
            &[("coevo-graph", None), ("coevo-server", Some("dev"))],
        ),
        package("coevo-server", &[]),
        package("coevo-surprise", &[]),
    ]);
    check(
        &check_edges(&metadata),
        &[
            "crates/coevo-graph/Cargo.toml:1: coevo-graph may not depend on coevo-llm",
            "crates/coevo-memory/Cargo.toml:1: coevo-memory may not depend on coevo-server",
            "crates/coevo-surprise/Cargo.toml:1: crate coevo-surprise is not in the table of allowed edges",
        ],
    );
}

#[test]
fn heavy_dependencies_have_one_owner_outside_tests() {
    let metadata = metadata(vec![
        package("coevo-graph", &[("oxigraph", None), ("axum", None)]),
        package("coevo-reason", &[("oxigraph", None), ("oxrdf", None)]),
        package("coevo", &[("axum", Some("dev")), ("clap", None)]),
    ]);
    check(
        &check_owners(&metadata),
        &[
            "crates/coevo-graph/Cargo.toml:1: axum is owned by coevo-server, coevo-graph may not name it",
            "crates/coevo-reason/Cargo.toml:1: oxigraph is owned by coevo-graph, coevo-reason may not name it",
        ],
    );
}

#[test]
fn crates_are_not_called_core() {
    let metadata = metadata(vec![
        package("coevo-core", &[]),
        package("utils", &[]),
        package("coevo-eval", &[]),
    ]);
    check(
        &check_names(&metadata),
        &[
            "crates/coevo-core/Cargo.toml:1: a crate called coevo-core says nothing about what is inside",
            "crates/utils/Cargo.toml:1: a crate called utils says nothing about what is inside",
        ],
    );
}

#[test]
fn licence_expressions() {
    for (expression, expected) in [
        ("MIT", true),
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR GPL-2.0) AND (AGPL-3.0 OR LGPL-3.0)", false),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0", true),
        ("GPL-2.0 WITH Classpath-exception-2.0", false),
        ("MIT AND", false),
        ("(MIT", false),
        ("MIT MIT", false),
        ("", false),
    ] {
        assert_eq!(licences::is_allowed(expression), expected, "{expression}");
    }
}

#[test]
fn a_package_without_or_with_a_wrong_licence_is_named() {
    let mut silent = package("silent", &[]);
    silent.license = None;
    let mut viral = package("viral", &[]);
    viral.license = Some("AGPL-3.0-only".to_owned());
    check(
        &licences::check(&metadata(vec![silent, viral, package("fine", &[])])),
        &[
            "Cargo.lock:1: silent 1.2.3 states no licence",
            "Cargo.lock:1: viral 1.2.3 is under AGPL-3.0-only",
        ],
    );
}

#[test]
fn literals_and_comments_are_not_code() {
    for (source, expected) in [
        (r#"a("todo!") // dbg!"#, r"a(       )        "),
        (r#"f(r"x", 'y', 'z: loop {})"#, r"f(    ,    , 'z: loop {})"),
        ("a /* b /* c */ d */ e", "a                   e"),
        (r##"a r#"q " q"# b r#type"##, r"a            b r#type"),
        (
            r#"b"x\"y" + br"\" + '\'' + '\u{41}'"#,
            r"b       + b     +      +         ",
        ),
        ("\"line\nline\" x", "     \n      x"),
        ("var\"s\"", "var   "),
    ] {
        assert_eq!(code_only(source), expected, "{source}");
    }
}

#[test]
fn a_file_opens_with_its_documentation_and_stays_short() {
    check(&sources::check("crates/a/src/b.rs", "//! It is.\n"), &[]);
    check(
        &sources::check("crates/a/src/b.rs", "use x;\n"),
        &["crates/a/src/b.rs:1: the file does not open with //!"],
    );
    check(&sources::check("crates/a/src/b/tests.rs", "use x;\n"), &[]);
    let long = "//! It is.\n".repeat(801);
    check(
        &sources::check("crates/a/src/b.rs", &long),
        &["crates/a/src/b.rs:800: 801 lines, 800 at most"],
    );
    check(
        &sources::check("crates/a/src/b.rs", &"//! It is.\n".repeat(800)),
        &[],
    );
    let face = "//! It is.\n".repeat(61);
    check(
        &sources::check("crates/a/src/lib.rs", &face),
        &["crates/a/src/lib.rs:60: lib.rs has 61 lines, 60 at most"],
    );
    check(&sources::check("crates/a/src/other_lib.rs", &face), &[]);
}

#[test]
fn modules_are_not_called_utils() {
    let text = "//! It is.\n";
    check(
        &sources::check("crates/a/src/utils.rs", text),
        &["crates/a/src/utils.rs:1: a module called utils.rs says nothing about what is inside"],
    );
    check(
        &sources::check("crates/a/src/common/mod.rs", text),
        &["crates/a/src/common/mod.rs:1: a module called common says nothing about what is inside"],
    );
    check(&sources::check("crates/a/src/core_graph.rs", text), &[]);
}

#[test]
fn unfinished_code_is_named_where_it_stands() {
    let source = "//! It is.\nfn a() { todo!() }\nfn b() { \"todo!()\"; my_todo!() } // dbg!\nfn c() { std::dbg!(1) }\n";
    check(
        &sources::check("crates/a/src/b.rs", source),
        &[
            "crates/a/src/b.rs:2: todo! left in",
            "crates/a/src/b.rs:4: dbg! left in",
        ],
    );
}

#[test]
fn sparql_is_not_built_by_format() {
    let source = "//! It is.\nlet q = format!(\n  \"SELECT ?s WHERE {{ ?s ?p {o} }}\");\n";
    let expected = "crates/a/src/b.rs:2: SPARQL (SELECT ?) built by format!";
    check(&sources::check("crates/a/src/b.rs", source), &[expected]);
    check(&sources::check("crates/a/src/b/tests.rs", source), &[]);
    check(&sources::check("tests/it/query.rs", source), &[]);

    let update = "//! It is.\nwrite!(out, \"INSERT\n  DATA {{ {triple} }}\")?;\n";
    check(
        &sources::check("crates/a/src/b.rs", update),
        &["crates/a/src/b.rs:2: SPARQL (INSERT DATA) built by write!"],
    );

    for harmless in [
        "format!(\"SELECTED {n} of {m}\")",
        "load(\"SELECT ?s WHERE { ?s ?p ?o }\")",
        "format!(\"{a}\", a = b) + \"ASK {\"",
    ] {
        check(
            &sources::check("crates/a/src/b.rs", &format!("//! It is.\nlet x = {harmless};\n")),
            &[],
        );
    }
}

#[test]
fn members_take_the_workspaces_versions() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nserde.workspace = true\nfs-err = { workspace = true }\n\
                    rand = \"0.9\"\nserde_json = { workspace = true, features = [\"raw_value\"] }\n[features]\nx = []\n";
    check(
        &check_manifest("crates/a/Cargo.toml", manifest),
        &[
            "crates/a/Cargo.toml:6: `rand = \"0.9\"` does not take the workspace's version and features",
            "crates/a/Cargo.toml:7: `serde_json = { workspace = true, features = [\"raw_value\"] }` does not take the workspace's version and features",
        ],
    );
}

#[test]
fn pages_load_nothing_from_elsewhere() {
    let page = "<a href=\"https://www.wikidata.org/\">Wikidata</a>\n<script src=\"https://example.org/a.js\"></script>\n\
                <link rel=\"stylesheet\" href='https://fonts.googleapis.com/css'>\n<style>@import \"https://x.org/y.css\"</style>\n";
    check(
        &check_addresses("crates/coevo-server/ui/index.html", page),
        &[
            "crates/coevo-server/ui/index.html:2: a page loads from another origin (src=http)",
            "crates/coevo-server/ui/index.html:3: a page loads from another origin (fonts.googleapis.com)",
            "crates/coevo-server/ui/index.html:4: a page loads from another origin (@importhttp)",
        ],
    );
    check(
        &check_addresses(
            "crates/coevo-server/src/page.rs",
            "const SCRIPT: &str = \"https://unpkg.com/x\";\n",
        ),
        &["crates/coevo-server/src/page.rs:1: a page loads from another origin (unpkg.com)"],
    );
    check(
        &check_addresses("crates/coevo-http/src/client.rs", "\"https://unpkg.com/x\"\n"),
        &[],
    );
}

#[test]
fn fixtures_state_their_licence() {
    let tree = [
        file("tests/fixtures/README.md", ""),
        file("tests/fixtures/a/README.md", "# A\nLicence: CC0\n"),
        file("tests/fixtures/a/x.nt", ""),
        file("tests/fixtures/b/README.md", "# B\n"),
        file("tests/fixtures/c/deep/x.nt", ""),
    ];
    check(
        &check_fixtures(&tree),
        &[
            "tests/fixtures/b/README.md:1: the README states no licence",
            "tests/fixtures/c/README.md:1: the folder has no README.md",
        ],
    );
}

#[test]
fn terms_of_ours_are_in_the_ontology() {
    let ontology = "@prefix c: <x> .\n\nc:Claim a rdfs:Class .\nc:status a rdf:Property .\n";
    let prefix = concat!("urn:coevo:", "ns#");
    let text = format!("<{prefix}Claim> <{prefix}status>\n<{prefix}stat> \"{prefix}\"\n");
    check(
        &check_terms("crates/a/src/b.rs", &text, ontology),
        &[&format!(
            "crates/a/src/b.rs:2: {prefix}stat is not in schemas/memory.ttl"
        )],
    );
}

#[test]
fn large_files_are_named() {
    let mut large = file("tests/fixtures/a/x.gz", "");
    large.bytes = (12 << 20) + 1;
    check(
        &check_size(&large),
        &["tests/fixtures/a/x.gz:1: 12582913 bytes, 12582912 at most"],
    );
    large.bytes = 12 << 20;
    check(&check_size(&large), &[]);
}

#[test]
fn the_owner_of_a_heavy_dependency_is_in_the_table_of_edges() {
    // A member named in neither table would make both checks pass silently.
    let members = [
        "coevo-graph",
        "coevo-vectors",
        "coevo-documents",
        "coevo-http",
        "coevo-reason",
        "coevo-server",
        "coevo",
    ];
    let packages = members.map(|name| package(name, &[])).into_iter().collect();
    check(&check_edges(&metadata(packages)), &[]);
}
