#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzz::read(codec_jpeg::open, bytes);
    fuzz::read_in_parts(codec_jpeg::open, bytes);
});
