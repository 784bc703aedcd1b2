//! The row loop: each row of a picture is pulled through the stages and passed to the writer.

use core::future::poll_fn;

use raster::steps::pause;
use raster::{Frame, ImageWriter, Result};

use crate::last::LastPicture;
use crate::picture::Picture;
use crate::stages::Resources;

/// Writes one picture. Returns whether the picture has a pixel that is not opaque, or the error of the first row,
/// before which the writer has no frame; any later error ends the job.
pub(crate) async fn write_picture(
    mut frame: Frame<'_>,
    picture: &Picture,
    last: &mut LastPicture<'_>,
    writer: &mut dyn ImageWriter,
    resources: Resources<'_, '_>,
) -> Result<Result<bool>> {
    let (progress, height) = (resources.progress, picture.header.size.height);
    progress.expect(picture.plan.rows_read() + u64::from(height));
    let made = picture.plan.made();
    let mut rows = if made.size().is_empty() { None } else { Some(picture.open(&mut frame.rows, resources)?) };
    let columns = picture.header.pixels.row_bytes(made.x) as usize..;
    let made_bytes = picture.header.pixels.row_bytes(made.width) as usize;
    let mut is_transparent = false;
    for y in 0..height {
        let row = last.row(y);
        if let Some(rows) = rows.as_mut().filter(|_| (made.y..made.y + made.height).contains(&y)) {
            let row = &mut row[columns.clone()][..made_bytes];
            // The await ends a step whenever the row is not ready.
            match poll_fn(|_| rows.poll_row(row)).await {
                Err(error) if y == 0 => return Ok(Err(error)),
                outcome => outcome?,
            }
        }
        // The frame begins after its first row was read, so a frame without a row is never begun.
        if y == 0 {
            writer.begin_frame(&picture.header, &picture.labels.metadata)?;
        }
        writer.write_row(row)?;
        is_transparent = is_transparent || picture.header.pixels.is_transparent(row);
        progress.step();
        pause().await;
    }
    last.complete(&picture.plan);
    Ok(Ok(is_transparent))
}
