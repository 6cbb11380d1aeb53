//! Templates and submit files contain the given values. tests/cluster checks them against the
//! schemas of their engines.

use super::{HOSTILE, job, shard_words, text, under};
use catena::cluster::{ENGINES, Engine, Word};
use std::ffi::OsString;
use std::path::PathBuf;

/// Items of the first list with this indentation after a given line: bare strings, or strings in
/// double quotes.
fn list(text: &str, start: &str) -> Vec<String> {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    let lines = rest.lines().skip(1).take_while(|line| line.starts_with("            "));
    let items = lines.filter_map(|line| line.trim().strip_prefix("- "));
    let item = |item: &str| match item.starts_with('"') {
        true => serde_json::from_str(item).unwrap(),
        false => item.to_owned(),
    };
    items.map(item).collect()
}

#[test]
fn every_engine_has_number_time_and_memory_in_its_job() {
    let mut jobs = String::new();
    for engine in &ENGINES {
        for film in [false, true] {
            let text = text(engine.name, &job("plain", 64, film));
            assert_eq!(text.contains("plain.mp4"), film, "{}: {text}", engine.name);
            if film {
                jobs += &format!("==== {}\n{text}", engine.name);
            }
            // No placeholder of the template is left.
            assert!(!text.contains(['«', '»']), "{}: {text}", engine.name);
            assert!(text.starts_with('#') && text.ends_with('\n'), "{}", engine.name);
            let wide =
                text.lines().find(|line| line.starts_with("# ") && line.chars().count() > 140);
            assert_eq!(wide, None, "{}", engine.name);
        }
    }
    insta::assert_snapshot!("jobs", jobs);
}

#[test]
fn kubernetes_gets_the_words_as_they_were_given() {
    for name in HOSTILE.iter().filter(|name| !name.contains('/')) {
        let text = text("kubernetes", &job(name, 64, true));
        // Kubernetes replaces `$$` by `$`.
        let words =
            list(&text, "          command:").into_iter().map(|word| word.replace("$$", "$"));
        let words: Vec<String> = words.collect();
        let mut expected = shard_words(name, "");
        expected.drain(2..4);
        let out = format!("/shared/out {name}");
        let is_map = !name.contains(['"', ',', '=']);
        let place = if is_map { "/source" } else { "/shared/source" };
        (expected[1], expected[3]) = (format!("{place}/scene.ron"), out.clone());
        expected[7] = format!("{place}/font/a face.ttf");
        assert_eq!(words[..2], ["sh", "-c"], "{name}");
        assert_eq!(words[2], r#"exec catena "$@" --shard "$((JOB_COMPLETION_INDEX + 1))/64""#);
        assert_eq!(words[4..], expected, "{name}");
        let (_, film) = text.split_once("-film\n").unwrap();
        let film = list(film, "          command:").into_iter().map(|word| word.replace("$$", "$"));
        let path = format!("/shared/{name}.mp4");
        assert_eq!(
            film.collect::<Vec<_>>(),
            ["catena", "film", &out, "-o", &path, "--preset", "fast"]
        );
    }
}

#[test]
fn open_job_description_gets_the_words_as_they_were_given() {
    for name in HOSTILE {
        let text = text("openjd", &job(name, 64, true));
        let words = list(&text, "            - --\n");
        let expected = [
            "{{Param.Catena}}",
            "render",
            "{{Param.Source}}",
            "--shard",
            "{{Task.Param.Shard}}/{{Param.Shards}}",
        ];
        // The first line is the skipped one.
        assert_eq!(words[..4], expected[1..], "{name}");
        let title = format!("title=\"{name}\"");
        assert_eq!(
            words[4..],
            ["--out", "{{Param.Out}}", "--set", &title, "--font", "{{Param.Input1}}"]
        );
        let default = format!("default: {}", serde_json::json!(under(&format!("{name}.ron"))));
        assert!(text.contains(&default), "{default} is not in {text}");
    }
}

/// Words of HTCondor's `arguments`, by the rules of its manual.
fn condor_words(line: &str) -> Vec<String> {
    let inner = line.trim().strip_prefix('"').unwrap().strip_suffix('"').unwrap();
    let inner = inner.replace("\"\"", "\u{1}").replace("$(DOLLAR)", "$");
    assert!(!inner.contains('"'), "{line}");
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' if is_quoted && letters.peek() == Some(&'\'') => {
                letters.next();
                word.push('\'');
            }
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            '\u{1}' => word.push('"'),
            letter => word.push(letter),
        }
    }
    words.push(word);
    words
}

#[test]
fn htcondor_gets_the_words_as_they_were_given() {
    for name in HOSTILE {
        let text = text("htcondor", &job(name, 64, true));
        let lines: Vec<Vec<String>> = text
            .lines()
            .filter_map(|line| line.strip_prefix("    arguments = "))
            .map(condor_words)
            .collect();
        let number = "$(number)/64";
        assert_eq!(lines[0], [&["catena".to_owned()][..], &shard_words(name, number)].concat());
        let out = under(&format!("out {name}"));
        assert_eq!(lines[1], ["catena", "merge", &out]);
        let film = under(&format!("{name}.mp4"));
        assert_eq!(lines[2], ["catena", "film", &out, "-o", &film, "--preset", "fast"]);
    }
}

