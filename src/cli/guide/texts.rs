//! Texts of all guides. Examples have at most 76 columns, since help indents them by two.

use super::Guide;

/// Meanings of all exit codes.
pub(in crate::cli) const CODES: &[(&str, &str)] = &[
    ("0", "done"),
    ("1", "a check failed, pictures differ, or shards are missing"),
    ("2", "wrong usage: nothing was done"),
    ("3", "a scene or sweep that cannot be read or used, or whose variants are all refused"),
    ("4", "a body diverged, under --strict"),
    ("5", "a file, or standard output, failed"),
    ("6", "ffmpeg is missing or failed"),
    ("7", "something passed through something else, under trace --topology or --crossings"),
    ("130, 143", "interrupted; the same command resumes"),
];

/// Files that catena reads and writes, for its manual page.
pub(in crate::cli) const FILES: &[(&str, &str)] = &[
    ("NAME.ron", "A scene, or a sweep; catena-scene(5) has its fields."),
    ("out/NAME/frame_00000.png …", "The frames of a render."),
    ("out/NAME/steady.png", "The comparison of shapes at rest."),
    ("out/NAME/manifest.json", "What was rendered, with a hash of every picture and state."),
    ("out/NAME/.catena/", "The journal, checkpoints and the lock of a render that goes on."),
    ("out/NAME/report/index.html", "The page of a report, with its figures beside it."),
    ("out/NAME/sweep/table.csv", "The table of a sweep, also as table.parquet."),
];

/// Environment variables, for the manual page.
pub(in crate::cli) const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "CATENA_INSTRUCTIONS",
        "baseline, avx2 or avx512: the widest vector instructions that are used. The bytes do not depend on it.",
    ),
    (
        "CATENA_PAINTER",
        "fast or imageproc: imageproc draws every planar shape with the calls of that library, more slowly. The bytes do not depend on it.",
    ),
    ("COLUMNS", "How wide help is printed, up to 100, where it does not go to a terminal."),
    ("NO_COLOR", "If it is set and not empty, messages have no colours."),
    ("PATH", "Where ffmpeg and ffprobe are looked for."),
];

const INTERRUPTED: (&str, &str) = ("130, 143", "");

