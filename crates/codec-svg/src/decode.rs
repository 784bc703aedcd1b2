//! A document as a file of pictures: each view of it is drawn anew.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes, PixelFormat, Rect, Result, RowReader,
    Sequence, Wanted,
};
use resvg::usvg::Tree;

use crate::document::Document;
use crate::draw::{Bands, View};

/// Bytes of the tree and of a band of a picture with a usual number of layers.
const WORKING_SET: u64 = 64 << 20;

/// Reads a document as one picture for each view of it.
pub struct Reader {
    document: Document,
    info: ImageInfo,
    budget: Budget,
    notes: Notes,
    views: Vec<View>,
    /// The views that were handed out.
    drawn: usize,
    drawing: Option<Drawing>,
}

/// A frame under way.
struct Drawing {
    tree: Rc<Tree>,
    bands: Bands,
}

impl Reader {
    /// Opens a document, whose only frame is the whole picture at its own size.
    ///
    /// # Errors
    /// Those of [`Document::open`].
    pub fn open(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let document = Document::open(source, budget)?;
        let size = document.size();
        let mut info = ImageInfo::still(Format::Svg, size, PixelFormat::RGBA8.into());
        info.working_set = source.byte_len().saturating_mul(32).saturating_add(WORKING_SET);
        document.warnings().for_each(|warning| notes.warn(warning));
        let views = vec![View { crop: Rect::whole(size), target: size }];
        let (budget, notes) = (budget.clone(), notes.clone());
        Ok(Self { document, info, budget, notes, views, drawn: 0, drawing: None })
    }

    /// Replaces the frames by one for each of these views.
    #[must_use]
    pub fn with_views(mut self, views: Vec<View>) -> Self {
        self.info.frames = views.len() as u32;
        self.info.sequence = if views.len() == 1 { Sequence::Single } else { Sequence::Sizes };
        self.info.frame_sizes = views.iter().map(|view| view.target).collect();
        self.views = views;
        self
    }

    /// Starts to draw a view in bands of that many rows.
    pub(crate) fn draw(&mut self, view: View, rows: Option<u32>) -> Result<Frame<'_>> {
        let tree = match self.drawing.take() {
            Some(drawing) => drawing.tree,
            None => {
                let (tree, warnings) = self.document.tree(&self.budget)?;
                warnings.into_iter().for_each(|warning| self.notes.warn(warning));
                Rc::new(tree)
            }
        };
        let bands = Bands::new(&tree, self.document.size(), view, rows, &self.budget.scope())?;
        let info = FrameInfo::new(view.target, self.info.row_format);
        let metadata = Rc::clone(&self.info.metadata);
        Ok(Frame::new(info, metadata, self.drawing.insert(Drawing { tree, bands })))
    }
}

impl ImageReader for Reader {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        let Some(&view) = self.views.get(self.drawn) else { return Ok(None) };
        self.drawn += 1;
        self.draw(view, None).map(Some)
    }
}

impl RowReader for Drawing {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.bands.read_row(&self.tree, row)
    }
}
