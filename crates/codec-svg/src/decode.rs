//! A document as a file with one picture.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes, PixelFormat, Rect, Result, RowReader,
    Wanted,
};
use resvg::usvg::Tree;

use crate::document::Document;
use crate::draw::{Bands, View};

/// Bytes of the tree and of a band of a picture with a usual number of layers.
const WORKING_SET: u64 = 64 << 20;

/// Reads a document; each frame is drawn anew.
pub struct Reader {
    document: Document,
    info: ImageInfo,
    budget: Budget,
    notes: Notes,
    drawing: Option<Drawing>,
    /// Whether the only frame was handed out.
    is_read: bool,
}

/// A frame under way.
struct Drawing {
    tree: Rc<Tree>,
    bands: Bands,
}

impl Reader {
    /// Opens a document.
    ///
    /// # Errors
    /// Those of [`Document::open`].
    pub fn open(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let document = Document::open(source, budget)?;
        let mut info = ImageInfo::still(Format::Svg, document.size(), PixelFormat::RGBA8.into());
        info.working_set = source.byte_len().saturating_mul(32).saturating_add(WORKING_SET);
        document.warnings().for_each(|warning| notes.warn(warning));
        Ok(Self { document, info, budget: budget.clone(), notes: notes.clone(), drawing: None, is_read: false })
    }

    /// The document.
    #[must_use]
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// What the document says about itself.
    #[must_use]
    pub const fn info(&self) -> &ImageInfo {
        &self.info
    }

    /// Starts to draw a view, as often as wanted.
    ///
    /// # Errors `Malformed` for what cannot be converted; `Limit` where the budget does not pay for it or it would
    /// take too long.
    pub fn draw(&mut self, view: View) -> Result<Frame<'_>> {
        self.draw_in_bands(view, None)
    }

    /// The same with bands of that many rows.
    pub(crate) fn draw_in_bands(&mut self, view: View, rows: Option<u32>) -> Result<Frame<'_>> {
        let tree = match self.drawing.take() {
            Some(drawing) => drawing.tree,
            None => {
                let (tree, warnings) = self.document.tree(&self.budget)?;
                warnings.into_iter().for_each(|warning| self.notes.warn(warning));
                Rc::new(tree)
            }
        };
        let bands = Bands::new(&tree, self.info.size, view, rows, &self.budget)?;
        let info = FrameInfo::new(view.target, self.info.row_format);
        let metadata = Rc::clone(&self.info.metadata);
        Ok(Frame::new(info, metadata, self.drawing.insert(Drawing { tree, bands })))
    }
}

impl ImageReader for Reader {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, wanted: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.is_read {
            return Ok(None);
        }
        self.is_read = true;
        let size = self.info.size;
        self.draw(View { crop: Rect::whole(size), target: wanted.size.unwrap_or(size) }).map(Some)
    }
}

impl RowReader for Drawing {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.bands.read_row(&self.tree, row)
    }
}