#[test]
fn htcondor_has_a_node_for_every_shard() {
    let text = text("htcondor", &job("plain", 120, true));
    for number in 1..=120 {
        assert!(text.contains(&format!("\nVARS shard-{number} number=\"{number}\"\n")));
    }
    let parents: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("PARENT shard")?.strip_suffix(" CHILD merge"))
        .collect();
    let names: Vec<&str> = parents.iter().flat_map(|line| line.split(' ')).collect();
    assert_eq!((parents.len(), names.len()), (3, 120));
    assert!(text.contains("PARENT merge CHILD film") && text.contains("{5, 130, 143}"));
}

#[test]
fn what_a_template_cannot_say_is_refused_in_words() {
    let refused = |engine: &str, change: &dyn Fn(&mut catena::cluster::ClusterJob)| {
        let mut job = job("plain", 3, true);
        change(&mut job);
        format!("{engine}: {}\n", Engine::of(engine).unwrap().print(&job).unwrap_err())
    };
    let mut all = refused("openjd", &|job| job.options.push(Word::Plain("a={{1: 2}: 3}".into())));
    all += &refused("htcondor", &|job| job.options.push(Word::Plain("a=\"\n\"".into())));
    for path in ["/absolute", "../above"] {
        all += &refused("kubernetes", &|job| job.out = path.into());
        all += &refused("kubernetes", &|job| job.film.as_mut().unwrap().file = path.into());
        all += &refused("kubernetes", &|job| job.inputs[1].name = path.into());
    }
    insta::assert_snapshot!("refused", all);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let other = || OsString::from_vec(b"\xff.ron".to_vec());
        for engine in ["openjd", "kubernetes", "htcondor"] {
            let message = refused(engine, &|job| {
                job.inputs[0].path = PathBuf::from(other());
                job.inputs[0].name = PathBuf::from(other());
            });
            assert!(message.contains("UTF-8"), "{engine}: {message}");
        }
    }
}

#[test]
fn large_scenes_go_to_the_volume() {
    let mut job = job("plain", 3, false);
    assert!(text("kubernetes", &job).contains("configMap"));
    job.inputs[1].bytes = 1 << 20;
    insta::assert_snapshot!("large_scene_for_kubernetes", text("kubernetes", &job));
}

#[test]
fn names_for_engines_are_short_and_plain() {
    let name = |name: &str| {
        let text = text("slurm", &job(name, 1, false));
        let line = text.lines().find_map(|line| line.strip_prefix("#SBATCH --job-name=")).unwrap();
        line.to_owned()
    };
    assert_eq!(name("Überfluß; rm -rf / #2"), "catena-berflu-rm-rf-2");
    assert_eq!(name("数"), "catena");
    assert_eq!(name(&"long".repeat(20)).len(), 40);
}

#[test]
fn names_that_an_engine_would_change_are_refused() {
    // A text, and the engines that cannot represent it in a path and in an option.
    let cases: [(&str, &[&str], &[&str]); 9] = [
        ("a$$(HOME)", &["htcondor"], &["htcondor"]),
        ("a$$[1 + 1]", &["htcondor"], &["htcondor"]),
        ("a$(HOME)$$ $", &[], &[]),
        ("a\u{1b}[31m", &["htcondor", "openjd"], &["htcondor", "openjd"]),
        ("a\u{7f}", &["htcondor", "openjd"], &["htcondor", "openjd"]),
        ("a\u{85}", &["htcondor", "openjd"], &["htcondor", "openjd"]),
        ("a\u{1}", &["htcondor", "openjd"], &["htcondor", "openjd"]),
        ("a\tb", &["htcondor", "openjd"], &["htcondor"]),
        ("a\nb", &["htcondor", "openjd"], &["htcondor"]),
    ];
    for (name, in_paths, in_options) in cases {
        for engine in &ENGINES {
            let mut of_path = job("plain", 3, true);
            of_path.out = format!("out {name}").into();
            let mut of_film = job("plain", 3, true);
            of_film.film.as_mut().unwrap().file = format!("{name}.mp4").into();
            let mut of_option = job("plain", 3, false);
            of_option.options = vec![Word::Plain(format!("title=\"{name}\"").into())];
            let all = [(of_path, in_paths), (of_film, in_paths), (of_option, in_options)];
            for (job, refused) in all {
                let printed = engine.print(&job);
                let is_refused = refused.contains(&engine.name);
                assert_eq!(printed.is_err(), is_refused, "{}: {name:?}: {printed:?}", engine.name);
                if let Err(message) = printed {
                    assert!(message.contains("choose another name"), "{message}");
                    assert!(!message.contains(char::is_control), "{message:?}");
                }
            }
        }
    }
}