/// Guides of all commands.
pub(in crate::cli) const GUIDES: &[Guide] = &[
    Guide {
        command: "",
        examples: &[
            ("catena new rope", "writes rope.ron, a commented scene"),
            ("catena render rope.ron", "writes its frames into out/rope"),
            ("catena render rope.ron --film rope.gif", "makes a film of it"),
            ("catena report rope.ron", "writes figures and a page about it"),
        ],
        notes: &[
            "`catena COMMAND --help` explains a command, and `catena man COMMAND` is its manual page.",
        ],
        codes: &[],
    },
    Guide {
        command: "new",
        examples: &[
            ("catena new", "writes rope.ron"),
            ("catena new knot", "writes knot.ron, from the template of that name"),
            ("catena new flag --template cloth", "writes flag.ron, from the template of a cloth"),
            ("catena new --template sweep --print", "shows a sweep"),
        ],
        notes: &["A file that is there already stays as it is."],
        codes: &[],
    },
    Guide {
        command: "render",
        examples: &[
            ("catena render rope.ron", "writes the frames of the scene into out/rope"),
            (
                "catena render rope.ron --set rope.nodes=33 --set substeps=128",
                "changes fields for this render alone",
            ),
            ("catena render rope.ron --film rope.mp4", "makes a film, without files in between"),
            (
                "catena render rope.ron --frame-range 90-90 --size 3840x2160",
                "draws one frame, larger",
            ),
        ],
        notes: &[
            "The same command goes on where it was interrupted. The same scene and options give the same bytes.",
        ],
        codes: &[("3", ""), ("4", ""), ("6", ""), INTERRUPTED],
    },
    Guide {
        command: "watch",
        examples: &[
            ("catena watch rope.ron", "renders into out/rope, anew on each save"),
            ("catena watch rope.ron --serve", "shows the frames on a page in the browser"),
        ],
        notes: &["Ctrl-C ends it."],
        codes: &[INTERRUPTED],
    },
    Guide {
        command: "merge",
        examples: &[(
            "for i in 1 2 3; do catena render rope.ron --shard $i/3 --out big; done\ncatena merge big",
            "renders in three parts, which could run on three machines, and joins them",
        )],
        notes: &[],
        codes: &[
            (
                "1",
                "shards are missing, damaged or contradict each other; the message says which to run again",
            ),
            ("2", "wrong usage, or there are no shards"),
            ("3", "every variant of the sweep was refused"),
            ("6", ""),
            INTERRUPTED,
        ],
    },
    Guide {
        command: "trace",
        examples: &[
            ("catena trace rope.ron -o rope.csv", "writes where each node is in each frame"),
            ("catena trace rope.ron --energy -o energy.csv", "writes the energy ledger"),
            ("catena trace rope.ron --format npy -o rope.npy", "for numpy.load"),
        ],
        notes: &[],
        codes: &[("3", ""), ("4", ""), ("7", "")],
    },
    Guide {
        command: "export",
        examples: &[
            ("catena export cloth.ron -o cloth.glb", "for Blender and three.js"),
            ("catena export cloth.ron -o cloth.usda", "for Houdini and Blender"),
            (
                "catena export cloth.ron --format vtp --frame-range 100-199",
                "for ParaView: a folder with one file per frame",
            ),
        ],
        notes: &[
            "Blender and Houdini read glb and usda, three.js glb, ParaView the .pvd of vtp. All panels lie at the places of the \
             scene, each as a group with its label: --panel chooses one. y points upwards, lengths are metres, and z is 0 in \
             the plane. The same scene gives the same bytes.",
        ],
        codes: &[("3", "a scene that cannot be read or exported"), ("4", ""), INTERRUPTED],
    },
    Guide {
        command: "sweep",
        examples: &[
            (
                "catena sweep sweep.ron --plan",
                "says how many runs there are, and how long they take",
            ),
            (
                "catena sweep rope.ron --axis 'rope.nodes=[17, 33, 65]' \\\n    --axis 'substeps=Whole(8, 64, 8)'",
                "measures every combination",
            ),
            (
                "catena sweep rope.ron --axis 'rope.stiffness=Log(1, 1e4)' \\\n    --axis 'substeps=Whole(8, 128)' --sample 'Sobol(1000)'",
                "measures 1000 points of a plane",
            ),
        ],
        notes: &[
            "An axis is a list of any values, or numbers: Linear(from, to, count), Log(…), Whole(…), WholeLog(…). One without a \
             count is filled by a sample: Sobol, LatinHypercube or Random (count, seed). An axis of several fields takes a value \
             for each: 'rope.nodes, substeps=[(8, 16), (16, 64)]'. It lies above all layers of the scene and below --set. Every \
             panel and body of a variant is a row; one that diverges or cannot be built is a row as well, and says so in its \
             status.",
            "The same sweep gives the same bytes, in one process or in shards, and goes on where it was ended.",
        ],
        codes: &[("1", "a shard is missing or damaged"), ("3", ""), INTERRUPTED],
    },
    Guide {
        command: "check",
        examples: &[
            ("catena check rope.ron", "says what a render would make, and what it costs"),
            ("catena check *.ron", "checks all scenes of a folder"),
        ],
        notes: &[
            "Two notes are printed, and how many more there are; --notes prints all. Warnings are always printed.",
        ],
        codes: &[("3", "")],
    },
    Guide {
        command: "stability",
        examples: &[
            ("catena stability rope.ron", "finds the longest stable step of each panel"),
            ("catena stability rope.ron --csv", "as a table with all digits"),
        ],
        notes: &[],
        codes: &[("3", "")],
    },
    Guide {
        command: "report",
        examples: &[
            ("catena report compare.ron", "writes out/compare/report/index.html"),
            (
                "catena report compare.ron --figure-width 85mm --figure-text real",
                "for a column of a paper, with words that can be searched",
            ),
        ],
        notes: &[],
        codes: &[("3", "")],
    },
    Guide {
        command: "verify",
        examples: &[
            ("catena verify", "runs all checks: some seconds"),
            ("catena verify --only catenary", "runs those of one group"),
        ],
        notes: &[],
        codes: &[("1", "a check failed")],
    },
    Guide {
        command: "film",
        examples: &[
            ("catena film out/rope -o rope.mp4", "makes a film of rendered frames"),
            ("catena film out/rope -o rope.gif --fps 25", "makes a GIF, without ffmpeg"),
            ("catena film out/rope -o - --format y4m | ffplay -", "plays it"),
        ],
        notes: &[
            "mp4, mov and mkv need ffmpeg and ffprobe; gif, apng, y4m and raw are built in. Every frame is checked against \
             manifest.json first, and the frames of the film are counted afterwards. The same frames give the same film with the \
             same ffmpeg and the same number of its threads (--ffmpeg-threads).",
            "A folder of another program has one numbered sequence of PNG files under any name, such as shot.0001.png; --sequence \
             chooses one of several. APNG keeps alpha; other formats lay frames over white. y4m has the matrix of BT.601.",
        ],
        codes: &[
            ("5", "a frame or file failed"),
            ("6", "ffmpeg is missing or failed; the frames are kept"),
            INTERRUPTED,
        ],
    },
    Guide {
        command: "diff",
        examples: &[
            ("catena diff golden out/rope", "compares all pictures of two folders"),
            (
                "catena diff golden out/rope --max-channel 2 --out failures",
                "with a tolerance, and a page that shows what differs",
            ),
        ],
        notes: &[
            "A pair of pictures passes when both have the same size and the share of pixels that differ by more than --max-channel \
             is at most --max-pixels; with --min-ssim the SSIM has to be high enough as well. --min-ssim alone asks for nothing but \
             the SSIM. Without any of the three, every pixel has to look the same; transparent pixels do whatever their colour. Pictures are compared decoded: how a PNG is \
             compressed does not count, nor does what is not a picture.",
        ],
        codes: &[
            ("0", "all pictures pass"),
            ("1", "some pictures do not pass"),
            ("2", "wrong usage, or no expected picture"),
            ("5", "a folder cannot be read, or a report not be written"),
        ],
    },
    Guide {
        command: "identify",
        examples: &[
            ("catena identify mine.csv rope.ron", "says which method, variant or slip mine.csv has"),
            (
                "catena identify mine.csv rope.ron --substeps 300 --y down",
                "tries 300 steps per frame too, with y downwards in the file",
            ),
            ("catena identify mine.csv rope.ron --json", "prints the result for programs"),
        ],
        notes: &[
            "The scene says what the program simulates: nodes, rest lengths, masses, stiffness, gravity, frame_time. Method, options,              slips and steps are searched for, and damping is also left out. A file is identified when the rounding of its digits, and              the growth of rounding in the method, explain all distances.",
        ],
        codes: &[
            ("0", "a candidate reproduces the file, and others do not"),
            ("1", "no candidate reproduces the file, or all do"),
            ("3", "the scene or the file cannot be read or used"),
        ],
    },
    Guide {
        command: "job",
        examples: &[
            (
                "catena job rope.ron --for slurm --frames 100000 --size 3840x2160 \\\n    --minutes 3000 --film rope.mp4 -o job.sh\nbash job.sh",
                "renders on a cluster with Slurm",
            ),
            (
                "catena job rope.ron --axis 'rope.stiffness=Log(1, 1e4, 1000)' \\\n    --for kubernetes -o job.yaml",
                "a sweep for Kubernetes",
            ),
        ],
        notes: &[
            "A job holds all that an engine is to know: shards, time, memory, what is tried again after which exit code, the merge \
             behind the shards, and a film behind that; its first lines say how it is submitted, looked at, and gone on with. \
             docs/scale.md has a guide.",
        ],
        codes: &[("3", "")],
    },
    Guide {
        command: "fmt",
        examples: &[
            ("catena fmt rope.ron", "lays out the scene in its file"),
            ("catena fmt --check scenes/*.ron", "names the scenes that are laid out otherwise"),
        ],
        notes: &[
            "Owner, permissions and attributes of a file are kept. A file that another program saves meanwhile, or that has further hard \
             links, stays as it is, with exit code 5.",
        ],
        codes: &[("1", "--check found a file that is laid out otherwise"), ("3", "")],
    },
    Guide {
        command: "lsp",
        examples: &[("catena lsp", "is the command that an editor starts")],
        notes: &["docs/editors.md has lines for Neovim, Helix and VS Code."],
        codes: &[("1", "the editor went away without saying so")],
    },
    Guide {
        command: "methods",
        examples: &[
            ("catena methods", "lists everything"),
            ("catena methods xpbd", "explains one method"),
            ("catena methods curves", "lists one table"),
        ],
        notes: &[],
        codes: &[],
    },
    Guide {
        command: "fields",
        examples: &[
            ("catena fields", "lists all fields"),
            ("catena fields rope", "lists the fields of a rope"),
            ("catena fields rope.nodes", "explains one field"),
            ("catena fields --json", "lists all fields for a program"),
        ],
        notes: &[],
        codes: &[],
    },
    Guide {
        command: "completions",
        examples: &[
            (
                "echo 'source <(catena completions bash)' >> ~/.bashrc",
                "for bash, from the next shell on",
            ),
            (
                "echo 'source <(catena completions zsh)' >> ~/.zshrc",
                "for zsh, below the line that calls compinit",
            ),
            (
                "catena completions fish > ~/.config/fish/completions/catena.fish",
                "for fish; make it anew when catena is installed anew",
            ),
            (
                "catena completions powershell | Out-String | Invoke-Expression",
                "for PowerShell, in $PROFILE",
            ),
            ("eval (catena completions elvish | slurp)", "for Elvish, in rc.elv"),
        ],
        notes: &[
            "The script asks catena itself, so scenes, fields after --set and --axis, their values, methods, measures and \
             templates are completed as well.",
        ],
        codes: &[],
    },
    Guide {
        command: "man",
        examples: &[
            ("catena man | man -l -", "shows the page of catena"),
            ("catena man render | man -l -", "shows the page of a command"),
            (
                "catena man --out ~/.local/share/man",
                "writes all pages where man finds them: man catena-render",
            ),
        ],
        notes: &[],
        codes: &[],
    },
];
