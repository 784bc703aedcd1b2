//! Metadata from file to file, as exiftool reads them: every photograph beside the checkout and every JPEG and PNG of
//! the corpus with metadata, under three policies, resized to JPEG, PNG and TIFF and copied unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pipeline::{Decoding, Encoding, Job, Part, Policy};
use raster::{Format, Limits, Metadata, Notes, Size};
use serde_json::Value;
use testkit::corpus;
use testkit::threads::on_two_threads;

/// The tags that exiftool reads: `group:tag` and a value.
type Tags = BTreeMap<String, Value>;

const POLICIES: [Policy; 3] = [Policy::WithoutLocation, Policy::Everything, Policy::Nothing];

/// A written file, its job, and its source.
struct Written {
    /// The path, whose name is a sum of the bytes: equal files are one file, which is read once.
    path: PathBuf,
    source: PathBuf,
    policy: Policy,
    size: Size,
    copied: bool,
}

#[test]
fn exiftool_reads_the_tags_that_each_policy_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources();
    if sources.is_empty() || Command::new("exiftool").arg("-ver").output().is_err() {
        println!("SKIPPED: no sources, or no exiftool");
        return;
    }
    let written: Vec<Written> =
        on_two_threads(&sources, |source| write_all(folder.path(), source)).into_iter().flatten().collect();
    let before = exiftool(&sources);
    let mut seen = BTreeSet::new();
    let results = written.iter().map(|file| &file.path).filter(|path| seen.insert(*path)).cloned();
    let after = exiftool(&results.collect::<Vec<_>>());
    let (mut kept, mut notes, mut faults) = (0, 0, Vec::new());
    for file in &written {
        let (source, result) = (&before[&file.source], &after[&file.path]);
        let mut verdict = Verdict { file, source, result, kept: 0, notes: 0, faults: &mut faults };
        verdict.judge();
        kept += verdict.kept;
        notes += verdict.notes;
    }
    println!(
        "{} files, {} of them different, from {} sources: {kept} tags kept, {notes} of them in maker notes",
        written.len(),
        after.len(),
        sources.len()
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(sources.len() > 100 && kept > 10_000 && notes > 1_000, "{} sources, {kept}, {notes}", sources.len());
}

/// Returns the readable files with metadata.
fn sources() -> Vec<PathBuf> {
    let rows = ["jpeg", "png"].into_iter().filter_map(corpus::rows).flatten();
    let listed = rows.filter(|row| row.must && !row.reject).map(|row| row.path);
    let speaks = |path: &PathBuf| {
        let info = pipeline::probe(&fs::read(path).unwrap(), &Limits::default(), &Notes::default());
        info.is_ok_and(|info| *info.metadata != Metadata::default())
    };
    corpus::photos().unwrap_or_default().into_iter().chain(listed).filter(speaks).collect()
}

/// Writes the source under every policy, resized to a sixteenth as JPEG, PNG and TIFF, and copied.
fn write_all(folder: &Path, source_path: &Path) -> Vec<Written> {
    let source = fs::read(source_path).unwrap();
    let info = pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap();
    let upright = info.orientation.turn(info.size);
    let size = Size::new(upright.width.div_ceil(16), upright.height.div_ceil(16));
    let mut written = Vec::new();
    for policy in POLICIES {
        let mut keep = |bytes: &[u8], size, extension, copied| {
            let path = folder.join(format!("{}.{extension}", testkit::sha256(bytes)));
            fs::write(&path, bytes).unwrap();
            written.push(Written { path, source: source_path.to_owned(), policy, size, copied });
        };
        for (format, extension) in [(Format::Jpeg, "jpg"), (Format::Png, "png"), (Format::Tiff, "tif")] {
            let part = Part { target: size, ..Part::whole(upright) };
            let whole = Job::whole(upright, Encoding::new(format).unwrap());
            // Metadata do not depend on the decoding.
            let job = Job { parts: vec![part], metadata: policy, decoding: Decoding::Fast, ..whole };
            let mut out = Vec::new();
            match pipeline::run(&source, &mut out, &job, &mut |_, _| {}) {
                Ok(_) => keep(&out, size, extension, false),
                Err(raster::Error::Unsupported { .. }) => {} // 12-bit, arithmetic …
                Err(error) => panic!("{}: {error}", source_path.display()),
            }
        }
        let mut out = Vec::new();
        pipeline::relabel(&source, &mut out, &policy.into(), &Limits::default()).unwrap();
        keep(&out, info.size, if info.format == Format::Jpeg { "jpg" } else { "png" }, true);
    }
    written
}

