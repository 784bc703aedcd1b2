//! Reading. Each entry is opened once for its size; then frames are returned largest first. The reader of an entry's
//! own format reads it directly from the file, so this crate does not touch pixels.

use raster::{
    Budget, ByteSource, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes, Result, Sequence, Size, Wanted,
    Warning,
};

use crate::directory::Directory;
use crate::error::Cause;

const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// One picture of the file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The offset of its first byte.
    at: u64,
    /// The size after orientation.
    size: Size,
    bits_per_pixel: u8,
}

pub(crate) struct Reader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    notes: Notes,
    /// The entries: largest first; of equal size, deepest first; then in the order of the directory.
    entries: Vec<Entry>,
    info: ImageInfo,
    /// The number of entries returned.
    returned: usize,
    current: Option<Open<'a>>,
}

/// The reader of an entry, and the budget that counts its memory. An entry is dropped before the next is opened.
struct Open<'a> {
    reader: Box<dyn ImageReader + 'a>,
    _scope: Budget,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let directory = Directory::read(source)?;
        let (mut entries, mut working_set, mut refused) = (Vec::new(), 0, None);
        for at in directory.entries {
            // What an entry's header brings is told when the entry is read.
            match Open::entry(source, at, budget, &Notes::default()) {
                Ok(Open { reader, .. }) => {
                    let entry = Entry::new(at, reader.info());
                    let place = entries.partition_point(|other: &Entry| other.rank() >= entry.rank());
                    entries.insert(place, entry);
                    working_set = working_set.max(reader.info().working_set);
                }
                Err(Error::Io(error)) => return Err(error.into()),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let Some(first) = entries.first() else { return Err(refused.unwrap_or_else(|| Cause::NoEntry.at(4))) };
        let first = Open::entry(source, first.at, budget, notes)?;
        let info = describe(first.reader.info(), &entries, working_set);
        if directory.cut || refused.is_some() {
            notes.warn(Warning::Skipped("entry"));
        }
        let (budget, notes) = (budget.clone(), notes.clone());
        Ok(Self { source, budget, notes, entries, info, returned: 0, current: None })
    }
}

impl Entry {
    fn new(at: u64, info: &ImageInfo) -> Self {
        // The depth of bitmaps is the depth of a whole pixel.
        let samples = if info.format == Format::Bmp { 1 } else { info.stored.channels };
        Self { at, size: info.orientation.turn(info.size), bits_per_pixel: info.stored.depth * samples }
    }

    /// Entries of a higher rank are handed out first.
    const fn rank(&self) -> (u64, u8) {
        (self.size.area(), self.bits_per_pixel)
    }
}

impl<'a> Open<'a> {
    fn entry(source: &'a dyn ByteSource, at: u64, budget: &Budget, notes: &Notes) -> Result<Self> {
        let scope = budget.scope();
        let mut start = [0; PNG_SIGNATURE.len()];
        source.read_full_at(at, &mut start)?;
        let open = if start == PNG_SIGNATURE { codec_png::open_at } else { codec_bmp::open_icon };
        Ok(Self { reader: open(source, at, &scope, notes)?, _scope: scope })
    }
}

/// Returns the description of the file, made from that of its first frame.
fn describe(first: &ImageInfo, entries: &[Entry], working_set: u64) -> ImageInfo {
    let sizes = || entries.iter().map(|entry| entry.size);
    let all_alike = sizes().all(|size| size == entries[0].size);
    ImageInfo {
        format: Format::Ico,
        frames: entries.len() as u32,
        sequence: Sequence::Sizes,
        frame_sizes: if all_alike { Vec::new() } else { sizes().collect() },
        working_set,
        ..first.clone()
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, wanted: &Wanted) -> Result<Option<Frame<'_>>> {
        self.current = None;
        let Some(entry) = self.entries.get(self.returned) else { return Ok(None) };
        self.returned += 1;
        let entry = Open::entry(self.source, entry.at, &self.budget, &self.notes)?;
        let frame = self.current.insert(entry).reader.next_frame(wanted)?;
        // Only the first frame of an animation in an icon is read, without a delay.
        Ok(frame.map(|frame| Frame { info: FrameInfo { delay: None, ..frame.info }, ..frame }))
    }
}
