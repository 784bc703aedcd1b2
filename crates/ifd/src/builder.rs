//! Writing directories: fields are collected in any order, then written in the order of their tags. The form may be
//! chosen last, when it is known how long the file gets.

use raster::{Error, Result};

use crate::kind::Kind;
use crate::layout::{Form, Layout, Order};
use crate::output::Output;

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Values in the byte order of the builder.
    Bytes(Vec<u8>),
    /// Values that were written before.
    Placed {
        /// Where they stand.
        at: u64,
        /// How many there are.
        count: u64,
    },
    /// Offsets or lengths, as wide as the form's offsets.
    Offsets(Vec<u64>),
    /// The offset of a directory.
    Directory(Builder),
}

/// An entry that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What the values are.
    pub tag: u16,
    /// How they are stored; offsets have the form's own kind.
    pub kind: Kind,
    /// The values.
    pub value: Value,
}

/// A directory that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    order: Order,
    /// Its fields, in any order.
    pub fields: Vec<Field>,
}

impl Builder {
    /// A directory without fields.
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

    /// Adds a text, in UTF-8, as everybody writes and reads it whatever the standard says.
    pub fn text(&mut self, tag: u16, text: &str) {
        self.push(tag, Kind::ASCII, Value::Bytes([text.as_bytes(), &[0]].concat()));
    }

    /// Adds a directory, unless it has no fields.
    pub fn directory(&mut self, tag: u16, directory: Self) {
        if !directory.fields.is_empty() {
            self.push(tag, Kind::LONG, Value::Directory(directory));
        }
    }

    /// Writes values that fit into no entry at once, so that little is held until the directory itself is written.
    ///
    /// # Errors
    /// `Io`; `Contradiction` for values of a kind that does not exist.
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

    /// The most bytes that [`Builder::write`] writes, in either form.
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

    /// Writes the directory and everything that hangs off it, and returns its offset. `next` is the offset of the
    /// directory after it in the chain, 0 for none.
    ///
    /// # Errors
    /// `Io`; `Contradiction` for values of a kind that does not exist.
    pub fn write(&mut self, output: &mut Output<'_>, form: Form, next: u64) -> Result<u64> {
        let layout = Layout { order: self.order, form };
        // A stable sort: the first of two fields with one tag stays the first.
        self.fields.sort_by_key(|field| field.tag);
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

    /// An EXIF block of the directory: the header, the directory, its values behind it.
    ///
    /// # Errors
    /// `Contradiction` for values of a kind that does not exist; `Io` when the allocator refuses.
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
    /// Writes values that do not fit, and returns the entry.
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

/// The field of an entry: the bytes themselves where they fit, else their offset.
fn fit(bytes: &[u8], output: &mut Output<'_>, layout: Layout) -> Result<Vec<u8>> {
    if bytes.len() > layout.form.offset_len() { Ok(layout.offset(output.place(bytes)?)) } else { Ok(bytes.to_vec()) }
}

fn count(bytes: &[u8], kind: Kind) -> Result<u64> {
    let size = kind.size().ok_or(Error::Contradiction("a value of no kind"))?;
    Ok(bytes.len() as u64 / size)
}
