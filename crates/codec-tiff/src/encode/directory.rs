//! Directories (TIFF 6.0 §2; BigTIFF): entries in the order of their tags, long values beside them. A directory is put
//! together without knowing which of the two forms the file will have; that is settled when its length is known.

use raster::{ByteSink, Error, Result};

use crate::tag::Type;

/// How long offsets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 32 bits: files below 4 GiB.
    Classic,
    /// 64 bits.
    Big,
}

impl Form {
    /// Bytes of a value that fits into its entry, which are those of an offset.
    const fn offset_len(self) -> usize {
        match self {
            Self::Classic => 4,
            Self::Big => 8,
        }
    }

    /// An offset as the file has it. That of a classic file fits: the form was chosen so.
    fn offset(self, at: u64) -> Vec<u8> {
        at.to_le_bytes()[..self.offset_len()].to_vec()
    }

    const fn offset_type(self) -> Type {
        match self {
            Self::Classic => Type::LONG,
            Self::Big => Type::LONG8,
        }
    }

    /// Bytes of a directory of so many entries, without long values.
    const fn directory_len(self, entries: usize) -> usize {
        match self {
            Self::Classic => 2 + 12 * entries + 4,
            Self::Big => 8 + 20 * entries + 8,
        }
    }

    /// The file header, for a first directory at `first`.
    pub(super) fn header(self, first: u64) -> Vec<u8> {
        match self {
            Self::Classic => [b"II\x2a\0".as_slice(), &self.offset(first)].concat(),
            Self::Big => [b"II\x2b\0\x08\0\0\0".as_slice(), &self.offset(first)].concat(),
        }
    }
}

/// Bytes kept free for either header.
pub(super) const HEADER: usize = 16;

/// A sink that knows where it is.
pub(super) struct Output<'a> {
    sink: &'a mut dyn ByteSink,
    /// Offset of the next byte.
    pub(super) at: u64,
}

impl<'a> Output<'a> {
    pub(super) fn new(sink: &'a mut dyn ByteSink) -> Result<Self> {
        sink.write(&[0; HEADER])?;
        Ok(Self { sink, at: HEADER as u64 })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes `bytes` where values and directories may stand, at an even offset (TIFF 6.0 §2), and says where that is.
    pub(super) fn place(&mut self, bytes: &[u8]) -> Result<u64> {
        if !self.at.is_multiple_of(2) {
            self.write(&[0])?;
        }
        let at = self.at;
        self.write(bytes)?;
        Ok(at)
    }

    /// Fills up with zeros as far as `at`.
    pub(super) fn fill_to(&mut self, at: u64) -> Result<()> {
        const ZEROS: [u8; 4096] = [0; 4096];
        while self.at < at {
            let len = (at - self.at).min(ZEROS.len() as u64);
            self.write(&ZEROS[..len as usize])?;
        }
        Ok(())
    }

    pub(super) fn write_header(&mut self, header: &[u8]) -> Result<()> {
        self.sink.patch(0, header)
    }
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Little-endian values.
    Bytes(Vec<u8>),
    /// So many values that stand in the file already.
    Placed { at: u64, count: u64 },
    /// Offsets or lengths, of the form's own width.
    Offsets(Vec<u64>),
    /// The offset of a directory.
    Directory(Directory),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) tag: u16,
    pub(super) kind: Type,
    pub(super) value: Value,
}

/// Entries, in any order until they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Directory(pub(super) Vec<Entry>);

impl Directory {
    pub(super) fn push(&mut self, tag: u16, kind: Type, value: Value) {
        self.0.push(Entry { tag, kind, value });
    }

    pub(super) fn shorts(&mut self, tag: u16, values: &[u16]) {
        self.push(tag, Type::SHORT, Value::Bytes(values.iter().flat_map(|value| value.to_le_bytes()).collect()));
    }

    pub(super) fn long(&mut self, tag: u16, value: u32) {
        self.push(tag, Type::LONG, Value::Bytes(value.to_le_bytes().to_vec()));
    }

    /// Writes long values at once, so that little is held until the directory itself is written.
    pub(super) fn place_values(&mut self, output: &mut Output<'_>) -> Result<()> {
        for Entry { kind, value, .. } in &mut self.0 {
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

    /// The most bytes that [`Directory::write`] will write, in either form.
    pub(super) fn max_len(&self) -> u64 {
        let own = Form::Big.directory_len(self.0.len()) as u64 + 1;
        let value = |entry: &Entry| match &entry.value {
            Value::Bytes(bytes) => bytes.len() as u64 + 1,
            Value::Placed { .. } => 0,
            Value::Offsets(offsets) => 8 * offsets.len() as u64 + 1,
            Value::Directory(directory) => directory.max_len(),
        };
        own + self.0.iter().map(value).sum::<u64>()
    }

    /// Writes the directory behind its values and says where it stands. `next` is the offset of the page after it.
    pub(super) fn write(&mut self, output: &mut Output<'_>, form: Form, next: u64) -> Result<u64> {
        self.0.sort_by_key(|entry| entry.tag);
        let mut bytes = Vec::with_capacity(form.directory_len(self.0.len()));
        bytes.extend(&(self.0.len() as u64).to_le_bytes()[..if form == Form::Big { 8 } else { 2 }]);
        for entry in &mut self.0 {
            let (kind, count, field) = entry.write(output, form)?;
            bytes.extend(entry.tag.to_le_bytes());
            bytes.extend(kind.0.to_le_bytes());
            bytes.extend(form.offset(count));
            bytes.extend(field);
        }
        bytes.extend(form.offset(next));
        output.place(&bytes)
    }
}

impl Entry {
    /// Type, count, and the field that holds the value or its offset; long values are written.
    fn write(&mut self, output: &mut Output<'_>, form: Form) -> Result<(Type, u64, Vec<u8>)> {
        match &mut self.value {
            Value::Placed { at, count } => Ok((self.kind, *count, form.offset(*at))),
            Value::Bytes(bytes) => Ok((self.kind, count(bytes, self.kind)?, field(bytes, output, form)?)),
            Value::Offsets(offsets) => {
                let bytes: Vec<u8> = offsets.iter().flat_map(|&offset| form.offset(offset)).collect();
                Ok((form.offset_type(), offsets.len() as u64, field(&bytes, output, form)?))
            }
            Value::Directory(directory) => {
                let at = directory.write(output, form, 0)?;
                Ok((form.offset_type(), 1, form.offset(at)))
            }
        }
    }
}

/// The bytes themselves where they fit, else their offset.
fn field(bytes: &[u8], output: &mut Output<'_>, form: Form) -> Result<Vec<u8>> {
    if bytes.len() > form.offset_len() {
        return Ok(form.offset(output.place(bytes)?));
    }
    let mut field = bytes.to_vec();
    field.resize(form.offset_len(), 0);
    Ok(field)
}

fn count(bytes: &[u8], kind: Type) -> Result<u64> {
    let size = kind.bytes().ok_or(Error::Contradiction("a value of no type"))?;
    Ok(bytes.len() as u64 / size)
}
