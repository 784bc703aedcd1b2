//! The chain of directories: which of them are pages, and the size of each.
//!
//! Reduced previews and transparency masks are in the same chain as pages and are marked (TIFF 6.0 p. 36). Children of
//! SubIFDs are not visited. A chain ends where it reaches an earlier directory again.

use std::collections::BTreeSet;

use ifd::{Directory, File, tag};
use raster::limits::check_size;
use raster::{Budget, Error, Limit, Orientation, Result, Size};

use crate::error::Cause;

/// The largest number of directories in a chain. Scanned archives have the most in practice, some thousands.
const MAX_DIRECTORIES: usize = 65_536;

/// The position of a page's directory, and the page's size.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRef {
    pub(super) at: u64,
    pub(super) size: Size,
    pub(super) orientation: Orientation,
}

/// The chain of directories as pages.
pub(super) struct Pages {
    /// At least one.
    pub(super) pages: Vec<PageRef>,
    /// Whether a damaged directory was skipped.
    pub(super) is_damaged: bool,
}

/// The memory of a directory: in the list, which doubles as it grows, and in the set of visited offsets.
const DIRECTORY: u64 = 2 * size_of::<PageRef>() as u64 + 32;

impl Pages {
    /// Walks the chain from the directory at `first` on.
    ///
    /// # Errors
    /// `Malformed` when the first directory is damaged; `Limit` when its picture has no size or is too large, when
    /// there are more directories than any valid file has, or when the budget is too small for the list; `Io`.
    pub(super) fn walk(file: &mut File<'_>, first: u64, budget: &Budget) -> Result<Self> {
        let mut seen = BTreeSet::from([first]);
        let mut directory = file.directory(first, &budget.scope())?;
        let (mut pages, mut others, mut is_damaged) = (Vec::new(), Vec::new(), false);
        loop {
            budget.charge(DIRECTORY)?;
            match page(file, &directory) {
                Ok((page, true)) => pages.push(page),
                Ok((page, false)) => others.push(page),
                Err(error) if directory.at == first || !is_passed_over(&error) => return Err(error),
                Err(_) => is_damaged = true,
            }
            if directory.next == 0 || !seen.insert(directory.next) {
                break;
            }
            if seen.len() > MAX_DIRECTORIES {
                return Err(Limit::Parts("pages").into());
            }
            directory = match file.directory(directory.next, &budget.scope()) {
                Ok(directory) => directory,
                Err(error) if !is_passed_over(&error) => return Err(error),
                Err(_) => {
                    is_damaged = true;
                    break;
                }
            };
        }
        if pages.is_empty() {
            // A single preview is better than no picture.
            others.truncate(1);
            pages = others;
        }
        Ok(Self { pages, is_damaged })
    }
}

/// Whether an error concerns one directory only.
const fn is_passed_over(error: &Error) -> bool {
    !matches!(error, Error::Io(_) | Error::Limit(Limit::Memory { .. }))
}

/// Returns the directory's picture, and whether it is a page.
fn page(file: &mut File<'_>, directory: &Directory) -> Result<(PageRef, bool)> {
    const REDUCED: u64 = 1;
    const MASK: u64 = 4;
    let mut number = |tag| file.number(directory, tag);
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
    Ok((PageRef { at: directory.at, size, orientation: orientation.unwrap_or_default() }, is_page))
}
