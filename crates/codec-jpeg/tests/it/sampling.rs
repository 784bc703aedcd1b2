//! Every combination of sampling factors that cjpeg writes, as one scan, as one scan each, and progressive. It is read
//! with djpeg's pixels or refused as unsupported, never with wrong pixels or a panic.

use raster::{Budget, Error, Limits, Notes, PixelFormat, Size};
use testkit::{Picture, generate, read_all};

use crate::djpeg;

/// Returns a smooth picture.
fn picture() -> Picture {
    generate::gradient(Size::new(75, 53), PixelFormat::RGB8)
}

#[test]
fn factors_are_read_correctly_or_refused() {
    let scans = std::env::temp_dir().join(format!("codec-jpeg-scans-{}", std::process::id()));
    std::fs::write(&scans, "0;\n1;\n2;\n").unwrap();
    let picture = picture();
    let factors = ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "3x1", "1x3", "2x4", "4x2"];
    let (mut read, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for y in factors {
        for cb in factors {
            for cr in factors {
                let sample = format!("{y},{cb},{cr}");
                for way in [&["-baseline"][..], &["-progressive"], &["-scans", scans.to_str().unwrap()]] {
                    let Some(jpeg) = djpeg::encode(&picture, &[&["-quality", "95", "-sample", &sample], way].concat())
                    else {
                        continue;
                    };
                    let Some(reference) = djpeg::decode(&jpeg) else { continue };
                    let budget = Budget::new(&Limits::default());
                    match read_all(&mut *codec_jpeg::open(&jpeg, &budget, &Notes::default()).unwrap()) {
                        Err(Error::Unsupported { .. }) => refused.push(format!("{sample} {}", way[0])),
                        Err(error) => wrong.push(format!("{sample} {}: {error}", way[0])),
                        Ok(got) => {
                            read += 1;
                            if got != reference {
                                wrong.push(format!("{sample} {}: other pixels than djpeg's", way[0]));
                            }
                        }
                    }
                }
            }
        }
    }
    std::fs::remove_file(scans).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{read} read, {} refused", refused.len());
    // The factors that cameras and programs write are always supported.
    for usual in ["1x1,1x1,1x1", "2x1,1x1,1x1", "1x2,1x1,1x1", "2x2,1x1,1x1", "4x1,1x1,1x1", "4x2,1x1,1x1"] {
        let is_refused = |way: &str| refused.contains(&format!("{usual} {way}"));
        assert!(!is_refused("-baseline") && !is_refused("-progressive"), "{usual}");
    }
}
