//! The chain of directories: which are pages, and how large each is.
//!
//! Reduced previews and transparency masks stand in the same chain as pages and say so (TIFF 6.0 p. 36); children
//! hanging off SubIFDs are never visited. A chain that bites its tail ends there.

use std::collections::HashSet;

use raster::error::Limit;
use raster::limits::check_size;
use raster::{Error, Orientation, Result, Size};

use super::ifd::{Directory, Ifds};
use crate::error::Cause;
use crate::tag;

/// Directories in a chain. The most in use are those of scanned archives, some thousands.
const MAX_DIRECTORIES: usize = 65_536;

/// Where a page's directory stands, and its size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) at: u64,
    pub(super) size: Size,
    pub(super) orientation: Orientation,
}

/// The pages from the directory at `first` on, at least one. Also says whether a directory was passed over because it
/// is damaged.
///
/// # Errors
/// `Malformed` when the first directory is, `Limit` when its picture has no size or an absurd one, or when there are
/// more directories than any sound file has, `Io`.
pub(super) fn walk(ifds: &mut Ifds<'_>, first: u64) -> Result<(Vec<Place>, bool)> {
    let mut directory = ifds.read(first)?;
    let mut seen = HashSet::from([first]);
    let (mut pages, mut others) = (Vec::new(), Vec::new());
    let mut damaged = false;
    loop {
        match place(ifds, &directory) {
            Ok((place, true)) => pages.push(place),
            Ok((place, false)) => others.push(place),
            Err(error) if directory.at == first || matches!(error, Error::Io(_)) => return Err(error),
            Err(_) => damaged = true,
        }
        if directory.next == 0 || !seen.insert(directory.next) {
            break;
        }
        if seen.len() > MAX_DIRECTORIES {
            return Err(Limit::Parts("pages").into());
        }
        directory = match ifds.read(directory.next) {
            Ok(directory) => directory,
            Err(error @ Error::Io(_)) => return Err(error),
            Err(_) => {
                damaged = true;
                break;
            }
        };
    }
    if pages.is_empty() {
        // A preview alone is better than nothing.
        others.truncate(1);
        pages = others;
    }
    Ok((pages, damaged))
}

/// The directory's picture, and whether it is a page.
fn place(ifds: &mut Ifds<'_>, directory: &Directory) -> Result<(Place, bool)> {
    const REDUCED: u64 = 1;
    const MASK: u64 = 4;
    let mut number = |tag| ifds.number_of(directory, tag);
    let mut side = |tag, name| {
        match directory.get(tag).map(|entry| entry.count) {
            Some(1) => number(tag)?.map(|value| u32::try_from(value).unwrap_or(u32::MAX)).ok_or(Cause::Missing(name)),
            Some(count) => Err(Cause::Value(name, count)),
            None => Err(Cause::Missing(name)),
        }
        .map_err(|cause| cause.at(directory.at))
    };
    let size = Size::new(side(tag::IMAGE_WIDTH, "ImageWidth")?, side(tag::IMAGE_LENGTH, "ImageLength")?);
    check_size(size, u32::MAX)?;
    let is_page = match number(tag::NEW_SUBFILE_TYPE)? {
        Some(kind) => kind & (REDUCED | MASK) == 0,
        // TIFF 6.0 p. 40: 2 is a reduced picture.
        None => number(tag::SUBFILE_TYPE)? != Some(2),
    };
    let orientation = number(tag::ORIENTATION)?.and_then(|value| Orientation::from_exif(u16::try_from(value).ok()?));
    Ok((Place { at: directory.at, size, orientation: orientation.unwrap_or_default() }, is_page))
}
