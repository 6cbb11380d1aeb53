//! Texts of all guides. Examples have at most 76 columns, since help indents them by two.

use super::Guide;

/// Meanings of all exit codes.
pub(in crate::cli) const CODES: &[(&str, &str)] = &[
    ("0", "success"),
    ("1", "a check failed, pictures or numbers differ, data do not fit, or shards are missing"),
    ("2", "invalid usage; nothing was done"),
    ("3", "an invalid scene or sweep, or a sweep without valid variants"),
    ("4", "a body diverged, with --strict"),
    ("5", "a file or standard output could not be read or written"),
    ("6", "ffmpeg is missing or failed"),
    ("7", "a part passed through another, with trace --topology or --crossings"),
    ("130, 143", "interrupted; the same command resumes"),
];

/// Files that catena reads and writes, for its manual page.
pub(in crate::cli) const FILES: &[(&str, &str)] = &[
    ("NAME.ron", "A scene or a sweep; catena-scene(5) describes its fields."),
    ("out/NAME/frame_00000.png …", "The frames of a render."),
    ("out/NAME/steady.png", "The comparison of shapes at rest."),
    (
        "out/NAME/manifest.json",
        "Description of the render, with a hash of every picture and state.",
    ),
    ("out/NAME/.catena/", "The journal, checkpoints and lock of a running or resumable render."),
    ("out/NAME/report/index.html", "The page of a report, with its figures beside it."),
    ("out/NAME/sweep/table.csv", "The table of a sweep, also as table.parquet."),
];

/// Environment variables, for the manual page.
pub(in crate::cli) const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "CATENA_INSTRUCTIONS",
        "baseline, avx2 or avx512: the widest vector instructions to use. The output does not depend on it.",
    ),
    (
        "CATENA_PAINTER",
        "fast or imageproc: imageproc draws every planar shape with that library, which is slower. The output does not depend on it.",
    ),
    ("COLUMNS", "Width of help texts that are not printed to a terminal, up to 100."),
    ("NO_COLOR", "If set and not empty, messages have no colours."),
    ("PATH", "Search path for ffmpeg and ffprobe."),
];

const INTERRUPTED: (&str, &str) = ("130, 143", "");

