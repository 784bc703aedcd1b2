//! Pictures inside of a document, and what is never loaded.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use imagesize::{ImageSize, ImageType};
use raster::{Budget, Limits};
use resvg::usvg::{ImageHrefResolver, ImageKind, Options, Tree};

use crate::font::{self, Missing};
use crate::text::Text;
use crate::{inspect, xml};

/// How deep documents may lie within documents.
const MAX_NESTING: u32 = 4;

/// Elements of all documents within the document; then no other is read.
const MAX_ELEMENTS: u64 = 200_000;

/// Bytes of text in a document within the document.
const MAX_TEXT: u64 = 16 << 20;

/// The largest ratio of a picture's sides. The headers of damaged pictures state larger ones.
const MAX_RATIO: usize = 10_000;

/// What happened while a document was converted.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) missing: Arc<Mutex<Missing>>,
    /// Whether a picture was left out.
    pub(crate) leaves_out: AtomicBool,
    nesting: AtomicU32,
    /// Elements of all documents within the document.
    elements: AtomicU64,
}

/// The options of the converter: no file is ever read, and what is missing is recorded.
pub(crate) fn options(record: &Arc<Record>) -> Options<'static> {
    let (data, links) = (Arc::clone(record), Arc::clone(record));
    Options {
        font_family: font::NAME.into(),
        font_resolver: font::resolver(&record.missing),
        fontdb: font::database(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |_, bytes, options| {
                let kind = resolve(&bytes, options, &data);
                data.leaves_out.fetch_or(kind.is_none(), Ordering::Relaxed);
                kind
            }),
            resolve_string: Box::new(move |_, _| {
                links.leaves_out.store(true, Ordering::Relaxed);
                None
            }),
        },
        ..Options::default()
    }
}

/// A picture by its first bytes; its type as the document tells it is often wrong.
fn resolve(bytes: &Arc<Vec<u8>>, options: &Options<'_>, record: &Record) -> Option<ImageKind> {
    if imagesize::blob_size(bytes).is_ok_and(|size| !is_plausible(size)) {
        return None;
    }
    match imagesize::image_type(bytes) {
        Ok(ImageType::Jpeg) => Some(ImageKind::JPEG(Arc::clone(bytes))),
        Ok(ImageType::Png) => Some(ImageKind::PNG(Arc::clone(bytes))),
        Ok(ImageType::Gif) => Some(ImageKind::GIF(Arc::clone(bytes))),
        Ok(ImageType::Webp) => Some(ImageKind::WEBP(Arc::clone(bytes))),
        _ => {
            let level = record.nesting.fetch_add(1, Ordering::Relaxed);
            let tree = (level < MAX_NESTING).then(|| nested(bytes, options, record)).flatten();
            record.nesting.fetch_sub(1, Ordering::Relaxed);
            tree.map(ImageKind::SVG)
        }
    }
}

fn is_plausible(size: ImageSize) -> bool {
    let (short, long) = (size.width.min(size.height), size.width.max(size.height));
    short > 0 && long / short <= MAX_RATIO
}

/// A document within the document, under the same rules.
fn nested(bytes: &[u8], options: &Options<'_>, record: &Record) -> Option<Tree> {
    if record.elements.load(Ordering::Relaxed) > MAX_ELEMENTS {
        return None;
    }
    let text = Text::parse(bytes, &Budget::new(&Limits { memory: MAX_TEXT })).ok()?.text;
    let parsed = xml::parse(&text).ok()?;
    let found = inspect::inspect(&parsed).ok()?;
    record.elements.fetch_add(found.elements, Ordering::Relaxed);
    record.leaves_out.fetch_or(found.leaves_out, Ordering::Relaxed);
    Tree::from_data_nested(text.as_bytes(), options).ok()
}