/// Returns all tags of these files, numbers as numbers. Photographs come first: broken profiles change how exiftool
/// prints the profiles of later files. Tags that exiftool computes from others are left out (`-e`); they take half of
/// its time.
fn exiftool(files: &[PathBuf]) -> BTreeMap<PathBuf, Tags> {
    let options = ["-j", "-G1", "-n", "-a", "-u", "-e", "-api", "LargeFileSupport=1"];
    let output = Command::new("exiftool").args(options).args(files).output().unwrap();
    let all: Vec<Tags> = serde_json::from_slice(&output.stdout).unwrap();
    all.into_iter().map(|tags| (PathBuf::from(tags["SourceFile"].as_str().unwrap()), tags)).collect()
}

/// The comparison of one written file with its source.
struct Verdict<'a> {
    file: &'a Written,
    source: &'a Tags,
    result: &'a Tags,
    /// The number of unchanged tags.
    kept: usize,
    /// The number of unchanged tags in maker notes.
    notes: usize,
    faults: &'a mut Vec<String>,
}

/// Files for which exiftool reads more tags or other values than the result has, with the reason why that is right.
const KNOWN: [(&str, &str, &str); 12] = [
    ("ycck.jpg", "ICC", "inks: resized, it is in sRGB"),
    ("ycck.jpg", "ExifIFD:ColorSpace", "inks: resized, it is in sRGB"),
    ("ycck.jpg", "XMP-exif:ColorSpace", "inks: resized, it is in sRGB"),
    ("ycck.jpg", "XMP-photoshop:ICCProfileName", "inks: resized, it is in sRGB"),
    ("issue_430.png", "ICC", "a profile for other channels than the picture has"),
    ("jpg-srgb-icc.jpg", "ICC", "a profile for other channels than the picture has"),
    ("PXL_20221016_171753736.jpg", "XMP-GCamera", "encrypted notes of the camera, which may tell a place"),
    ("multiple_exif.jpg", "IFD0:ImageDescription", "two EXIF segments, which exiftool joins; the first counts"),
    ("jfif_unit_cm.jpg", "IFD0:ImageDescription", "two EXIF segments, which exiftool joins; the first counts"),
    ("relax-jpeg.jpg", "IFD0:ModifyDate", "the directory has it twice; the first counts"),
    ("exif_gps.jpg", "", "forged: its values lie over one another and over the end of the directory"),
    (
        "exif_imagemagick_orientation.png",
        "IFD0:Orientation",
        "in a text chunk, where browsers do not look: it stands upright",
    ),
];

/// Groups that describe the file and its coding, or that are about other pictures.
#[rustfmt::skip]
const OWN: [&str; 19] = [
    "ExifTool", "System", "File", "JFIF", "JFXX", "PNG", "PNG-pHYs", "PNG-cICP", "Adobe", "APP14", "IFD1",
    "PreviewIFD", "Photoshop", "AdobeCM", "Ducky", "MPF0", "SubIFD", "Meta", "GoPro",
];

impl Verdict<'_> {
    fn judge(&mut self) {
        for (key, value) in self.source {
            let Some((group, tag)) = key.split_once(':') else { continue };
            let foreign = OWN.contains(&group) || ["MPImage", "APP", "PNG"].iter().any(|own| group.starts_with(own));
            if !foreign {
                self.compare(key, group, tag, value);
            }
        }
        for (key, value) in self.result {
            let Some((group, tag)) = key.split_once(':') else { continue };
            self.check(key, group, tag, value);
        }
    }

    /// Checks a tag of the source.
    fn compare(&mut self, key: &str, group: &str, tag: &str, value: &Value) {
        let found = self.result.get(key);
        let is_profile = group.starts_with("ICC");
        let expected = match self.file.policy {
            _ if is_profile => Expected::Same,
            _ if is_own_value(group, tag) => return, // checked in the result
            _ if self.is_of_tiff(group, tag) => return,
            Policy::Nothing => Expected::Gone,
            _ if is_stale(group, tag) => Expected::Gone,
            Policy::WithoutLocation if is_place(group, tag) => Expected::Gone,
            // Notes in an unknown form are removed as a whole.
            Policy::WithoutLocation if is_note(group) || tag.starts_with("MakerNoteUnknown") => Expected::SameOrGone,
            _ => Expected::Same,
        };
        let fault = match (expected, found) {
            (Expected::Gone, Some(found)) => format!("is still there: {found}"),
            (Expected::Same, None) => format!("is lost: {value}"),
            (Expected::Same | Expected::SameOrGone, Some(found)) if found != value => {
                format!("was {value} and is {found}")
            }
            (Expected::Same | Expected::SameOrGone, Some(_)) => {
                self.kept += 1;
                self.notes += usize::from(is_note(group));
                return;
            }
            _ => return,
        };
        self.fault(key, &fault);
    }

    /// Checks a tag of the result.
    fn check(&mut self, key: &str, group: &str, tag: &str, value: &Value) {
        let picture = ["Thumbnail", "PreviewImage"].iter().any(|name| tag.contains(name)) && value.is_string();
        if picture && !tag.ends_with("ValidArea") {
            self.fault(key, "shows the original");
        }
        if self.file.policy == Policy::WithoutLocation && is_place(group, tag) {
            self.fault(key, &format!("contains a place: {value}"));
        }
        let Size { width, height } = self.file.size;
        let own = match (group, tag) {
            ("IFD0" | "XMP-tiff", "ImageWidth") | ("ExifIFD" | "XMP-exif", "ExifImageWidth") => Some(width),
            ("IFD0" | "XMP-tiff", "ImageHeight") | ("ExifIFD" | "XMP-exif", "ExifImageHeight") => Some(height),
            ("InteropIFD", "RelatedImageWidth") => Some(width),
            ("InteropIFD", "RelatedImageHeight") => Some(height),
            ("IFD0" | "XMP-tiff", "Orientation") if !self.file.copied => Some(1),
            ("IFD0", "Orientation") => self.source.get(key).and_then(Value::as_u64).map(|value| value as u32),
            _ => None,
        };
        if own.is_some_and(|own| value.as_u64() != Some(own.into())) {
            self.fault(key, &format!("is {value} and should be {own:?}"));
        }
    }

    /// Whether the tag describes the TIFF itself, whereas in other files it is a tag of EXIF.
    fn is_of_tiff(&self, group: &str, tag: &str) -> bool {
        let own = ["XResolution", "YResolution", "ResolutionUnit", "YCbCrPositioning"];
        let is_tiff = self.file.path.extension().is_some_and(|extension| extension == "tif");
        is_tiff && group == "IFD0" && (own.contains(&tag) || is_stale(group, tag))
    }

    fn fault(&mut self, key: &str, what: &str) {
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let source = name(&self.file.source);
        if KNOWN.iter().any(|(file, tags, _)| source.ends_with(file) && key.starts_with(tags)) {
            return;
        }
        let Written { path, policy, copied, .. } = self.file;
        let way = if *copied { "copied" } else { "resized" };
        self.faults.push(format!("{source}, {way}, {policy:?}, {}: {key} {what}", name(path)));
    }
}

