//! Prints the SSIMULACRA2 of pictures, one a line: 100 for a picture that equals the reference.
//! `ssimulacra2-of WIDTH HEIGHT` reads the reference and then the pictures from standard input, as rows of 8-bit RGB.

use std::error::Error;
use std::io::{Read as _, stdin};

use ssimulacra2::{ColorPrimaries, LinearRgb, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};

fn main() -> Result<(), Box<dyn Error>> {
    let sides: Vec<usize> = std::env::args().skip(1).map(|side| side.parse()).collect::<Result<_, _>>()?;
    let &[width, height] = &sides[..] else { return Err("usage: ssimulacra2-of WIDTH HEIGHT".into()) };
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes)?;
    let picture = |bytes: &[u8]| -> Result<LinearRgb, Box<dyn Error>> {
        let pixels = bytes.as_chunks::<3>().0.iter().map(|pixel| pixel.map(|sample| f32::from(sample) / 255.0));
        let (width, height) = (width.try_into()?, height.try_into()?);
        let rgb = Rgb::new(pixels.collect(), width, height, TransferCharacteristic::SRGB, ColorPrimaries::BT709)?;
        Ok(rgb.try_into()?)
    };
    let mut pictures = bytes.chunks_exact(width * height * 3).map(picture);
    let reference = pictures.next().ok_or("no reference")??;
    for other in pictures {
        println!("{}", compute_frame_ssimulacra2(reference.clone(), other?)?);
    }
    Ok(())
}
