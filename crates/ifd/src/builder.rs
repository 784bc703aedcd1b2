//! Writing of directories. Fields are added in any order and written in the order of their tags. The form may be chosen
//! last, when the length of the file is known.

use raster::{Error, Result};

use crate::kind::Kind;
use crate::layout::{Form, Layout, Order};
use crate::output::Output;

/// The content of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Values in the byte order of the builder.
    Bytes(Vec<u8>),
    /// Values that were written earlier.
    Placed {
        /// The offset of the values.
        at: u64,
        /// The number of values.
        count: u64,
    },
    /// Offsets or lengths, which have the width of the form's offsets.
    Offsets(Vec<u64>),
    /// The offset of a directory.
    Directory(Builder),
}

/// An entry to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The tag, which gives the values their meaning.
    pub tag: u16,
    /// The kind of the values. Offsets have the form's own kind.
    pub kind: Kind,
    /// The values.
    pub value: Value,
}

/// A directory to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    order: Order,
    /// The fields, in any order.
    pub fields: Vec<Field>,
}

impl Builder {
    /// Creates a directory without fields.
    #[must_use]
    pub const fn new(order: Order) -> Self {
        Self { order, fields: Vec::new() }
    }

    /// Adds a field.
    pub fn push(&mut self, tag: u16, kind: Kind, value: Value) {
        self.fields.push(Field { tag, kind, value });
    }

    /// Adds numbers of 16 bits.
    pub fn shorts(&mut self, tag: u16, values: &[u16]) {
        let order = self.order;
        let bytes = values.iter().flat_map(|&value| order.bytes::<2>(value.into())).collect();
        self.push(tag, Kind::SHORT, Value::Bytes(bytes));
    }

    /// Adds a number of 32 bits.
    pub fn long(&mut self, tag: u16, value: u32) {
        self.push(tag, Kind::LONG, Value::Bytes(self.order.bytes::<4>(value.into()).to_vec()));
    }

    /// Adds a fraction.
    pub fn rational(&mut self, tag: u16, [numerator, denominator]: [u32; 2]) {
        let bytes = [numerator, denominator].map(|number| self.order.bytes::<4>(number.into()));
        self.push(tag, Kind::RATIONAL, Value::Bytes(bytes.concat()));
    }

    /// Adds a text in UTF-8, as programs write and read it although the standard requires ASCII.
    pub fn text(&mut self, tag: u16, text: &str) {
        self.push(tag, Kind::ASCII, Value::Bytes([text.as_bytes(), &[0]].concat()));
    }

    /// Adds a directory, unless it has no fields.
    pub fn directory(&mut self, tag: u16, directory: Self) {
        if !directory.fields.is_empty() {
            self.push(tag, Kind::LONG, Value::Directory(directory));
        }
    }

    /// Writes now the values that do not fit into their entries. Little memory is then held until the directory is
    /// written.
    ///
    /// # Errors
    /// `Io`; `Contradiction` for values of an unknown kind.
    pub fn place_values(&mut self, output: &mut Output<'_>) -> Result<()> {
        for Field { kind, value, .. } in &mut self.fields {
            match value {
                Value::Bytes(bytes) if bytes.len() > Form::Big.offset_len() => {
                    let count = count(bytes, *kind)?;
                    *value = Value::Placed { at: output.place(bytes)?, count };
                }
                Value::Directory(directory) => directory.place_values(output)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the most bytes that [`Builder::write`] writes, in either form.
    #[must_use]
    pub fn max_len(&self) -> u64 {
        let own = Form::Big.directory_len(self.fields.len()) as u64 + 1;
        let value = |field: &Field| match &field.value {
            Value::Bytes(bytes) => bytes.len() as u64 + 1,
            Value::Placed { .. } => 0,
            Value::Offsets(offsets) => 8 * offsets.len() as u64 + 1,
            Value::Directory(directory) => directory.max_len(),
        };
        own + self.fields.iter().map(value).sum::<u64>()
    }

    /// Writes the directory with its values and its child directories, and returns its offset. `next` is the offset of
    /// the next directory in the chain, 0 for none.
    ///
    /// `Io`; `Contradiction` for values of an unknown kind.
    /// `Io`; `Contradiction` for values of a kind that does not exist.
    pub fn write(&mut self, output: &mut Output<'_>, form: Form, next: u64) -> Result<u64> {
        let layout = Layout { order: self.order, form };
        // The sort is stable: the first of two fields with one tag stays the first.
        raster::sort_by_key(&mut self.fields, |field| field.tag.into());
        let blank = vec![0; if output.directories_first { form.directory_len(self.fields.len()) } else { 0 }];
        let reserved = output.place(&blank)?;
        let entries: Result<Vec<Vec<u8>>> = self.fields.iter_mut().map(|field| field.write(output, layout)).collect();
        let directory = layout.directory(&entries?, next);
        if !output.directories_first {
            return output.place(&directory);
        }
        output.patch(reserved, &directory)?;
        Ok(reserved)
    }

    /// Returns the directory as an EXIF block: the header, the directory, its values behind it.
    ///
    /// # Errors
    /// `Contradiction` for values of an unknown kind; `Io` when the allocator fails.
    pub fn into_block(mut self) -> Result<Vec<u8>> {
        let (mut block, layout) = (Vec::new(), Layout { order: self.order, form: Form::Classic });
        let first = layout.header(0).len() as u64;
        let mut output = Output::new(&mut block, &layout.header(first))?;
        output.directories_first = true;
        self.write(&mut output, layout.form, 0)?;
        output.place(&[])?;
        Ok(block)
    }
}

impl Field {
    /// Writes values that do not fit into the entry, and returns the entry.
    fn write(&mut self, output: &mut Output<'_>, layout: Layout) -> Result<Vec<u8>> {
        let offset_kind = if layout.form == Form::Big { Kind::LONG8 } else { Kind::LONG };
        let (kind, count, field) = match &mut self.value {
            Value::Placed { at, count } => (self.kind, *count, layout.offset(*at)),
            Value::Bytes(bytes) => (self.kind, count(bytes, self.kind)?, fit(bytes, output, layout)?),
            Value::Offsets(offsets) => {
                let bytes: Vec<u8> = offsets.iter().flat_map(|&offset| layout.offset(offset)).collect();
                (offset_kind, offsets.len() as u64, fit(&bytes, output, layout)?)
            }
            Value::Directory(directory) => {
                let at = directory.write(output, layout.form, 0)?;
                (offset_kind, 1, layout.offset(at))
            }
        };
        Ok(layout.entry(self.tag, kind, count, &field))
    }
}

/// Returns the field of an entry: the bytes themselves when they fit, else their offset.
fn fit(bytes: &[u8], output: &mut Output<'_>, layout: Layout) -> Result<Vec<u8>> {
    if bytes.len() > layout.form.offset_len() { Ok(layout.offset(output.place(bytes)?)) } else { Ok(bytes.to_vec()) }
}

fn count(bytes: &[u8], kind: Kind) -> Result<u64> {
    let size = kind.size().ok_or(Error::Contradiction("a value of no kind"))?;
    Ok(bytes.len() as u64 / size)
}