#[derive(Clone, Copy)]
enum Expected {
    Same,
    SameOrGone,
    Gone,
}

/// Whether a group is a maker's own, outside of the standards.
fn is_note(group: &str) -> bool {
    let standard = ["IFD0", "ExifIFD", "InteropIFD", "GPS", "IPTC"].contains(&group);
    !standard && !group.starts_with("XMP") && !group.starts_with("ICC")
}

/// Whether the value of a tag belongs to the written picture itself.
fn is_own_value(group: &str, tag: &str) -> bool {
    let sizes = ["ImageWidth", "ImageHeight", "ExifImageWidth", "ExifImageHeight", "Orientation"];
    matches!(group, "IFD0" | "ExifIFD" | "InteropIFD" | "XMP-tiff" | "XMP-exif")
        && (sizes.contains(&tag) || tag.starts_with("RelatedImage"))
}

/// Whether a tag is about the source's coding, or about pictures that are not kept.
fn is_stale(group: &str, tag: &str) -> bool {
    let coding = [
        "BitsPerSample",
        "Compression",
        "PhotometricInterpretation",
        "StripOffsets",
        "SamplesPerPixel",
        "RowsPerStrip",
        "StripByteCounts",
        "PlanarConfiguration",
        "TileWidth",
        "TileLength",
        "OtherImageStart",
        "OtherImageLength",
    ];
    let gone = ["XMP-hdrgm", "XMP-GContainer", "XMP-xmpNote", "XMP-HDRGainMap", "XMP-apple-fi"];
    (group == "IFD0" && coding.contains(&tag))
        || gone.contains(&group)
        || (group == "IFD1" && tag.starts_with("Thumbnail"))
}

/// Whether exiftool's tag is a place.
fn is_place(group: &str, tag: &str) -> bool {
    let parts = ["GPS", "Latitude", "Longitude", "Altitude", "Country", "Sub-location", "ContentLocation"];
    let whole = ["City", "State", "Location", "Province-State", "TimeZoneCity", "LocationShown", "LocationCreated"];
    group == "GPS" || parts.iter().any(|part| tag.contains(part)) || whole.contains(&tag)
}

#[test]
fn a_copy_of_another_format_is_refused_by_name() {
    let bitmap = testkit::generate::flat(Size::new(3, 2), raster::PixelFormat::RGB8, [0.5; 4]);
    let (mut bytes, budget) = (Vec::new(), raster::Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(bitmap.size, bitmap.pixels, &budget);
    let writer = Encoding::new(Format::Bmp).unwrap().create(&mut bytes, &spec).unwrap();
    testkit::write_with(writer, &bitmap, &Metadata::default()).unwrap();
    let refusal = pipeline::relabel(&bytes, &mut Vec::new(), &Policy::Nothing.into(), &Limits::default());
    assert_eq!(refusal.unwrap_err().code(), "unsupported");
}
