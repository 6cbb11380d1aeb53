//! Accessors: typed elements in a buffer, which are decoded on access.
//!
//! Nothing is copied, so an accessor itself needs little memory. An accessor without a buffer view
//! has zeros for any number of elements. Callers must therefore check the count before a loop over
//! all elements.

use super::document::{ElementType, JsonAccessor, JsonSparse, Whole};
use super::limits::Allowance;
use super::messages::{FilePosition, GltfError};
use super::source::{GltfSource, View, pick};

impl ElementType {
    /// Returns the name in files and the number of components of an element.
    fn layout(self) -> (&'static str, usize) {
        match self {
            Self::Scalar => ("SCALAR", 1),
            Self::Vec2 => ("VEC2", 2),
            Self::Vec3 => ("VEC3", 3),
            Self::Vec4 => ("VEC4", 4),
            Self::Mat2 => ("MAT2", 4),
            Self::Mat3 => ("MAT3", 9),
            Self::Mat4 => ("MAT4", 16),
        }
    }

    /// Returns the name in files.
    pub(super) fn name(self) -> &'static str {
        self.layout().0
    }
}

/// Storage type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    fn new(place: FilePosition<'_>, code: Whole) -> Result<Self, GltfError> {
        Ok(match code.0 {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            code => {
                let message = format_args!("{code}, expected 5120 to 5123, 5125 or 5126");
                return Err(GltfError::new(format_args!("{place}.componentType"), message));
            }
        })
    }

    /// Returns the size in bytes, and the integer that normalized components divide by.
    fn layout(self) -> (usize, f64) {
        match self {
            Self::I8 => (1, 127.0),
            Self::U8 => (1, 255.0),
            Self::I16 => (2, 32_767.0),
            Self::U16 => (2, 65_535.0),
            Self::U32 => (4, 4_294_967_295.0),
            Self::F32 => (4, 1.0),
        }
    }

    fn bytes(self) -> usize {
        self.layout().0
    }

    fn is_count(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// Decodes the component with index `k` of an element.
    fn number(self, element: &[u8], k: usize) -> f64 {
        match self {
            Self::I8 => f64::from(i8::from_le_bytes(part(element, k))),
            Self::U8 => f64::from(u8::from_le_bytes(part(element, k))),
            Self::I16 => f64::from(i16::from_le_bytes(part(element, k))),
            Self::U16 => f64::from(u16::from_le_bytes(part(element, k))),
            Self::U32 => f64::from(u32::from_le_bytes(part(element, k))),
            Self::F32 => f64::from(f32::from_le_bytes(part(element, k))),
        }
    }
}

/// Returns the bytes from `k * N` to `(k + 1) * N` of an element.
fn part<const N: usize>(element: &[u8], k: usize) -> [u8; N] {
    std::array::from_fn(|byte| element[k * N + byte])
}

/// Elements at a constant stride, whose bounds are checked.
#[derive(Clone, Copy, Debug)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Strided<'a> {
    /// Returns `count` elements of `size` bytes, starting at an offset of a view.
    fn new(
        place: FilePosition<'_>,
        view: View<'a>,
        offset: Whole,
        count: usize,
        size: usize,
    ) -> Result<Self, GltfError> {
        let stride = if view.stride == 0 { size } else { view.stride };
        let message = format_args!("elements of {size} bytes overlap: byteStride is {stride}");
        GltfError::unless(stride >= size, place, message)?;
        let needed = count.saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let bytes = view.bytes.get(offset.0..);
        let bytes = bytes.filter(|bytes| needed.is_some_and(|needed| needed <= bytes.len()));
        let (has, offset) = (view.bytes.len(), offset.0);
        let message = format_args!(
            "{count} elements of {size} bytes, {stride} bytes apart from offset {offset}, do not \
             fit into the {has} bytes of its buffer view"
        );
        Ok(Self { bytes: bytes.ok_or_else(|| GltfError::new(place, message))?, stride })
    }

    fn at(&self, index: usize) -> &'a [u8] {
        &self.bytes[index * self.stride..]
    }
}

/// Sparse elements, which replace elements of an accessor.
#[derive(Clone, Copy, Debug)]
struct Sparse<'a> {
    count: usize,
    kind: ComponentType,
    indices: Strided<'a>,
    values: Strided<'a>,
}

impl<'a> Sparse<'a> {
    fn new(
        source: &'a GltfSource<'_>,
        place: FilePosition<'_>,
        described: &JsonSparse,
        elements: usize,
        size: usize,
    ) -> Result<Self, GltfError> {
        let JsonSparse { count: Whole(count), indices, values } = described;
        let message = format_args!("{count}, expected 1 to {elements}, the count of the accessor");
        let is_fine = (1..=elements).contains(count);
        GltfError::unless(is_fine, format_args!("{place}.count"), message)?;
        let inner = format_args!("{place}.indices");
        let kind = ComponentType::new(inner, indices.component_type)?;
        let message = "expected 5121, 5123 or 5125: whole numbers";
        GltfError::unless(kind.is_count(), format_args!("{inner}.componentType"), message)?;
        let view = source.view(format_args!("{inner}.bufferView"), indices.buffer_view)?;
        let indices = Strided::new(inner, view, indices.byte_offset, *count, kind.bytes())?;
        let inner = format_args!("{place}.values");
        let view = source.view(format_args!("{inner}.bufferView"), values.buffer_view)?;
        let values = Strided::new(inner, view, values.byte_offset, *count, size)?;
        let sparse = Self { count: *count, kind, indices, values };
        let mut minimum = 0;
        for k in 0..*count {
            let index = sparse.index(k);
            let message =
                format_args!("entry {k} is {index}: entries must increase and be below {elements}");
            let is_fine = (minimum..elements).contains(&index);
            GltfError::unless(is_fine, format_args!("{place}.indices"), message)?;
            minimum = index + 1;
        }
        Ok(sparse)
    }

