//! Price table: the time of each operation of a run and of a picture, in picoseconds of one core.
//!
//! Every estimate is a [`super::Bill`] of these operations; all prices are in this table. They were
//! fitted to the run times of random scenes over all features, which `benches/prices.py` measures;
//! `docs/performance.md` has their accuracy. They are constants, so that a scene has the same price
//! on every machine.
//!
//! A coordinate is one of a node, or of the vector along a spring. A body of `n` nodes has `2n`
//! coordinates in the plane and `3n` in space. Names of items call a coordinate a number.

macro_rules! items {
    ($($(#[doc = $line:literal])+ $name:ident = $price:literal,)+) => {
        /// An operation with a price.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Item {
            $($(#[doc = $line])+ $name,)+
        }

        impl Item {
            /// All operations, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the price in picoseconds of one core.
            pub const fn price(self) -> u64 {
                match self {
                    $(Self::$name => $price,)+
                }
            }

            /// Returns the name of the operation.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }
        }
    };
}

items! {
    /// A frame of a body: checks and copies between frames.
    Frame = 2_000_000,
    /// A step of a body outside a kernel of whole frames.
    Step = 20_000,
    /// A coordinate of a node in a step outside a kernel of whole frames.
    StepNumber = 86,
    /// A step of a rope in a kernel of whole frames.
    KernelStep = 40_000,
    /// A coordinate of a rope in a step of Euler's kernel.
    KernelNumber = 460,
    /// A coordinate of a rope in a step of constraint Verlet's kernel.
    KernelSweepNumber = 410,
    /// A coordinate of a spring of a sheet in a step of Euler's kernel.
    SheetNumber = 560,
    /// An evaluation of all forces.
    Evaluation = 140_000,
    /// A coordinate of a node in an evaluation, including the method's work on it.
    Number = 230,
    /// A coordinate of an earlier step in the memory of an Adams method.
    Remembered = 160,
    /// A coordinate of a Hooke spring in a long run of springs with consecutive nodes.
    Spring = 390,
    /// A coordinate of a Hooke spring between nodes in irregular order.
    LooseSpring = 1_100,
    /// A coordinate of a spring with damping or friction, in a long run of springs with consecutive
    /// nodes.
    Damping = 750,
    /// A coordinate of a spring with damping or friction, between nodes in irregular order.
    LooseDamping = 2_200,
    /// A spring whose law has exponentials.
    Exponential = 5_400,
    /// A spring with a law other than Hooke's and without exponentials.
    OtherLaw = 5_200,
    /// A spring that may flow or break, per step.
    Lasting = 6_000,
    /// A rigid body, per step: its nodes are moved back into their arrangement.
    Solid = 450_000,
    /// A coordinate of a node under linear drag.
    Drag = 220,
    /// A coordinate of a node under another force of the scene's list.
    ListedForce = 1_000,
    /// A spring in a sweep of constraint Verlet outside its kernel.
    Correction = 20_000,
    /// A spring of a body other than a rope in a sweep of constraint Verlet.
    LooseCorrection = 8_200,
    /// A spring of a rope in an iteration of PBD or XPBD.
    Iteration = 2_000,
    /// A spring of a body other than a rope or a sheet in an iteration of PBD or XPBD.
    LooseIteration = 11_000,
    /// A sweep or an iteration, in addition to its springs.
    Sweep = 53_000,
    /// A solution for the corrections of SHAKE.
    Projection = 20_000,
    /// A spring in such a solution. Bodies other than ropes and rings count as several solutions.
    ProjectedSpring = 7_900,
    /// A linear system of an implicit method.
    Solution = 1_700_000,
    /// A linear system of an implicit method for a rope outside a kernel.
    RopeSolution = 400_000,
    /// An entry of a rope node's matrix block, in an implicit method.
    Unknown = 4_800,
    /// An entry of the matrix block of a spring and a force, in an implicit method, in a body other
    /// than a rope whose matrix is assembled spring by spring.
    LooseUnknown = 6_800,
    /// Such an entry in a sheet whose matrix is assembled in vectors.
    SheetUnknown = 560,
    /// An operation on a block of such a linear system, counted during the run.
    BlockOperation = 2_200,
    /// An operation on a block of a sheet's matrix in vectors, counted during the run.
    SheetOperation = 650,
    /// A coordinate in a matrix-vector product for the maximum frequency of a body, counted during
    /// the run.
    Product = 970,
    /// A node of a rod that bends, in an evaluation.
    Rod = 2_600,
    /// A node of a rod that bends and twists, in an evaluation.
    TwistedRod = 6_000,
    /// A node of a rod whose sections have an orientation, in an evaluation.
    FramedRod = 200_000,
    /// A node of a rod in a linear system.
    RodUnknown = 78_000,
    /// A node of a rod whose sections have an orientation, in a linear system.
    FramedUnknown = 900_000,
    /// A segment under transverse and longitudinal drag, and under buoyancy.
    DragSegment = 18_000,
    /// A facet under the pressure of a fluid.
    DragFacet = 39_000,
    /// A facet under the pressure of a fluid, in a linear system.
    FacetSlope = 150_000,
    /// A node under its own quadratic drag.
    DragNode = 20_000,
    /// An evaluation of the velocity of a fluid at a position.
    Flow = 10_000,
    /// A sine in the velocity of a gusty fluid, in an evaluation.
    Gust = 32_000,
    /// An evaluation of the velocity of a wave at a position.
    Wave = 66_000,
    /// A guide or an end of a route, in an evaluation.
    RoutePoint = 230_000,
    /// A guide of a route with friction or a wheel.
    RouteHold = 130_000,
    /// A guide of a route with friction or a wheel, in a linear system.
    RouteSlope = 6_000_000,
    /// A pair of guides of a route with friction or wheels.
    RoutePair = 10_000,
    /// A step of a body with colliders.
    ContactStep = 100_000,
    /// A coordinate of a node in a step with colliders, if the node touches nothing.
    ContactNumber = 570,
    /// A collider and a node that touches a collider, counted during the run.
    Touch = 110_000,
    /// A box in the tree of a triangle collider that a search visits, counted during the run.
    FacetBox = 3_000,
    /// A triangle of such a collider that a search visits, counted during the run.
    FacetTriangle = 15_000,
    /// A moving collider, per step.
    Motion = 120_000,
    /// A triangle of a deforming collider, per step.
    MovedFacet = 45_000,
    /// A node of a body with self-contact, per step.
    OwnNode = 3_800,
    /// A pair of nodes that is checked, counted during the run.
    OwnLook = 9_800,
    /// A pair of nodes that touch, counted during the run.
    OwnTouch = 120_000,
    /// A node that is moved with its zone, counted during the run.
    ZoneNode = 40_000,
    /// A comparison of two bounding boxes, counted during the run.
    Comparison = 4_000,
    /// A step of a body with contact of the drawn geometry.
    DrawnStep = 200_000,
    /// A node of a body with contact of the drawn geometry, per step.
    DrawnNode = 26_000,
    /// A facet of a body with contact of the drawn geometry, per step.
    DrawnFacet = 115_000,
    /// A node of such a body in a pass over nearby parts, counted during the run.
    DrawnPass = 60_000,
    /// A pair of drawn parts that comes close for the first time, counted during the run.
    DrawnFirst = 39_000,
    /// A pair of drawn parts that is tracked for a pass, counted during the run.
    DrawnFollow = 180_000,
    /// A contact without friction in a sweep over all contacts, counted during the run.
    DrawnSweep = 24_000,
    /// A contact with friction or of a rigid body in a sweep over all contacts, counted during the
    /// run.
    DrawnRub = 35_000,
    /// A product of a direct solution of contacts, counted during the run.
    DrawnDirect = 800,
    /// A comparison of two bounding boxes of drawn parts, counted during the run.
    DrawnComparison = 3_500,
    /// A pending event, per step.
    Event = 10_000,
    /// A setup created by an event.
    Change = 5_000_000,
    /// A node or a spring of a setup created by an event.
    ChangedPart = 25_000,
    /// The start of the process, and all work before the first step.
    Process = 12_000_000_000,
    /// A nanosecond of the search for steps above the stability limit, as counted by the search.
    Checked = 1_000,
    /// A row of a table: one node or body at one frame.
    Row = 550_000,
    /// A node that a row about strands compares in every step.
    Watched = 300_000,
    /// A pair of segments in the Gauss linking integral.
    GaussPair = 30_000,
    /// A nanosecond of an export, as estimated by the export itself.
    Exported = 1_000,
    /// A pixel of the template: the constant part of all pictures, drawn once.
    TemplatePixel = 6_300,
    /// A pixel of the template of a panel in space, with its shadows.
    SpaceTemplatePixel = 27_000,
    /// A picture: its file and its title.
    Picture = 57_000_000,
    /// A pixel of a picture that is encoded as a separate file.
    FilePixel = 72,
    /// A pixel of a picture that ffmpeg encodes as H.264.
    H264Pixel = 6_400,
    /// A pixel of a picture that ffmpeg encodes as VP9.
    Vp9Pixel = 22_000,
    /// A pixel of a picture that ffmpeg encodes as ProRes, DNxHR or FFV1.
    IntermediatePixel = 12_000,
    /// A pixel of a picture of an animated GIF.
    GifPixel = 7_000,
    /// A pixel of a picture of an animated PNG.
    ApngPixel = 1_400,
    /// A pixel of a picture of an animated WebP.
    WebPPixel = 2_400,
    /// A pixel of a picture of a y4m film.
    Y4mPixel = 700,
    /// A pixel of a picture of a raw film.
    RawPixel = 400,
    /// The start of the program that encodes a film.
    Encoder = 63_000_000_000,
    /// A pixel that is averaged over several times for motion blur.
    BlurPixel = 4_600,
    /// A panel of a picture: its label and its live numbers.
    Panel = 20_000_000,
    /// A body in a picture.
    DrawnBody = 15_000_000,
    /// A moving collider in a picture.
    MovedCollider = 190_000_000,
    /// A spring drawn as a line in the plane.
    Stroke = 82_000,
    /// A pixel of the length of such a line.
    StrokeLength = 7_100,
    /// A pixel that such a line covers.
    StrokePixel = 1_700,
    /// A pixel of the box around a body in the plane, for its springs and again for its nodes.
    ShapePixel = 540,
    /// A node drawn as a disc in the plane.
    Disc = 93_000,
    /// A pixel that such a disc covers.
    DiscPixel = 1_100,
    /// A line of a trail.
    TrailStroke = 470_000,
    /// A pixel of a panel in space.
    SpacePixel = 330,
    /// A pixel of the template of a panel with a ground.
    GroundTemplatePixel = 72_000,
    /// A pixel of a panel with a ground.
    GroundPixel = 2_500,
    /// A spring of a rope in space.
    RopeTube = 490_000,
    /// A pixel along a rope in space, times its width.
    RopePixel = 5_900,
    /// A node drawn as a ball.
    Ball = 470_000,
    /// A quadrilateral of the tube that shows a thread in space.
    TubePart = 260_000,
    /// A pixel that such a tube covers.
    TubePixel = 190_000,
    /// A spring of a sheet that is drawn as facets.
    Facet = 860_000,
    /// A pixel of a panel with facets.
    FacetPanelPixel = 3_000,
    /// A pixel of the box around facets.
    FacetPixel = 23_000,
}
