//! The golden table: (file, job) → SHA-256 of the result. The same table is run in WebAssembly in Node and in three
//! browsers; equal sums mean equal bytes in all of them. `npm run golden` writes it anew.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic and print")]

use std::path::{Path, PathBuf};
use std::{env, fs};

use pipeline::{
    Canvas, Decoding, Encoding, Job, JpegCoding, LightChoice, PaletteUse, Part, Policy, ProfileChoice, Sharpening,
};
use raster::{Format, Limits, Orientation, Rect, Size};
use resample::{Kernel, Ringing};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the path of a row's file, if the file exists; `shared/…` is the material beside the checkout.
fn path(file: &str) -> Option<PathBuf> {
    let path = match file.strip_prefix("shared/") {
        Some(rest) => env::var_os("SHARED_DIR").map_or_else(|| root().join("../shared"), PathBuf::from).join(rest),
        None => root().join(file),
    };
    path.exists().then_some(path)
}

#[test]
fn golden_table() {
    let table_path = root().join("tests/golden/table.json");
    let mut table: Vec<Value> = serde_json::from_slice(&fs::read(&table_path).unwrap()).unwrap();
    let writing = env::var("GOLDEN").is_ok_and(|mode| mode == "write");
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in &mut table {
        let file = row["file"].as_str().unwrap();
        let Some(path) = path(file) else {
            println!("SKIPPED: {file} is not on this machine");
            continue;
        };
        let sum = sum(&fs::read(path).unwrap(), &job(&row["job"]));
        compared += 1;
        if row["sha256"] != sum.as_str() {
            wrong.push(row.to_string());
            row["sha256"] = json!(sum);
        }
    }
    assert!(compared >= 40, "only {compared} rows");
    if writing {
        let rows: Vec<String> = table.iter().map(|row| format!("  {row}")).collect();
        fs::write(&table_path, format!("[\n{}\n]\n", rows.join(",\n"))).unwrap();
    } else {
        assert!(wrong.is_empty(), "{} of {compared} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    }
}

fn sum(bytes: &[u8], job: &Job) -> String {
    let mut out = Vec::new();
    pipeline::run(&bytes, &mut out, job, &mut |_, _| {}).unwrap();
    testkit::sha256(&out)
}

/// Parses an encoding in the form of the page's jobs.
fn encoding(output: &Value) -> Encoding {
    let mut encoding = Encoding::new(Format::from_name(output["format"].as_str().unwrap()).unwrap()).unwrap();
    if let Encoding::Jpeg(options) = &mut encoding {
        options.quality = serde_json::from_value::<Option<u8>>(output["quality"].clone()).unwrap().map(Into::into);
        let coding = output["coding"].as_str().map(|name| JpegCoding::from_name(name).unwrap());
        options.coding = coding.unwrap_or_default();
    }
    if let Encoding::Png(options) = &mut encoding {
        let palette = output["palette"].as_str().map(|name| PaletteUse::from_name(name).unwrap());
        options.palette = palette.unwrap_or_default();
    }
    encoding
}

/// Parses a job in the form of the page's jobs.
fn job(value: &Value) -> Job {
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let size = |value: &Value| Size::new(number(&value["width"]), number(&value["height"]));
    let rect = |value: &Value| {
        let Size { width, height } = size(value);
        Rect { x: number(&value["x"]), y: number(&value["y"]), width, height }
    };
    let canvas = |value: &Value| {
        let color = serde_json::from_value(value["color"].clone()).unwrap();
        Canvas { size: size(&value["size"]), x: number(&value["x"]), y: number(&value["y"]), color }
    };
    let output = &value["output"];
    let part = |value: &Value| Part {
        frame: number(&value["frame"]),
        crop: rect(&value["crop"]),
        target: size(&value["target"]),
        canvas: (!value["canvas"].is_null()).then(|| canvas(&value["canvas"])),
        turn: value["turn"].as_u64().map_or(Orientation::Upright, |turn| Orientation::from_exif(turn as u16).unwrap()),
    };
    Job {
        parts: value["parts"].as_array().unwrap().iter().map(part).collect(),
        kernel: Kernel::from_name(value["kernel"].as_str().unwrap()).unwrap(),
        ringing: value["ringing"].as_str().map_or_else(Ringing::default, |name| Ringing::from_name(name).unwrap()),
        light: LightChoice::from_name(value["light"].as_str().unwrap()).unwrap(),
        decoding: value["decoding"].as_str().map_or_else(Decoding::default, |name| Decoding::from_name(name).unwrap()),
        sharpening: value["sharpen"]
            .as_str()
            .map_or_else(Sharpening::default, |name| Sharpening::from_name(name).unwrap()),
        profile: value["profile"]
            .as_str()
            .map_or_else(ProfileChoice::default, |name| ProfileChoice::from_name(name).unwrap()),
        encoding: encoding(output),
        background: serde_json::from_value(output["background"].clone()).unwrap(),
        metadata: Policy::default(),
        density: None,
        flatten: false,
        limits: Limits { memory: value["memory"].as_u64().unwrap() },
    }
}