    fn index(&self, k: usize) -> usize {
        self.kind.number(self.indices.at(k), 0) as usize
    }

    /// Returns the replacement of an element. Indices increase, so a binary search finds it.
    fn find(&self, index: usize) -> Option<&'a [u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.index(middle) < index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.count && self.index(low) == index).then(|| self.values.at(low))
    }
}

/// Elements of an accessor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessor<'a> {
    index: usize,
    count: usize,
    component: ComponentType,
    normalized: bool,
    dense: Option<Strided<'a>>,
    sparse: Option<Sparse<'a>>,
}

impl<'a> Accessor<'a> {
    /// Creates an accessor and checks that its bytes exist.
    pub(super) fn new(
        source: &'a GltfSource<'_>,
        index: usize,
        described: &JsonAccessor,
        allowance: &mut Allowance<'_>,
    ) -> Result<Self, GltfError> {
        let place = format_args!("accessors[{index}]");
        let component = ComponentType::new(place, described.component_type)?;
        let size = component.bytes() * described.shape.layout().1;
        let count = described.count.0;
        GltfError::unless(count > 0, format_args!("{place}.count"), "0, expected at least 1")?;
        let dense = match described.buffer_view {
            None => None,
            Some(view) => {
                let view = source.view(format_args!("{place}.bufferView"), view)?;
                Some(Strided::new(place, view, described.byte_offset, count, size)?)
            }
        };
        let sparse = match &described.sparse {
            None => None,
            Some(sparse) => {
                let place = format_args!("{place}.sparse");
                // Channels may share an accessor, and each of them checks all sparse indices again.
                allowance.count_memory(place, sparse.count.0 as u64, size_of::<usize>())?;
                Some(Sparse::new(source, place, sparse, count, size)?)
            }
        };
        Ok(Self { index, count, component, normalized: described.normalized, dense, sparse })
    }

    /// Returns the number of elements, which need not exist in memory.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns an error unless there are `count` elements. `each` explains the expected count.
    pub(super) fn expect_count(
        &self,
        place: FilePosition<'_>,
        count: usize,
        each: &str,
    ) -> Result<(), GltfError> {
        let Self { index, count: found, .. } = self;
        let message =
            format_args!("accessors[{index}] has {found} elements, expected {count}: {each}");
        GltfError::unless(*found == count, place, message)
    }

    /// Returns an error unless the components are unsigned integers.
    pub(super) fn expect_counts(&self, place: FilePosition<'_>) -> Result<(), GltfError> {
        let index = self.index;
        let message = format_args!(
            "expected whole numbers: componentType 5121, 5123 or 5125 of accessors[{index}]"
        );
        GltfError::unless(self.component.is_count(), place, message)
    }

    fn element(&self, index: usize) -> Option<&'a [u8]> {
        let instead = self.sparse.and_then(|sparse| sparse.find(index));
        instead.or_else(|| self.dense.map(|dense| dense.at(index)))
    }

    /// Returns the first components of an element as integers. `index` must be below the count.
    pub(super) fn counts<const N: usize>(&self, index: usize) -> [usize; N] {
        let element = self.element(index);
        let number = |k| element.map_or(0.0, |element| self.component.number(element, k));
        std::array::from_fn(|k| number(k) as usize)
    }

    /// Returns the first components of an element, normalized if the file says so. `index` must be
    /// below the count.
    pub(super) fn numbers<const N: usize>(&self, index: usize) -> [f64; N] {
        let element = self.element(index);
        std::array::from_fn(|k| {
            let number = element.map_or(0.0, |element| self.component.number(element, k));
            if self.normalized { (number / self.component.layout().1).max(-1.0) } else { number }
        })
    }

    /// Returns the first components of an element, or an error if one is not finite.
    pub(super) fn finite<const N: usize>(
        &self,
        place: FilePosition<'_>,
        index: usize,
    ) -> Result<[f64; N], GltfError> {
        let numbers = self.numbers(index);
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            let accessor = self.index;
            let message = format_args!(
                "element {index} of accessors[{accessor}] has {number}, expected finite numbers"
            );
            return Err(GltfError::new(place, message));
        }
        Ok(numbers)
    }
}

impl GltfSource<'_> {
    /// Returns an accessor with elements of type `shape` after a check of its bounds.
    pub(super) fn accessor(
        &self,
        place: FilePosition<'_>,
        index: Whole,
        shape: ElementType,
        allowance: &mut Allowance<'_>,
    ) -> Result<Accessor<'_>, GltfError> {
        let described = pick(&self.document.accessors, index, place, "accessor")?;
        let message = format_args!(
            "accessors[{}] has elements of type {}, expected {}",
            index.0,
            described.shape.name(),
            shape.name()
        );
        GltfError::unless(described.shape == shape, place, message)?;
        Accessor::new(self, index.0, described, allowance)
    }
}