/// Guides of all commands.
pub(in crate::cli) const GUIDES: &[Guide] = &[
    Guide {
        command: "",
        examples: &[
            ("catena new rope", "writes rope.ron, a commented scene"),
            ("catena render rope.ron", "writes its frames into out/rope"),
            ("catena render rope.ron --film rope.gif", "creates a film of it"),
            ("catena report rope.ron", "writes figures and a page about it"),
        ],
        notes: &[
            "`catena COMMAND --help` explains a command, and `catena man COMMAND` prints its manual page.",
        ],
        codes: &[],
    },
    Guide {
        command: "new",
        examples: &[
            ("catena new", "writes rope.ron"),
            ("catena new homework", "writes homework.ron: the rope of GAMES101, assignment 8"),
            ("catena new knot", "writes knot.ron, from the template of that name"),
            ("catena new flag --template cloth", "writes flag.ron, from the template of a cloth"),
            ("catena new --template sweep --print", "shows a sweep"),
        ],
        notes: &["Existing files are never overwritten."],
        codes: &[],
    },
    Guide {
        command: "import",
        examples: &[
            ("catena import lines.txt -o mooring.ron", "writes the scene of a deck"),
            ("catena import lines.txt", "prints it"),
            (
                "catena import lines.txt --motion vessel.csv -o mooring.ron",
                "moves the coupled points as in the file",
            ),
        ],
        notes: &[
            "Existing files are never overwritten. Notes, which are repeated at the top of the scene, list what catena computes differently from MoorDyn; docs/lines.md explains them.",
        ],
        codes: &[(
            "3",
            "a deck with something that a scene cannot express; the message states where",
        )],
    },
    Guide {
        command: "render",
        examples: &[
            ("catena render rope.ron", "writes the frames of the scene into out/rope"),
            (
                "catena render rope.ron --set rope.nodes=33 --set substeps=128",
                "sets fields for this render only",
            ),
            ("catena render rope.ron --film rope.mp4", "creates a film directly"),
            (
                "catena render rope.ron --frame-range 90-90 --size 3840x2160",
                "renders a single frame at a larger size",
            ),
        ],
        notes: &[
            "After an interruption, the same command resumes the render. The same scene and options give the same bytes.",
        ],
        codes: &[("3", ""), ("4", ""), ("6", ""), INTERRUPTED],
    },
    Guide {
        command: "watch",
        examples: &[
            ("catena watch rope.ron", "renders into out/rope, again on each save"),
            ("catena watch rope.ron --serve", "shows the frames on a page in the browser"),
        ],
        notes: &["Press Ctrl-C to stop."],
        codes: &[INTERRUPTED],
    },
    Guide {
        command: "merge",
        examples: &[(
            "for i in 1 2 3; do catena render rope.ron --shard $i/3 --out big; done\ncatena merge big",
            "renders in three parts, which can run on three machines, and joins them",
        )],
        notes: &[],
        codes: &[
            (
                "1",
                "shards are missing, damaged or inconsistent; the message says which to run again",
            ),
            ("2", "invalid usage, or no shards"),
            ("3", "no variant of the sweep is valid"),
            ("6", ""),
            INTERRUPTED,
        ],
    },
    Guide {
        command: "trace",
        examples: &[
            ("catena trace rope.ron -o rope.csv", "writes the position of each node in each frame"),
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
            "Blender and Houdini read glb and usda, three.js glb, ParaView the .pvd of vtp. All panels keep the positions of the scene, each in a group with its label; --panel exports only one. y points upwards, lengths are metres, and z is 0 in planar scenes. The same scene gives the same bytes.",
        ],
        codes: &[("3", "an invalid scene, or one that cannot be exported"), ("4", ""), INTERRUPTED],
    },
    Guide {
        command: "sweep",
        examples: &[
            ("catena sweep sweep.ron --plan", "prints the number of runs and their estimated time"),
            (
                "catena sweep rope.ron --axis 'rope.nodes=[17, 33, 65]' \\\n    --axis 'substeps=Whole(8, 64, 8)'",
                "measures every combination",
            ),
            (
                "catena sweep rope.ron --axis 'rope.stiffness=Log(1, 1e4)' \\\n    --axis 'substeps=Whole(8, 128)' --sample 'Sobol(1000)'",
                "measures 1000 points in two dimensions",
            ),
        ],
        notes: &[
            "An axis is a list of values or a range of numbers: Linear(from, to, count), Log(…), Whole(…), WholeLog(…). A range without a count is filled by --sample: Sobol, LatinHypercube or Random (count, seed). An axis of several fields has a value for each: 'rope.nodes, substeps=[(8, 16), (16, 64)]'. Axes override all layers of the scene; --set overrides axes. The table has a row for every panel and body of a variant. The column status marks those that diverge or cannot be built.",
            "The same sweep gives the same bytes, in one process or in shards. After an interruption, the same command resumes it.",
        ],
        codes: &[("1", "a shard is missing or damaged"), ("3", ""), INTERRUPTED],
    },
    Guide {
        command: "check",
        examples: &[
            ("catena check rope.ron", "prints what a render would create, and its cost"),
            ("catena check *.ron", "checks all scenes of a folder"),
        ],
        notes: &[
            "By default, two notes and the number of further ones are printed; --notes prints all. Warnings are always printed.",
        ],
        codes: &[("3", "")],
    },
    Guide {
        command: "stability",
        examples: &[
            ("catena stability rope.ron", "finds the longest stable step of each panel"),
            ("catena stability rope.ron --csv", "prints a table with full precision"),
            (
                "catena stability rope.ron --figure regions.svg",
                "also draws the stability regions, with the eigenvalues of the rope",
            ),
        ],
        notes: &[],
        codes: &[("3", "")],
    },
    Guide {
        command: "statics",
        examples: &[
            ("catena statics rope.ron", "computes the shape at rest of each panel"),
            ("catena statics rope.ron -o rest.png", "also draws the rope at rest"),
            ("catena statics rope.ron --modes 3 -o modes.png", "draws its three slowest modes"),
            ("catena statics rope.ron --mode 1 -o mode.gif", "makes a film of the slowest mode"),
            ("catena statics rope.ron --json", "prints all numbers with full precision"),
            (
                "catena statics arch.ron --load 'gravity=(0,0):(0,-20)' -o path.svg",
                "traces the equilibrium past limit points",
            ),
        ],
        notes: &["For a body that never rests, such as one with a moving pin, prints the reason. \
             docs/statics.md explains the numbers."],
        codes: &[("3", ""), ("5", "")],
    },
    Guide {
        command: "figure",
        examples: &[
            (
                "catena figure compare.ron reversal",
                "runs forward and back in time, and prints how closely it returns to the start",
            ),
            (
                "catena figure compare.ron phase_area -o area.pdf --figure-width 85mm",
                "for a column of a paper",
            ),
        ],
        notes: &[],
        codes: &[("3", "")],
    },
    Guide {
        command: "page",
        examples: &[
            (
                "catena page compare.ron -o lesson.html",
                "writes a page that opens from disk, with sliders and links",
            ),
            (
                "catena page scenes/*.ron -o scenes.html",
                "writes a page with all scenes; scenes.html#scene=knot opens one of them",
            ),
        ],
        notes: &["docs/web.md explains the page, and how to build the module that it needs."],
        codes: &[("3", ""), ("5", "")],
    },
    Guide {
        command: "report",
        examples: &[
            ("catena report compare.ron", "writes out/compare/report/index.html"),
            (
                "catena report compare.ron --figure-width 85mm --figure-text real",
                "sizes figures for a column of a paper, with searchable text",
            ),
        ],
        notes: &[],
        codes: &[("3", "")],
    },
    Guide {
        command: "verify",
        examples: &[
            ("catena verify", "runs all checks, in a few seconds"),
            ("catena verify --only catenary", "runs the checks of one group"),
        ],
        notes: &[],
        codes: &[("1", "a check failed")],
    },
    Guide {
        command: "film",
        examples: &[
            ("catena film out/rope -o rope.mp4", "creates a film from rendered frames"),
            ("catena film out/rope -o rope.gif --fps 25", "creates a GIF, without ffmpeg"),
            ("catena film out/rope -o - --format y4m | ffplay -", "plays it"),
        ],
        notes: &[
            "mp4, mov, mkv and webm need ffmpeg and ffprobe; gif, apng, webp, y4m and raw are built in. catena checks every frame against manifest.json first, and counts the frames of the film afterwards. The same frames give the same film with the same ffmpeg and number of threads (--ffmpeg-threads).",
            "Folders from other programs can contain a numbered sequence of PNG files with any name, such as shot.0001.png; --sequence chooses one of several. APNG, WebP, WebM and MOV keep transparency; other formats draw frames on white. y4m uses the BT.601 matrix.",
        ],
        codes: &[
            ("5", "a frame or file failed"),
            ("6", "ffmpeg is missing or failed; the frames are kept"),
            INTERRUPTED,
        ],
    },
    Guide {
        command: "fit",
        examples: &[
            (
                "catena fit rope.ron --data points.csv --vary rope.stiffness,drag",
                "finds both values, with intervals, and prints the --set options for them",
            ),
            (
                "catena fit pendulum.ron --data angle.csv --columns t,x,y --vary drag=0.1 --figure fit.svg",
                "fits drag to the path of one point, starting at 0.1, and draws data, fit and residuals",
            ),
        ],
        notes: &[
            "The reading of the data is printed first: the columns, the first frame and the direction of y. Numbers that depend on no varied field, such as \
             those of pinned nodes, are ignored. Intervals contain the true value in 95 of 100 cases if the deviations of the data are independent and equally \
             large; a pattern in the residuals shows that they are not.",
        ],
        codes: &[
            ("0", "the fields were fitted; warnings state what the data do not determine"),
            ("1", "the model does not fit the data, or the search did not converge"),
            ("2", "invalid usage, or data that cannot be read"),
            ("3", "the scene cannot be used"),
            ("5", "a file cannot be read or written"),
            INTERRUPTED,
        ],
    },
    Guide {
        command: "diff",
        examples: &[
            ("catena diff golden out/rope", "compares all pictures of two folders"),
            (
                "catena diff golden out/rope --max-channel 2 --out failures",
                "compares with a tolerance, and writes a page that shows the differences",
            ),
            (
                "catena diff mine.csv theirs.csv --tolerance 1e-6",
                "compares the numbers of two traces, by frame, node and column",
            ),
            (
                "catena trace rope.ron | catena diff mine.csv -",
                "compares your own numbers with those of catena",
            ),
        ],
        notes: &[
            "Two .csv files pass when no number differs by more than --tolerance and every row has a counterpart. Rows are matched by frame, panel, body and \
             node, and columns by name.",
            "A pair of pictures passes if both have the same size and at most a share --max-pixels of pixels differs by more than --max-channel. With --min-ssim the SSIM must be high enough as well; --min-ssim alone requires only the SSIM. Without any of the three, every pixel must look the same; fully transparent pixels always do. Decoded pixels are compared, so PNG compression does not matter. Files other than pictures are ignored.",
        ],
        codes: &[
            ("0", "all pictures or numbers pass"),
            ("1", "some do not pass"),
            ("2", "invalid usage, or no expected picture"),
            ("5", "a folder cannot be read, or a report cannot be written"),
        ],
    },
    Guide {
        command: "identify",
        examples: &[
            (
                "catena identify mine.csv rope.ron",
                "prints which method, variant or slip wrote mine.csv",
            ),
            (
                "catena identify mine.csv rope.ron --substeps 300 --y down",
                "also tries 300 steps per frame, with y downwards in the file",
            ),
            ("catena identify mine.csv rope.ron --json", "prints the result for programs"),
        ],
        notes: &[
            "The scene states what the program simulates: nodes, rest lengths, masses, stiffness, gravity, frame_time. The search covers the method, its \
             options, slips and steps, also without damping. A file is identified if the rounding of its digits and the growth of rounding in the method \
             explain all distances.",
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
                "runs a sweep on Kubernetes",
            ),
        ],
        notes: &[
            "A job contains everything that the engine needs: shards, time, memory, the exit codes after which to retry, the merge after the shards, and then the film. Its first lines explain how to submit, monitor and resume it. docs/scale.md is a guide.",
        ],
        codes: &[("3", "")],
    },
    Guide {
        command: "fmt",
        examples: &[
            ("catena fmt rope.ron", "formats the scene in its file"),
            ("catena fmt --check scenes/*.ron", "lists the scenes that are not formatted"),
        ],
        notes: &[
            "Formatting keeps the owner, permissions and attributes of a file. A file that another program saves meanwhile, or that has several hard links, is not changed; the exit code is 5.",
        ],
        codes: &[("1", "--check found a file that is not formatted"), ("3", "")],
    },
    Guide {
        command: "lsp",
        examples: &[("catena lsp", "runs as a child process of an editor")],
        notes: &["docs/editors.md lists settings for Neovim, Helix and VS Code."],
        codes: &[("1", "the editor exited without a shutdown request")],
    },
    Guide {
        command: "methods",
        examples: &[
            ("catena methods", "lists everything"),
            ("catena methods xpbd", "explains one method"),
            ("catena methods curves", "lists one table"),
            (
                "catena methods ExplicitEuler --at -1,2 --dt 0.1",
                "prints whether a step is stable for an eigenvalue",
            ),
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
                "for fish; run it again after each update of catena",
            ),
            (
                "catena completions powershell | Out-String | Invoke-Expression",
                "for PowerShell, in $PROFILE",
            ),
            ("eval (catena completions elvish | slurp)", "for Elvish, in rc.elv"),
        ],
        notes: &[
            "The script calls catena, so it also completes scenes, fields after --set and --axis, their values, methods, measures and templates.",
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
                "installs all pages, for example for man catena-render",
            ),
        ],
        notes: &[],
        codes: &[],
    },
];
